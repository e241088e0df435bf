package kube_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
)

// oneArticle is a kube-apiserver that has an article with a text, and accepts every patch of it.
type oneArticle struct{ client.Client }

func (oneArticle) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	a, ok := into.(*v1alpha1.Article)
	if !ok {
		return nil
	}
	a.ObjectMeta = metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name, ResourceVersion: "7"}
	a.Spec.Content = &v1alpha1.ArticleContent{Title: "Shoes", Markdown: strings.Repeat("Soft rubber holds on wet rock.\n\n", 600)}
	return nil
}

func (oneArticle) Patch(_ context.Context, o client.Object, patch client.Patch, _ ...client.PatchOption) error {
	data, err := patch.Data(o)
	if err == nil && !json.Valid(data) {
		panic("the patch is no JSON")
	}
	return err
}

// What a change of an article with a text of 19 KB costs beside the requests to kube-apiserver.
func BenchmarkChange(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, err := kube.Change(b.Context(), oneArticle{}, client.ObjectKey{Namespace: "w", Name: "a"}, func(a *v1alpha1.Article) error {
			a.Spec.Stage = v1alpha1.StagePublished
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
