package main

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// lacks is the problem of somebody who lacks a verb, as kube-apiserver says it.
func lacks(verb, resource string) string { return "cannot " + verb + ` resource "` + resource + `"` }

// needs is the problem of somebody who lacks a verb that a policy wants.
func needs(verb string) string { return "the verb " + verb + " on articles.pressroom.dev" }

const (
	articles    = "articles"
	deployments = "deployments"
	apikeys     = "apikeys"
)

// trial is a command that the people of a workspace try, each on an article of their own.
type trial struct {
	// given makes the article.
	given func(w *workspace, name string)
	// args come after the command; NAME stands for the article.
	args []string
	// want is the problem that a person has, empty if the command does what it says.
	want map[string]string
	// wantCode is the exit code without a problem.
	wantCode int
	// done proves what was done.
	done func(a *v1alpha1.Article, got result, person string)
}

func nobody(problem string) map[string]string {
	return map[string]string{reader: problem, author: problem, reviewer: problem, manager: problem}
}

// writers are the people who may change more of articles than their review: those who may create them.
func writers() map[string]string {
	return map[string]string{
		reader: lacks("patch", articles), author: "", reviewer: needs("create"), manager: "",
	}
}

// reviewers are the people who may decide on them.
func reviewers() map[string]string {
	return map[string]string{
		reader: lacks("patch", articles), author: needs("approve"), reviewer: "", manager: "",
	}
}

func decidedAs(decision v1alpha1.ReviewDecision, note string) func(a *v1alpha1.Article, got result, person string) {
	return func(a *v1alpha1.Article, _ result, person string) {
		Expect(*a.Spec.Review).To(Equal(v1alpha1.ArticleReview{
			Decision: decision, Digest: a.Status.Revision.Digest, By: person, Note: note,
		}))
	}
}

func hasNonce(annotation string) func(a *v1alpha1.Article, got result, person string) {
	return func(a *v1alpha1.Article, _ result, _ string) {
		Expect(a.Annotations[annotation]).To(HavePrefix("nonce-"))
	}
}

var trials = map[string]trial{
	"approve": {
		given: inReview, args: []string{"NAME"}, want: reviewers(), done: decidedAs(v1alpha1.DecisionApproved, ""),
	},
	"reject": {
		given: inReview, args: []string{"NAME", "-m", "Too short."}, want: reviewers(),
		done: decidedAs(v1alpha1.DecisionRejected, "Too short."),
	},
	"publish": {
		given: inReview, args: []string{"NAME", "--at", "2099-01-01T09:00:00Z"}, want: writers(),
		done: func(a *v1alpha1.Article, _ result, _ string) {
			Expect(a.Spec.Stage).To(Equal(v1alpha1.StagePublished))
			Expect(a.Spec.PublishAfter.UTC().Format("2006")).To(Equal("2099"))
		},
	},
	"cancel-publication": {
		given: scheduled, args: []string{"NAME"}, want: writers(),
		done: func(a *v1alpha1.Article, _ result, _ string) {
			Expect(a.Spec.Stage).To(Equal(v1alpha1.StageReview))
			Expect(a.Spec.PublishAfter).To(BeNil())
		},
	},
	"regenerate": {given: inReview, args: []string{"NAME"}, want: writers(), done: hasNonce(v1alpha1.RegenerateAnnotation)},
	"unpublish": {
		given: publishedAtCMS, args: []string{"NAME", "--overwrite"}, done: hasNonce(v1alpha1.UnpublishAnnotation),
		want: map[string]string{
			reader: lacks("patch", articles), author: needs("approve"), reviewer: needs("create"), manager: "",
		},
	},
	"redeliver": {given: published, args: []string{"NAME"}, want: writers(), done: hasNonce(v1alpha1.RedeliverAnnotation)},
	"preview": {
		given: inReview, args: []string{"NAME"}, want: nobody(""),
		done: func(a *v1alpha1.Article, got result, _ string) {
			Expect(got.Out).To(And(ContainSubstring(a.Status.Revision.Digest), ContainSubstring("about "+a.Name)))
		},
	},
	"diff": {
		given: changedSince, args: []string{"NAME"}, want: nobody(""), wantCode: exitDiffers,
		done: func(a *v1alpha1.Article, got result, _ string) {
			Expect(got.Out).To(And(ContainSubstring("revision 1 (Rejected by "+reviewer+")"), ContainSubstring("\n+Text "), ContainSubstring("\n-Text ")))
		},
	},
	"export": {
		given: inReview, args: []string{"NAME"}, want: nobody(""),
		done: func(a *v1alpha1.Article, got result, _ string) {
			Expect(got.Out).To(And(ContainSubstring("# Digest: "+a.Status.Revision.Digest), ContainSubstring("about "+a.Name)))
		},
	},
	"tree": {
		given: published, args: []string{"NAME"}, want: nobody(""),
		done: func(a *v1alpha1.Article, got result, _ string) {
			Expect(got.Out).To(And(HavePrefix("article/"+a.Name), ContainSubstring("revision 1"), ContainSubstring("attempt 1 of cycle 1  Accepted, HTTP 200")))
		},
	},
	// Roles of a workspace open nothing of the installation. The rest is shown anyway: see "status" below.
	"status":      {given: inReview, want: nobody(lacks("list", deployments))},
	"keys":        {given: inReview, want: nobody(lacks("list", apikeys))},
	"keys list":   {given: inReview, want: nobody(lacks("list", apikeys))},
	"keys create": {given: inReview, args: []string{"--account=acme"}, want: nobody(`cannot get resource "accounts"`)},
	"keys made":   {given: inReview, args: []string{"--account=acme", "mara@acme.example"}, want: nobody(`cannot list resource`)},
	"keys revoke": {given: inReview, args: []string{"bbbbbbbbbbbbbbbb"}, want: nobody(`cannot delete resource "apikeys"`)},
}

// commandsBelow are the names of all commands below one.
func commandsBelow(parent *cobra.Command, names ...string) []string {
	var all []string
	for _, c := range parent.Commands() {
		path := append(slices.Clone(names), c.Name())
		all = append(append(all, strings.Join(path, " ")), commandsBelow(c, path...)...)
	}
	return all
}

var _ = Describe("The plugin", func() {
	for _, name := range commandsBelow(newRootCommand(newEnvironment())) {
		It("tells everybody what they may "+name+", and does it", func() {
			row, found := trials[name]
			Expect(found).To(BeTrue(), "the table has no row for the command %s", name)
			Expect(row.want).To(HaveLen(len(roles)))
			w := newWorkspace()
			for person, problem := range row.want {
				article, _, _ := strings.Cut(person, "@")
				row.given(w, article)
				before := w.get(article)
				args := strings.Fields(name)
				for _, arg := range row.args {
					args = append(args, strings.ReplaceAll(arg, "NAME", article))
				}
				got := w.as(person, args...)
				if problem != "" {
					Expect(got).To(failing(exitFailed, problem), person)
					Expect(w.get(article)).To(Equal(before), "%s changed the article", person)
					continue
				}
				Expect(got).To(And(HaveField("Code", row.wantCode), HaveField("Problems", BeEmpty())), person)
				row.done(w.get(article), got, person)
			}
		})
	}
})
