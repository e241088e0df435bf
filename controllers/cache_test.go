package controllers_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/recenttext"
)

// bloated returns metadata of more than a megabyte, as anybody who may write an object can make it.
func bloated() metav1.ObjectMeta {
	meta := metav1.ObjectMeta{
		Annotations: map[string]string{
			corev1.LastAppliedConfigAnnotation: strings.Repeat("x", 100_000), "note": strings.Repeat("x", 100_000),
			v1alpha1.RegenerateAnnotation: strings.Repeat("x", 100_000), v1alpha1.RequestHashAnnotation: "kept",
		},
		Labels:          map[string]string{"team": "words", v1alpha1.GrantLabel: "kept"},
		Finalizers:      []string{"example.com/" + strings.Repeat("x", 500_000)},
		ManagedFields:   []metav1.ManagedFieldsEntry{{Manager: strings.Repeat("kubectl", 100)}},
		OwnerReferences: []metav1.OwnerReference{{Name: strings.Repeat("x", 500_000)}, {UID: "7", Controller: new(true)}},
	}
	for i := range 2000 {
		meta.Annotations[fmt.Sprintf("pressroom.dev/z-%d", i)], meta.Labels[fmt.Sprintf("pressroom.dev/%d", i)] = "x", "x"
	}
	return meta
}

func TestTheCacheHoldsNothingLargeThatDecidesNothing(t *testing.T) {
	ended := v1alpha1.EventDeliveryStatus{FinishTime: new(metav1.NowMicro())}
	for _, o := range []client.Object{
		&v1alpha1.Site{ObjectMeta: bloated()}, &v1alpha1.Post{ObjectMeta: bloated()}, &internalv1alpha1.IdempotencyRecord{ObjectMeta: bloated()},
		&v1alpha1.EventDelivery{ObjectMeta: bloated(), Spec: v1alpha1.EventDeliverySpec{Body: strings.Repeat("x", 10_000)}, Status: ended},
		&v1alpha1.Article{ObjectMeta: bloated(), Spec: v1alpha1.ArticleSpec{Content: &v1alpha1.ArticleContent{
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
		if len(data) > 3000 || !strings.Contains(string(data), `"pressroom.dev/request-hash":"kept"`) {
			t.Errorf("%T: %d bytes are left: %.1000s", o, len(data), data)
		}
		whole, ok := o.DeepCopyObject().(client.Object)
		if !ok {
			t.Fatalf("%T is no object", o)
		}
		whole.SetAnnotations(bloated().Annotations)
		if asked := attempts.Nonce(o, v1alpha1.RegenerateAnnotation); asked != attempts.Nonce(whole, v1alpha1.RegenerateAnnotation) {
			t.Errorf("%T: the nonce is %.100s", o, asked)
		}
	}
}

func TestTheTextThatTheCacheDropsIsKeptUntilARevisionHasIt(t *testing.T) {
	texts := recenttext.New()
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
