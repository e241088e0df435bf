package dashboard_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// benchObjects is a kube-apiserver that has one article and its revision, and counts what is read.
type benchObjects struct {
	client.Client

	article *v1alpha1.Article
	reads   atomic.Int64
}

func (o *benchObjects) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	o.reads.Add(1)
	switch into := into.(type) {
	case *v1alpha1.Article:
		o.article.DeepCopyInto(into)
	case *v1alpha1.ArticleRevision:
		r := o.article.Status.Revision
		into.Namespace, into.Name = key.Namespace, key.Name
		into.OwnerReferences = []metav1.OwnerReference{{UID: o.article.UID, Controller: new(true)}}
		into.Spec = v1alpha1.ArticleRevisionSpec{
			Number: r.Number, Digest: r.Digest, Title: r.Title, Scores: v1alpha1.Scores{SEOScore: r.SEOScore},
			Markdown: strings.Repeat("## Grip\n\nSoft rubber holds on wet rock.\n\n", 200),
		}
	}
	return nil
}

// The page of an article as a stream of live updates makes it: every 15 s, and after each change in its workspace, at most 4 times a
// second. So 100 open pages take 100 times this each time, and as many reads of kube-apiserver.
func BenchmarkOpenPageOfAnArticle(b *testing.B) {
	const articles = 10_000
	objects := &benchObjects{article: benchArticle(articles - 1)}
	handler := benchServerOn(b, articles, clock.RealClock{}, objects, benchPeople{})
	path := "/app/w/w/articles/" + objects.article.Name
	got := httptest.NewRecorder()
	if handler.ServeHTTP(got, benchRequest(b, path)); got.Code != http.StatusOK {
		b.Fatalf("%s: got %d: %s", path, got.Code, got.Body)
	}
	before, pages := objects.reads.Load(), 0
	b.ReportAllocs()
	for b.Loop() {
		handler.ServeHTTP(&nowhere{header: http.Header{}}, benchRequest(b, path))
		pages++
	}
	b.ReportMetric(float64(objects.reads.Load()-before)/float64(pages), "reads/op")
}
