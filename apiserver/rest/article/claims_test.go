package article_test

import (
	"net/http"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

const aDigest = "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"

// grounded is an article whose current revision was checked against a brief, with these lines of claims.
func grounded(api *operationtest.API, lines ...string) *v1alpha1.Article {
	a := api.WithRevisions(1, 2)
	name := identity.RevisionName(a.Name, a.Name, 2)
	rev := api.Objects.Revisions[client.ObjectKey{Namespace: a.Namespace, Name: name}]
	rev.Spec.Brief, rev.Spec.Claims = &v1alpha1.RevisionBrief{Name: "trail", Digest: aDigest}, lines
	a.Status.Revision.UnsupportedClaims = new(int32(70))
	api.Indexed(a)
	return a
}

func TestClaimsAreReadFromTheLinesOfTheRevision(t *testing.T) {
	api := operationtest.New(t)
	a := grounded(api,
		"Figure/unsupported §2: 42 percent: A survey found that 42 percent switch.", "Quotation/wrong-source: He said so: Mara: He said so.",
		"Name/other-context §1: Acme: Acme is here.", "no line of a claim",
	)
	var got restarticle.Article
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name, Key: operationtest.ReadOnlyKey}, &got)
	want := []restarticle.Claim{
		{Class: "figure", Result: "unsupported", Section: new(2), Words: "42 percent", Sentence: "A survey found that 42 percent switch."},
		{Class: "quotation", Result: "wrong_source", Words: "He said so", Sentence: "Mara: He said so."},
		{Class: "name", Result: "other_context", Section: new(1), Words: "Acme", Sentence: "Acme is here."},
	}
	if len(got.Claims) != len(want) {
		t.Fatalf("the claims are %+v", got.Claims)
	}
	for i, c := range got.Claims {
		section, wanted := c.Section, want[i].Section
		c.Section, want[i].Section = nil, nil
		if c != want[i] || (section == nil) != (wanted == nil) || section != nil && *section != *wanted || c.Counts() != (i < 2) {
			t.Errorf("claim %d is %+v in section %v", i, c, section)
		}
	}
	if got.Brief == nil || got.Brief.Name != "trail" || got.Brief.Digest != aDigest || got.Brief.UID != nil {
		t.Errorf("the brief is %+v, which does not exist", got.Brief)
	}
	if got.UnsupportedClaims == nil || *got.UnsupportedClaims != 70 {
		t.Errorf("%v claims are not supported", got.UnsupportedClaims)
	}
	api.Brief("trail", v1alpha1.BriefSpec{Facts: []string{"a"}})
	var revision restarticle.ArticleRevision
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions/2"}, &revision)
	if len(revision.Claims) != 3 || revision.Brief == nil || revision.Brief.UID == nil || *revision.Brief.UID != identity.UID(identity.KindBrief, operationtest.Workspace, "trail") {
		t.Errorf("the revision has %+v", revision.Grounding)
	}
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions/1"}, &revision)
	if revision.Brief != nil || len(revision.Claims) > 0 || revision.UnsupportedClaims != nil {
		t.Errorf("a revision without a brief has %+v", revision.Grounding)
	}
}

// What the answer to a write shows without the scope read has no claim of the text.
func TestClaimsNeedTheScopeRead(t *testing.T) {
	api := operationtest.New(t)
	a := grounded(api, "Figure/unsupported §2: 42 percent: A survey found that 42 percent switch.")
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name, Key: operationtest.ScopelessKey}), http.StatusForbidden, problem.CodeInsufficientScope)
}

func TestRegenerateTakesABriefAndInstructions(t *testing.T) {
	trail := identity.UID(identity.KindBrief, operationtest.Workspace, "trail")
	before := v1alpha1.GenerateRequest{Keyword: "k", Instructions: "Short.", BriefRef: &v1alpha1.LocalReference{Name: "winter"}}
	for name, tt := range map[string]struct {
		body, brief, instructions string
	}{
		"no body":          {"", "winter", "Short."},
		"nothing":          {`{}`, "winter", "Short."},
		"another brief":    {`{"brief_uid":"` + trail + `"}`, "trail", "Short."},
		"the site's":       {`{"brief_uid":null}`, "", "Short."},
		"instructions":     {`{"instructions":"Long."}`, "winter", "Long."},
		"no instructions":  {`{"instructions":null}`, "winter", ""},
		"both at the same": {`{"instructions":"Long.","brief_uid":"` + trail + `"}`, "trail", "Long."},
	} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.New(t)
			api.Brief("trail", v1alpha1.BriefSpec{Facts: []string{"a"}})
			a := api.WithPending()
			a.Spec.Content, a.Spec.Generate = nil, before.DeepCopy()
			a.Status.Run.RequestHash = lifecycle.RequestHash(&before)
			api.Indexed(a)
			api.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + a.Name + "/regenerate", Body: tt.body}, nil)
			stored := api.Stored(a)
			got := ""
			if ref := stored.Spec.Generate.BriefRef; ref != nil {
				got = ref.Name
			}
			if got != tt.brief || stored.Spec.Generate.Instructions != tt.instructions || stored.Annotations[v1alpha1.RegenerateAnnotation] == "" {
				t.Errorf("it asks for the brief %q and %q, with the annotations %v", got, stored.Spec.Generate.Instructions, stored.Annotations)
			}
		})
	}
}

func TestRegenerateWithAnUnknownBriefChangesNothing(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	a.Spec.Content = nil
	api.Indexed(a)
	r := operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + a.Name + "/regenerate", Body: `{"brief_uid":"` + operationtest.AnyUID + `"}`}
	operationtest.WantFields(t, api.Do(r), "brief_uid")
	if stored := api.Stored(a); stored.Annotations[v1alpha1.RegenerateAnnotation] != "" {
		t.Errorf("annotations are %v", stored.Annotations)
	}
}
