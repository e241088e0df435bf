package controllers_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestTheCacheHoldsNothingLargeThatDecidesNothing(t *testing.T) {
	meta := metav1.ObjectMeta{
		Annotations:   map[string]string{corev1.LastAppliedConfigAnnotation: strings.Repeat("x", 100_000), "kept": "yes"},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: strings.Repeat("kubectl", 100)}},
	}
	for _, o := range []client.Object{
		&v1alpha1.Site{ObjectMeta: *meta.DeepCopy()}, &v1alpha1.EventDelivery{ObjectMeta: *meta.DeepCopy()},
		&v1alpha1.Article{ObjectMeta: *meta.DeepCopy(), Spec: v1alpha1.ArticleSpec{Content: &v1alpha1.ArticleContent{
			Title: "T", Markdown: strings.Repeat("x", 100_000), FAQ: []v1alpha1.FAQ{{Question: "Q?", Answer: strings.Repeat("x", 5000)}},
		}}},
	} {
		got, err := Transform(o, nil)(o)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 1000 || !strings.Contains(string(data), `"kept":"yes"`) {
			t.Errorf("%T: %d bytes are left: %.1000s", o, len(data), data)
		}
	}
}

func TestTheTextThatTheCacheDropsIsKeptUntilARevisionHasIt(t *testing.T) {
	texts := article.NewTexts()
	article := func(markdown string) *v1alpha1.Article {
		return &v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{UID: "1"},
			Spec: v1alpha1.ArticleSpec{Content: &v1alpha1.ArticleContent{
				Title: "T", Markdown: markdown, FAQ: []v1alpha1.FAQ{{Question: "Q?", Answer: "A."}},
			}},
		}
	}
	strip := func(a *v1alpha1.Article) *v1alpha1.Article {
		if _, err := Transform(a, texts)(a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	first, second, large := strip(article("One.")), strip(article("Two.")), strip(article(strings.Repeat("x", 20_000)))
	if got := texts.Of(first); !reflect.DeepEqual(got, article("One.").Spec.Content) {
		t.Errorf("the text is %v", got)
	}
	if got := texts.Of(second); !reflect.DeepEqual(got, article("Two.").Spec.Content) {
		t.Errorf("after an edit the text is %v", got)
	}
	if got := texts.Of(large); got != nil {
		t.Errorf("a text of 20,000 bytes is kept")
	}
	other := strip(article("One."))
	other.UID = "2"
	if got := texts.Of(other); got != nil {
		t.Errorf("the text of another article is %v", got)
	}

	written := article("Three.")
	written.Status.Revision = &v1alpha1.CurrentRevision{ContentHash: lifecycle.ContentHash(written.Spec.Content)}
	if got := texts.Of(strip(written)); got != nil {
		t.Errorf("a text that is in a revision is kept: %v", got)
	}
}
