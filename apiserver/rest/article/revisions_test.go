package article_test

import (
	"net/http"
	"slices"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func numbersOf(list restarticle.ArticleRevisionList) []int64 {
	var out []int64
	for _, r := range list.Data {
		out = append(out, r.Number)
	}
	return out
}

func TestTheKeptRevisionsAreListed(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithRevisions(1, 2, 4, 5, 6)
	var got restarticle.ArticleRevisionList
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions"}, &got)
	want := []int64{6, 5, 4, 1}
	if !slices.Equal(numbersOf(got), want) {
		t.Fatalf("got %v, want %v: the current one, the two before it and the generated text", numbersOf(got), want)
	}
	for i, r := range got.Data {
		if r.Current != (i == 0) {
			t.Errorf("revision %d: current = %t", r.Number, r.Current)
		}
		if r.Digest != operationtest.TextOf(r.Number).Digest() || r.Title != operationtest.TextOf(r.Number).Title {
			t.Errorf("revision %d is %+v", r.Number, r)
		}
		if decided := r.Review != nil; decided != (r.Number == 5) {
			t.Errorf("revision %d has the decision %+v", r.Number, r.Review)
		}
	}
	if got.Data[0].Source != "written" || got.Data[3].Source != "generated" {
		t.Errorf("the sources are %s and %s", got.Data[0].Source, got.Data[3].Source)
	}
}

func TestARevisionHasItsWholeText(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithRevisions(1, 2)
	var got restarticle.ArticleRevision
	for range 3 {
		api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions/1"}, &got)
	}
	if got.Title != "Text 1" || got.Slug != "proposed" || got.ContentMarkdown != "Some *text*." ||
		got.ContentHTML != "<p>Some <em>text</em>.</p>\n" || got.Scores.SEOScore == nil || len(got.Scores.Checks) == 0 {
		t.Errorf("got %+v", got)
	}
	if api.Objects.Reads != 1 {
		t.Errorf("it was read %d times, want once", api.Objects.Reads)
	}
}

func TestARevisionThatIsNotKeptIs404(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithRevisions(1, 2, 3, 4, 5)
	for _, number := range []string{"2", "9", "1000000000"} {
		got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions/" + number})
		if got.Status != http.StatusNotFound {
			t.Errorf("revision %s: got %d: %s", number, got.Status, got.Raw)
		}
	}
	for _, number := range []string{"0", "-1", "x"} {
		operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions/" + number}), "number")
	}
}

// An article that was deleted and created again under its name is another one.
func TestRevisionsOfADeletedArticleOfTheNameAreNotShown(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithRevisions(1, 2)
	for _, rev := range api.Objects.Revisions {
		if rev.Spec.Number == 1 {
			rev.OwnerReferences[0].UID = "another"
		}
	}
	var got restarticle.ArticleRevisionList
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions"}, &got)
	if !slices.Equal(numbersOf(got), []int64{2}) {
		t.Errorf("got %v, want 2 alone", numbersOf(got))
	}
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions/1"}); got.Status != http.StatusNotFound {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestAnArticleWithoutATextHasNoRevisions(t *testing.T) {
	api := operationtest.New(t)
	a := api.Article(nil)
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions"}), `{"success":true,"data":[]}`)
}

// A revision that the index has not seen yet is read anyway.
func TestANewerRevisionThanTheIndexKnowsIsFound(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithRevisions(1)
	next := revision.New(a, operationtest.TextOf(2), revision.Origin{
		Name: identity.RevisionName(a.Name, a.Name, 2), Number: 2, Source: v1alpha1.SourceWritten,
	})
	api.Objects.Revisions[client.ObjectKeyFromObject(next)] = next
	var got restarticle.ArticleRevision
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/revisions/2"}, &got)
	if got.Number != 2 || got.Current {
		t.Errorf("got %+v", got.ArticleRevisionSummary)
	}
}

func TestRestoringARevisionWritesItsTextIntoTheManifest(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	path := "/v1/api/blogs/" + a.Name + "/revisions/"
	api.Into(operationtest.Request{Method: http.MethodPost, Path: path + "2/restore"}, nil)
	c := api.Stored(a).Spec.Content
	if c == nil || c.Title != "Text 2" || c.Slug != "proposed" || c.Markdown != operationtest.TextOf(2).Markdown || c.FAQPolicy != v1alpha1.FAQNone {
		t.Fatalf("the content is %+v, want revision 2", c)
	}
	api.Into(operationtest.Request{Method: http.MethodPost, Path: path + "1/restore"}, nil)
	if c := api.Stored(a).Spec.Content; c != nil {
		t.Errorf("the content is %+v, want none over the generated text", c)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: http.MethodPost, Path: path + "9/restore"}), http.StatusNotFound, problem.CodeNotFound)
}
