package controllers_test

import (
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
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
		got, err := transformOf(o)(o)
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

// transformOf is what the manager's cache does to a kind.
func transformOf(o client.Object) toolscache.TransformFunc {
	options := controllers.CacheOptions("pressroom-system")
	for kind, of := range options.ByObject {
		if _, is := o.(*v1alpha1.Article); is {
			if _, same := kind.(*v1alpha1.Article); same {
				return of.Transform
			}
		}
	}
	return options.DefaultTransform
}
