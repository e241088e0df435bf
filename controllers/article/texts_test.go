package article

import (
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestTheTextThatTheCacheDropsIsRememberedUntilItIsNeeded(t *testing.T) {
	article := func(markdown string) *v1alpha1.Article {
		return &v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{UID: "1"},
			Spec: v1alpha1.ArticleSpec{Content: &v1alpha1.ArticleContent{
				Title: "T", Markdown: markdown, FAQ: []v1alpha1.FAQ{{Question: "Q?", Answer: "A."}},
			}},
		}
	}
	texts := NewTexts()
	strip := func(a *v1alpha1.Article) *v1alpha1.Article {
		for range 2 { // An informer may transform an object again.
			if _, err := texts.Strip(a); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	other := strip(article("One."))
	other.UID = "2"
	inRevision := article("Three.")
	inRevision.Status.Revision = &v1alpha1.CurrentRevision{ContentHash: lifecycle.ContentHash(inRevision.Spec.Content)}
	for _, test := range []struct {
		name string
		of   *v1alpha1.Article
		want *v1alpha1.ArticleContent
	}{
		{"a text", strip(article("One.")), article("One.").Spec.Content},
		{"the text after an edit", strip(article("Two.")), article("Two.").Spec.Content},
		{"a large text", strip(article(strings.Repeat("x", 20_000))), nil},
		{"the text of another article", other, nil},
		{"a text that a revision has", strip(inRevision), nil},
		{"an article without a text", strip(&v1alpha1.Article{}), nil},
	} {
		if got := texts.content(test.of); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s is remembered as %v", test.name, got)
		}
		if got := texts.content(test.of); got != nil {
			t.Errorf("%s is remembered after it was used", test.name)
		}
	}
}
