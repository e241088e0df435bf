package controllers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
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
	ended := v1alpha1.EventDeliveryStatus{FinishTime: new(v1alpha1.NewMicroTime(time.Now()))}
	for _, o := range []client.Object{
		&v1alpha1.Site{ObjectMeta: bloated()}, &v1alpha1.Post{ObjectMeta: bloated()}, &internalv1alpha1.IdempotencyRecord{ObjectMeta: bloated()},
		&v1alpha1.EventDelivery{ObjectMeta: bloated(), Spec: v1alpha1.EventDeliverySpec{Body: strings.Repeat("x", 10_000)}, Status: ended},
		&v1alpha1.Article{ObjectMeta: bloated(), Spec: v1alpha1.ArticleSpec{Content: &v1alpha1.ArticleContent{
			Title: "T", Markdown: strings.Repeat("x", 100_000), FAQ: []v1alpha1.FAQ{{Question: "Q?", Answer: strings.Repeat("x", 5000)}},
		}}},
	} {
		got, err := Transform(o)(o)
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
		if asked := command.Nonce(o, v1alpha1.RegenerateAnnotation); asked != command.Nonce(whole, v1alpha1.RegenerateAnnotation) {
			t.Errorf("%T: the nonce is %.100s", o, asked)
		}
	}
}
