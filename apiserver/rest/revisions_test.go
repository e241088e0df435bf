package rest_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// textOf is the text of a revision with this number in its title.
func textOf(number int64) content.Document {
	return content.Document{Title: "Text " + strconv.FormatInt(number, 10), Slug: "proposed", Markdown: "Some *text*."}
}

// withRevisions is an article whose texts were made under these numbers, each of them kept or dropped as the controller does.
func (api *restAPI) withRevisions(numbers ...int32) *v1alpha1.Article {
	api.t.Helper()
	api.objects.revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{}
	return api.article(func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, By: "Mara", Digest: textOf(5).Digest(), Note: "no"}
		for _, n := range numbers {
			source := v1alpha1.SourceWritten
			if n == numbers[0] {
				source = v1alpha1.SourceGenerated
			}
			rev := revision.New(a, textOf(int64(n)), revision.Origin{
				Name: identity.RevisionName(a.Name, a.Name, n), Number: n, Source: source,
				Scores: revision.Score(textOf(int64(n)), check.Input{}),
			})
			api.objects.revisions[client.ObjectKeyFromObject(rev)] = rev
			record.MakeCurrent(a, v1alpha1.CurrentRevision{
				Name: rev.Name, Number: n, Digest: rev.Spec.Digest, Title: rev.Spec.Title, Source: source,
			})
		}
	})
}

func numbersOf(list restarticle.ArticleRevisionList) []int64 {
	var out []int64
	for _, r := range list.Data {
		out = append(out, r.Number)
	}
	return out
}

func TestTheKeptRevisionsAreListed(t *testing.T) {
	api := newAPI(t)
	a := api.withRevisions(1, 2, 4, 5, 6)
	var got restarticle.ArticleRevisionList
	api.into(request{path: "/v1/api/blogs/" + a.Name + "/revisions"}, &got)
	want := []int64{6, 5, 4, 1}
	if !slices.Equal(numbersOf(got), want) {
		t.Fatalf("got %v, want %v: the current one, the two before it and the generated text", numbersOf(got), want)
	}
	for i, r := range got.Data {
		if r.Current != (i == 0) {
			t.Errorf("revision %d: current = %t", r.Number, r.Current)
		}
		if r.Digest != textOf(r.Number).Digest() || r.Title != textOf(r.Number).Title {
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
	api := newAPI(t)
	a := api.withRevisions(1, 2)
	var got restarticle.ArticleRevision
	for range 3 {
		api.into(request{path: "/v1/api/blogs/" + a.Name + "/revisions/1"}, &got)
	}
	if got.Title != "Text 1" || got.Slug != "proposed" || got.ContentMarkdown != "Some *text*." ||
		got.ContentHTML != "<p>Some <em>text</em>.</p>\n" || got.Scores.SEOScore == nil || len(got.Scores.Checks) == 0 {
		t.Errorf("got %+v", got)
	}
	if api.objects.reads != 1 {
		t.Errorf("it was read %d times, want once", api.objects.reads)
	}
}

func TestARevisionThatIsNotKeptIs404(t *testing.T) {
	api := newAPI(t)
	a := api.withRevisions(1, 2, 3, 4, 5)
	for _, number := range []string{"2", "9", "1000000000"} {
		got := api.do(request{path: "/v1/api/blogs/" + a.Name + "/revisions/" + number})
		if got.Status != http.StatusNotFound {
			t.Errorf("revision %s: got %d: %s", number, got.Status, got.Raw)
		}
	}
	for _, number := range []string{"0", "-1", "x"} {
		wantFields(t, api.do(request{path: "/v1/api/blogs/" + a.Name + "/revisions/" + number}), "number")
	}
}

// An article that was deleted and created again under its name is another one.
func TestRevisionsOfADeletedArticleOfTheNameAreNotShown(t *testing.T) {
	api := newAPI(t)
	a := api.withRevisions(1, 2)
	for _, rev := range api.objects.revisions {
		if rev.Spec.Number == 1 {
			rev.OwnerReferences[0].UID = "another"
		}
	}
	var got restarticle.ArticleRevisionList
	api.into(request{path: "/v1/api/blogs/" + a.Name + "/revisions"}, &got)
	if !slices.Equal(numbersOf(got), []int64{2}) {
		t.Errorf("got %v, want 2 alone", numbersOf(got))
	}
	if got := api.do(request{path: "/v1/api/blogs/" + a.Name + "/revisions/1"}); got.Status != http.StatusNotFound {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestAnArticleWithoutATextHasNoRevisions(t *testing.T) {
	api := newAPI(t)
	a := api.article(nil)
	wantBody(t, api.do(request{path: "/v1/api/blogs/" + a.Name + "/revisions"}), `{"success":true,"data":[]}`)
}

// A revision that the index has not seen yet is read anyway.
func TestANewerRevisionThanTheIndexKnowsIsFound(t *testing.T) {
	api := newAPI(t)
	a := api.withRevisions(1)
	next := revision.New(a, textOf(2), revision.Origin{
		Name: identity.RevisionName(a.Name, a.Name, 2), Number: 2, Source: v1alpha1.SourceWritten,
	})
	api.objects.revisions[client.ObjectKeyFromObject(next)] = next
	var got restarticle.ArticleRevision
	api.into(request{path: "/v1/api/blogs/" + a.Name + "/revisions/2"}, &got)
	if got.Number != 2 || got.Current {
		t.Errorf("got %+v", got.ArticleRevisionSummary)
	}
}
