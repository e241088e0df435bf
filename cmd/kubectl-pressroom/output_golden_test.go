package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/table"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares an output with the file that holds what it should be.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

func micro(minutes int) v1alpha1.MicroTime {
	return v1alpha1.NewMicroTime(started.Add(time.Duration(minutes) * time.Minute))
}

// shoes is an article whose first text was rejected, whose second one is being published, and whose third run waits.
func shoes(t *testing.T) *family {
	t.Helper()
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "shoes", UID: "0198f0a1-b2c3-7000-8000-000000000001"}}
	f := &family{article: a}
	for number, body := range []string{"Buy shoes.\n\x1b[2J", "Buy [shoes](https://acme.example).\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"} {
		doc := content.Document{Title: "Shoes", Slug: "shoes", Markdown: body, MetaDescription: "All about shoes.", Language: "en"}
		o := revision.Origin{Name: "shoes-1", Number: int32(number + 1), Source: v1alpha1.SourceGenerated}
		if number == 0 {
			o.Generator = &v1alpha1.GeneratorRecord{Type: v1alpha1.GeneratorOpenAI, Model: "small"}
		} else {
			doc.FAQ = []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}}
		}
		r := revision.New(a, doc, o)
		r.CreationTimestamp = metav1.NewTime(started)
		r.Spec.Scores = v1alpha1.Scores{
			SEOScore: 50, Passed: []string{"SEO/text-length 9/9: the text has 812 words"},
			Failed: []string{"SEO/keyphrase-in-seo-title 2/9: it does not", "Site/long 0/9: it is short"},
		}
		f.revisions = append(f.revisions, *r)
	}
	second := &f.revisions[1]
	second.Name = "shoes-2"
	onBrief(second, "Figure/unsupported §1: 42 percent: A survey found that\n42 percent \x1b[2J of runners switch shoes.", "Figure/other-context: 12: It has 12 parts.")
	a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, Digest: f.revisions[0].Spec.Digest, By: "rob@acme.example", Note: "Too\nshort."}
	a.Status = v1alpha1.ArticleStatus{
		Observed: v1alpha1.Observed{Conditions: []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonRetryScheduled},
		}},
		Phase:    v1alpha1.PhaseReview,
		Revision: &v1alpha1.CurrentRevision{Name: second.Name, Number: 2, Digest: second.Spec.Digest},
		Run: &v1alpha1.GenerationRun{
			Number: 3, State: v1alpha1.RunRetryScheduled, Attempt: 2, Model: "small", Reason: v1alpha1.ReasonTimeout, Message: "no answer in 120 s",
			StartTime: micro(1), NextAttemptTime: new(micro(5)),
		},
		Publication: &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostUncertain}, DeliveryRecord: attemptsOf(v1alpha1.AttemptTimeout, v1alpha1.AttemptRejected)},
	}
	f.events = []v1alpha1.EventDelivery{{
		Spec: v1alpha1.EventDeliverySpec{Type: v1alpha1.EventReadyForReview, SubscriptionRef: v1alpha1.LocalReference{Name: "newsroom"}, Time: micro(0)},
		Status: v1alpha1.EventDeliveryStatus{
			Observed:       v1alpha1.Observed{Conditions: []metav1.Condition{{Type: v1alpha1.ConditionDelivered, Reason: v1alpha1.ReasonDelivered}}},
			DeliveryRecord: v1alpha1.DeliveryRecord{Attempts: attemptsOf(v1alpha1.AttemptAccepted).Attempts},
		},
	}}
	return f
}

// onBrief has a revision rest on a brief, which does not support the claims of these lines.
func onBrief(r *v1alpha1.ArticleRevision, claims ...string) {
	r.Spec.Brief = &v1alpha1.RevisionBrief{Name: "trail-2026", Digest: "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}
	r.Spec.Claims = claims
}

func attemptsOf(outcomes ...v1alpha1.AttemptOutcome) v1alpha1.DeliveryRecord {
	r := v1alpha1.DeliveryRecord{Cycle: &v1alpha1.DeliveryCycle{State: v1alpha1.CycleRetryScheduled, NextAttemptTime: new(micro(9))}}
	for i, outcome := range outcomes {
		result := v1alpha1.AttemptResult{Outcome: outcome}
		switch outcome {
		case v1alpha1.AttemptTimeout:
			result.ErrorClass = v1alpha1.ErrorTimeout
		case v1alpha1.AttemptRejected:
			result.ErrorClass, result.HTTPStatus, result.Message = v1alpha1.ErrorServer, 503, "the receiver answered 503"
		default:
			result.HTTPStatus = 204
		}
		r.Attempts = append(r.Attempts, v1alpha1.DeliveryAttempt{Cycle: 1, Number: int32(i + 1), StartTime: micro(i), AttemptResult: result})
	}
	return r
}

func TestAPreviewShowsEverythingThatIsDecidedOn(t *testing.T) {
	f := shoes(t)
	for i, name := range []string{"preview-generated.txt", "preview-written.txt"} {
		var out bytes.Buffer
		if err := preview(&out, f.article, &f.revisions[i]); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Error("an article commands the terminal of the person who reads it")
		}
		golden(t, name, out.String())
	}
}

func TestADiffIsUnifiedAndNamesTheDecision(t *testing.T) {
	f := shoes(t)
	got, err := f.changes(0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := write(&out, got); err != nil {
		t.Fatal(err)
	}
	golden(t, "diff.txt", out.String())
}

func TestATreeTellsTheStoryOfAnArticle(t *testing.T) {
	golden(t, "tree.txt", shoes(t).tree())
}

func TestKeysAreListedWithWhatTheyOpen(t *testing.T) {
	key := func(name string, change func(*v1alpha1.APIKey)) *v1alpha1.APIKey {
		k := &v1alpha1.APIKey{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(started.Add(-50 * time.Hour))}}
		k.Spec = v1alpha1.APIKeySpec{AccountRef: v1alpha1.AccountReference{Name: "acme"}, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}}
		change(k)
		return k
	}
	keys := []*v1alpha1.APIKey{
		key("aa3kq2vxw5ntb6ha", func(k *v1alpha1.APIKey) {
			k.Spec.DisplayName, k.Spec.Workspaces = "newsletter tool", []string{"acme-blog", "acme-shop"}
			k.Spec.ExpirationTime = &v1alpha1.Time{Time: started}
			k.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionReady, Reason: v1alpha1.ReasonExpired}}
		}),
		key("bbbbbbbbbbbbbbbb", func(k *v1alpha1.APIKey) {
			k.Spec.Scopes = append(k.Spec.Scopes, v1alpha1.ScopeApprove)
			k.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionReady, Reason: v1alpha1.ReasonValid}}
		}),
	}
	var out bytes.Buffer
	if err := table.Write(&out, keyColumns, keyRows(keys, started)); err != nil {
		t.Fatal(err)
	}
	golden(t, "keys.txt", out.String())
}
