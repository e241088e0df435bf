//go:build e2e

package bench_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

const (
	// benchClaims is the number of claims of a revision, and mostForClaims what they may take of kube-apiserver's heap, in KB.
	benchClaims   = 20
	mostForClaims = 4
)

// BenchmarkClaims measures by how much the claims of a revision enlarge kube-apiserver's heap: the difference between revisions with claims
// and the same ones without. See BenchmarkObjects.
func BenchmarkClaims(b *testing.B) {
	size := number(b, objectsVariable, objectsSize)
	for b.Loop() {
		claims := someClaims()
		without, with := revisionHeap(b, size, nil), revisionHeap(b, size, claims)
		b.Logf("%d claims of %d characters: %.2f KB", len(claims), len([]rune(strings.Join(claims, ""))), with-without)
		b.ReportMetric(float64(size), "objects")
		b.ReportMetric(without, "revision-heap-KB")
		b.ReportMetric(with-without, "claims-heap-KB")
		if with-without > mostForClaims {
			b.Errorf("%d claims take %.1f KB of kube-apiserver's heap, want at most %d", len(claims), with-without, mostForClaims)
		}
	}
}

// someClaims are lines as revisions have them, of each class in turn.
func someClaims() []string {
	sentences := []struct {
		class           ground.Class
		words, sentence string
	}{
		{ground.Figure, "87 percent", "A survey found that 87 percent of runners switch shoes each season."},
		{ground.Name, "Urs Keller", "The hut keeper Urs Keller counts them every evening from his window."},
		{ground.Quotation, "nobody should buy a shoe without a walk", `He says that "nobody should buy a shoe without a walk" on wet rock.`},
		{ground.Address, "www.example.org/soles", "You find the whole list at www.example.org/soles, with prices."},
		{ground.Study, "Studies show", "Studies show that most people compare three pairs before they choose."},
	}
	claims := make([]ground.Claim, 0, benchClaims)
	for n := range benchClaims {
		s := sentences[n%len(sentences)]
		claims = append(claims, ground.Claim{Class: s.class, Result: ground.Unsupported, Section: n / 4, Words: s.words, Sentence: s.sentence})
	}
	return ground.Lines(claims, v1alpha1.MaxClaims)
}

// revisionHeap returns how much of kube-apiserver's heap a revision takes, in KB, on a control plane of its own.
func revisionHeap(b *testing.B, size int, claims []string) float64 {
	b.Helper()
	w, err := startIn(b.Context(), b.TempDir())
	b.Cleanup(func() { must(b, w.Stop()) })
	must(b, err)
	must(b, errors.Join(w.Controller.Stop(), w.APIServer.Stop()))
	inParallel(b, names("revision", size), func(name string) error {
		return w.api.Create(b.Context(), &v1alpha1.ArticleRevision{
			ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: name},
			Spec: v1alpha1.ArticleRevisionSpec{
				ArticleRef: v1alpha1.LocalReference{Name: objectsArticle}, Number: 1, Source: v1alpha1.SourceWritten,
				Digest: "sha256:" + strings.Repeat("0", 64), Title: fmt.Sprintf("Shoes %s", name), Markdown: "Run far.", Scores: v1alpha1.Scores{SEOScore: 50}, Claims: claims,
			},
		})
	})
	must(b, w.Stop())
	w.Group, err = process.NewGroup()
	must(b, err)
	w.Cluster, err = cluster.Start(b.Context(), cluster.Options{Root: w.Root, Folder: w.Folder, Ports: w.Ports, Group: w.Group, Say: w.Say})
	must(b, err)
	http, err := rest.HTTPClientFor(w.Cluster.Config())
	must(b, err)
	w.fill(b, http, "eventsubscriptions")
	before := w.heap(b, http)
	w.fill(b, http, "articlerevisions")
	each := (w.heap(b, http) - before) / float64(size) / 1000
	must(b, w.Stop())
	return each
}
