//go:build e2e

package scale_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

const (
	// Articles are published at this rate, for so long.
	publishRate, publishTime = 20, 30 * time.Second
	// lease is how long the lease of a controller that was killed lasts: the default of controller-runtime.
	lease = 15 * time.Second
	// Scheduled articles are due at this rate from firstDue after their creation begins until dueTime later. The controller is killed
	// killAfter the first of them.
	dueRate, firstDue, dueTime, killAfter = 10, 40 * time.Second, 60 * time.Second, 5 * time.Second
)

// approved is a hand-written article that is approved in its manifest. Its name is its slug.
func approved(name string, i int) *v1alpha1.Article {
	return &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: publisher, Name: name},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: siteName(publisher, i%publisherSites)}, Stage: v1alpha1.StagePublished,
			Content: &v1alpha1.ArticleContent{Title: name, Slug: name, Markdown: textOf(i)},
			Review:  &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara@acme.example"},
		},
	}
}

// measurePublishing measures how long an article takes from the request that creates it until its first byte is at its site, if so many are
// created each second, and before that bare creations at the same rate.
func (w *world) measurePublishing(t *testing.T, of *table) {
	t.Helper()
	const count = publishRate * int(publishTime/time.Second)
	_, bare := atRate(t, count, func(i int) error { return w.bareCreate(t, publisher, i) })
	slugs := names("at-once", count)
	began, _ := atRate(t, count, func(i int) error { return w.api.Create(t.Context(), approved(slugs[i], i)) })
	await(t, "the articles to come", func() bool { return w.receiver.all(slugs) })
	took := make([]time.Duration, count)
	for i, slug := range slugs {
		at, _ := w.receiver.came(slug)
		took[i] = at.Sub(began[i])
	}
	of.addTimes(fmt.Sprintf("publish to first byte, %d a second", publishRate), constant, took)
	of.addTimes(fmt.Sprintf("bare creation, %d a second", publishRate), constant, bare)
}

// atRate does something so often at the rate of publishing, however long it takes, and returns when each began and how long it took.
func atRate(t *testing.T, count int, do func(i int) error) (began []time.Time, took []time.Duration) {
	t.Helper()
	began, took = make([]time.Time, count), make([]time.Duration, count)
	errs := make([]error, count)
	var all sync.WaitGroup
	tick := time.NewTicker(time.Second / publishRate)
	defer tick.Stop()
	for i := range count {
		<-tick.C
		began[i] = time.Now()
		all.Go(func() {
			errs[i] = do(i)
			took[i] = time.Since(began[i])
		})
	}
	all.Wait()
	must(t, errors.Join(errs...))
	return began, took
}

// measureFailover kills the one of two controllers that has the lease, while scheduled articles are due. It measures how long the first
// attempt of any of them came after its time, beyond the lease.
func (w *world) measureFailover(t *testing.T, of *table) {
	t.Helper()
	must(t, w.Controller.Stop())
	w.ControllerArgs = []string{"--leader-elect=true"}
	must(t, w.StartController(t.Context()))
	// It is idle before the other one starts, so it has the lease.
	w.awaitReconciled(t, 1)
	w.awaitIdle(t)
	at, err := ports.Free(t.Context())
	must(t, err)
	standby, err := w.StartControllerAt(t.Context(), "pressroom-controller-standby", at)
	must(t, err)
	const count = dueRate * int(dueTime/time.Second)
	slugs, first := names("due", count), time.Now().Add(firstDue).Truncate(time.Second)
	due := func(i int) time.Time { return first.Add(time.Duration(i/dueRate) * time.Second) }
	number := map[string]int{}
	for i, slug := range slugs {
		number[slug] = i
	}
	must(t, inParallel(slugs, func(slug string) error {
		a := approved(slug, number[slug])
		a.Spec.PublishAfter = new(v1alpha1.NewTime(due(number[slug])))
		return w.api.Create(t.Context(), a)
	}))
	if time.Now().After(first) {
		t.Fatal("the scheduled articles were not created before they were due")
	}
	await(t, "the time of the kill", func() bool { return time.Now().After(first.Add(killAfter)) })
	must(t, w.Controller.Kill())
	await(t, "the articles that were due", func() bool { return w.receiver.all(slugs) })
	longest, began := time.Duration(0), w.firstAttempts(t)
	for i, slug := range slugs {
		at, recorded := began[slug]
		if !recorded {
			t.Fatalf("%s has no attempt in its status", slug)
		}
		longest = max(longest, at.Sub(due(i)))
	}
	of.add("failover: longest wait of what was due, beyond the lease", "s", constant, (longest - lease).Seconds())
	w.follow(standby, at)
}

// firstAttempts returns when the first attempt to publish each article of the publisher was recorded. One that the killed controller had
// recorded counts: its retry has a time of its own.
func (w *world) firstAttempts(t *testing.T) map[string]time.Time {
	t.Helper()
	var list v1alpha1.ArticleList
	must(t, w.api.List(t.Context(), &list, client.InNamespace(publisher)))
	began := map[string]time.Time{}
	for _, a := range list.Items {
		if p := a.Status.Publication; p != nil && len(p.Attempts) > 0 {
			began[a.Name] = p.Attempts[0].StartTime.Time
		}
	}
	return began
}

// follow has another controller be the one that is measured.
func (w *world) follow(controller *process.Process, at ports.Ports) {
	w.Controller, w.Ports.ControllerMetrics, w.Ports.ControllerHealth = controller, at.ControllerMetrics, at.ControllerHealth
}
