//go:build e2e

package browser_test

import (
	"context"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/browsertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

const (
	statusChanges = 200
	restarts      = 5
)

// describeUpdates measures how soon a status in kube-apiserver is on the pages of two replicas, from before it is written, and how soon a
// page has a stream again, from when its replica has been started again.
func describeUpdates() {
	Describe("Live updates", Label(labelBench), func() {
		It("show a change of a status", func() {
			t := facades.NewTenant("Acme Outdoors")
			uid := t.Generating("trail shoes")
			windows := make([]*window, len(facades.URLs))
			for replica, address := range facades.URLs {
				windows[replica] = &window{Window: browsertest.Open()}
				windows[replica].arrive(address+t.In("articles")+"?status=all", t.Key, "#a-"+uid)
				windows[replica].recordChanges(uid)
			}
			var times []float64
			for n := range statusChanges {
				began := time.Now()
				changeStatus(t, uid, n)
				for _, w := range windows {
					times = append(times, w.changeSeen(n)-float64(began.UnixMicro())/1000)
				}
			}
			report(times, "live", map[int]string{50: "p50", 95: "p95", 100: "max"})
		})

		It("come back after a restart", func() {
			t := facades.NewTenant("Acme Outdoors")
			uid := t.Written("Waits", "A text.")
			replica := facades.StartReplica()
			DeferCleanup(func() { replica.Stop() })
			w := &window{Window: browsertest.Open()}
			w.arrive(replica.URL+t.In("articles"), t.Key, "#a-"+uid)
			w.untilLoaded()
			var times []float64
			for range restarts {
				replica.Stop()
				w.See("#live-state")
				w.Evaluate(`window.back = 0; new MutationObserver(() => { if (document.querySelector("#live-state").hidden) window.back = Date.now() }).`+
					`observe(document.querySelector("#live-state"), {attributes: true}); 0`, nil)
				replica.Start()
				began := time.Now()
				w.Until("window.back > 0")
				var back float64
				w.Evaluate("window.back", &back)
				times = append(times, back-float64(began.UnixMilli()))
			}
			report(times, "stream-back", map[int]string{50: "p50", 100: "max"})
		})
	})
}

// changeStatus writes a status of an article with a message of this number, as a controller does.
func changeStatus(t *dashboardtest.Tenant, uid string, n int) {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(facades.API.Get(context.Background(), client.ObjectKey{Namespace: t.Workspace, Name: uid}, a)).To(Succeed())
	meta.SetStatusCondition(&a.Status.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonGenerating, Message: fmt.Sprintf("change %d.", n),
		ObservedGeneration: a.Generation,
	})
	Expect(facades.API.Status().Update(context.Background(), a)).To(Succeed())
}

// recordChanges has the page note when the row of an article has the message with a number.
func (w *window) recordChanges(uid string) {
	GinkgoHelper()
	w.Evaluate(fmt.Sprintf(`window.seen = {}; new MutationObserver(() => { `+
		`const change = /change (\d+)\./.exec(document.getElementById(%q)?.textContent ?? ""); `+
		`if (change) window.seen[change[1]] ??= performance.timeOrigin + performance.now() }).`+
		`observe(document.body, {childList: true, subtree: true, characterData: true}); 0`, "a-"+uid), nil)
}

// changeSeen returns when the page has had the message with a number, in milliseconds since 1970.
func (w *window) changeSeen(n int) (at float64) {
	GinkgoHelper()
	w.Until(fmt.Sprintf("window.seen[%d] > 0", n))
	w.Evaluate(fmt.Sprintf("window.seen[%d]", n), &at)
	return at
}
