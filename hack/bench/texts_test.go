//go:build e2e

package bench_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

const (
	// textsVariable is the environment variable with the number of written articles; textsSize is its default.
	textsVariable = "PRESSROOM_BENCH_TEXTS"
	textsSize     = 1000
	// textsAtOnce are created before the controller has to have made the revisions of those before.
	textsAtOnce = 500
	// textBytesVariable is the environment variable with the size of the text of each of them; textBytes is its default.
	textBytesVariable = "PRESSROOM_BENCH_TEXT_BYTES"
	textBytes         = 100 << 10
	// textsWorkspace keeps them out of the lists of other benchmarks.
	textsWorkspace = "texts"
	textsSite      = "texts"
)

// BenchmarkMemoryOfTexts measures the resident memory of both programs with many written articles: after all of them have become
// revisions, after a restart, and at the peak of an edit of their Site, which puts all of them into the queue. It measures the restart
// and what is stored, too.
func BenchmarkMemoryOfTexts(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("the memory of a process is read as Linux tells it")
	}
	w, size, length := whole(b), number(b, textsVariable, textsSize), number(b, textBytesVariable, textBytes)
	w.createTextsSite(b)
	for b.Loop() {
		made := 0
		w.awaitIdle(b)
		before, _ := w.requests(b)
		for some := range slices.Chunk(names("text", size), textsAtOnce) {
			inParallel(b, some, func(name string) error { return w.createText(b, name, length) })
			made += len(some)
			w.awaitRevisions(b, before[http.MethodPost], made)
		}
		w.reportMemory(b, "written")
		w.reportStored(b, "text-0", size)
		must(b, w.restart(b, size))
		w.reportMemory(b, "restarted")
		w.editSite(b)
		w.reportMemory(b, "site-edited")
		b.ReportMetric(float64(size), "articles")
	}
}

func (w *bench) createTextsSite(b *testing.B) {
	b.Helper()
	must(b, w.api.Create(b.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: textsWorkspace, Labels: map[string]string{v1alpha1.AccountLabel: "acme"},
	}}))
	must(b, w.api.Create(b.Context(), &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: textsWorkspace, Name: textsSite},
		Spec:       v1alpha1.SiteSpec{Domain: "texts.acme.example", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}},
	}))
}

// createText creates a draft with words of its own, so that nothing is stored once for all.
func (w *bench) createText(b *testing.B, name string, length int) error {
	b.Helper()
	var text strings.Builder
	for text.Len() < length {
		fmt.Fprintf(&text, "Lug %x holds on *any* ground, and heel %x on wet rock.\n\n", rand.Uint64(), rand.Uint64())
	}
	return w.api.Create(b.Context(), &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: textsWorkspace, Name: name},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: textsSite}, Stage: v1alpha1.StageDraft,
			Content: &v1alpha1.ArticleContent{Title: name, Markdown: text.String()},
		},
	})
}

// awaitRevisions waits until the controller has created so many objects more than before: to list the revisions would take long.
func (w *bench) awaitRevisions(b *testing.B, before float64, size int) {
	b.Helper()
	made := func() bool {
		requests, _ := w.requests(b)
		return requests[http.MethodPost]-before >= float64(size)
	}
	await(b, "the revisions", made)
	w.awaitIdle(b)
}

// restart ends both programs and starts them again: the controller until it has looked at every Article, and the facade until it is ready.
func (w *bench) restart(b *testing.B, articles int) error {
	b.Helper()
	if err := errors.Join(w.Controller.Stop(), w.APIServer.Stop()); err != nil {
		return err
	}
	began := time.Now()
	if err := w.StartController(b.Context()); err != nil {
		return err
	}
	await(b, "the controller to look at every Article", func() bool {
		return w.metric(b, `controller_runtime_reconcile_total{controller="article"`) >= float64(articles)
	})
	w.awaitIdle(b)
	reportStart(b, "controller", began, w.Controller)
	began = time.Now()
	var err error
	if w.APIServer, err = w.StartReplica(b.Context(), "pressroom-apiserver", w.Ports); err != nil {
		return err
	}
	reportStart(b, "facade", began, w.APIServer)
	return nil
}

// editSite changes what matters for no article. The peaks start again with it.
func (w *bench) editSite(b *testing.B) {
	b.Helper()
	for _, p := range w.programs() {
		must(b, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.Pid()), []byte("5"), 0o600))
	}
	site := &v1alpha1.Site{}
	must(b, w.api.Get(b.Context(), client.ObjectKey{Namespace: textsWorkspace, Name: textsSite}, site))
	old := site.DeepCopy()
	site.Spec.DisplayName = "Edited"
	must(b, w.api.Patch(b.Context(), site, client.MergeFrom(old)))
	w.awaitIdle(b)
}

func (w *bench) programs() map[string]*process.Process {
	return map[string]*process.Process{"controller": w.Controller, "facade": w.APIServer}
}

// reportMemory reports the resident memory of both programs, now and at its peak.
func (w *bench) reportMemory(b *testing.B, when string) {
	b.Helper()
	for name, p := range w.programs() {
		b.ReportMetric(memoryOf(b, p, "VmRSS:")/mib, when+"-"+name+"-MiB")
		b.ReportMetric(memoryOf(b, p, "VmHWM:")/mib, when+"-"+name+"-peak-MiB")
	}
}
