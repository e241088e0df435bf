package maker_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
)

var mara = maker.Person{Name: "Mara (api-key:aa3kq2vxw5ntb6ha)", ID: "api-key:aa3kq2vxw5ntb6ha"}

func written(markdown string) *v1alpha1.Article {
	return &v1alpha1.Article{Spec: v1alpha1.ArticleSpec{
		Content: &v1alpha1.ArticleContent{Title: "Huts", Markdown: markdown}, Generate: &v1alpha1.GenerateRequest{Keyword: "huts"},
	}}
}

func TestANameStandsForTheTextThatThePersonWroteAlone(t *testing.T) {
	kubectl := func(a *v1alpha1.Article) {
		a.ManagedFields = []metav1.ManagedFieldsEntry{{
			Manager: "kubectl-edit", Operation: metav1.ManagedFieldsOperationUpdate, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:content":{}}}`),
		}}
	}
	for _, tt := range []struct {
		name   string
		change func(*v1alpha1.Article)
		want   *v1alpha1.RevisionMaker
	}{
		{"the text as it was written", func(*v1alpha1.Article) {}, &v1alpha1.RevisionMaker{Name: mara.Name}},
		{"its schedule", func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StagePublished }, &v1alpha1.RevisionMaker{Name: mara.Name}},
		{"another text of an unknown client", func(a *v1alpha1.Article) { a.Spec.Content.Title = "Cabins" }, nil},
		{"another text of kubectl", func(a *v1alpha1.Article) {
			a.Spec.Content.Title = "Cabins"
			kubectl(a)
		}, &v1alpha1.RevisionMaker{Manager: "kubectl-edit"}},
		{"no text of one's own any more", func(a *v1alpha1.Article) { a.Spec.Content = nil }, nil},
		{"a text that was given back", func(a *v1alpha1.Article) { maker.RecordEditor(a, mara, 7) }, &v1alpha1.RevisionMaker{Name: mara.Name, Restored: 7}},
		{"the generated text, which was given back", func(a *v1alpha1.Article) {
			a.Spec.Content = nil
			maker.RecordEditor(a, mara, 1)
		}, &v1alpha1.RevisionMaker{Name: mara.Name, Restored: 1}},
		{"an annotation without a name", func(a *v1alpha1.Article) {
			a.Annotations[v1alpha1.EditedByAnnotation], _, _ = strings.Cut(a.Annotations[v1alpha1.EditedByAnnotation], " ")
		}, nil},
		{"an annotation with a number that is none", func(a *v1alpha1.Article) {
			a.Annotations[v1alpha1.EditedByAnnotation] = strings.Replace(a.Annotations[v1alpha1.EditedByAnnotation], " ", "/-1x ", 1)
		}, &v1alpha1.RevisionMaker{Name: mara.Name}},
	} {
		a := written("One hut.")
		maker.RecordEditor(a, mara, 0)
		tt.change(a)
		cached := a.DeepCopy()
		lifecycle.Strip(cached)
		if diff := cmp.Diff(tt.want, maker.Editor(a)); diff != "" {
			t.Errorf("%s: the maker is not as wanted:\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(maker.Editor(a), maker.Editor(cached)); diff != "" {
			t.Errorf("%s: the maker in a cache is another one:\n%s", tt.name, diff)
		}
	}
}

func TestWhoAskedForATextIsNamedForWhatTheyAskedAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*v1alpha1.Article)
		want   bool
	}{
		"the request":     {func(*v1alpha1.Article) {}, true},
		"an edit":         {func(a *v1alpha1.Article) { a.Spec.Content.Title = "Cabins" }, true},
		"another keyword": {func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "cabins" }, false},
		"another nonce": {func(a *v1alpha1.Article) {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RegenerateAnnotation, "2")
		}, false},
		"no request": {func(a *v1alpha1.Article) { a.Spec.Generate = nil }, false},
	} {
		a := written("One hut.")
		maker.RecordRequester(a, mara)
		tt.change(a)
		if got := maker.Requester(a); (got != nil && got.Name == mara.Name) != tt.want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// A cache replaces longer annotations by their hashes.
func TestANameFitsIntoItsAnnotationOrIsReplacedByAnID(t *testing.T) {
	for name, tt := range map[string]struct {
		person maker.Person
		want   string
	}{
		"a short name":          {mara, mara.Name},
		"a long name":           {maker.Person{Name: strings.Repeat("大", 100), ID: "api-key:k1"}, "api-key:k1"},
		"one of escapes":        {maker.Person{Name: strings.Repeat("<", 60), ID: "api-key:k1"}, "api-key:k1"},
		"no name":               {maker.Person{ID: "api-key:k1"}, "api-key:k1"},
		"nothing that is short": {maker.Person{Name: strings.Repeat("a", 200), ID: strings.Repeat("b", 200)}, ""},
	} {
		a := written("One hut.")
		maker.RecordEditor(a, mara, 0)
		maker.RecordEditor(a, tt.person, 1_000_000_000)
		got := ""
		if by := maker.Editor(a); by != nil {
			got = by.Name
		}
		if got != tt.want || bounds.JSONBytes(a.Annotations[v1alpha1.EditedByAnnotation]) > v1alpha1.MaxNonceBytes {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
