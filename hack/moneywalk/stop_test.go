package moneywalk_test

import (
	"testing/synctest"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// stopController stops the controller as its manager does, and starts it again. kube-apiserver has some of the requests that nobody
// waits for any more. No attempt of the process is left in progress.
func (w *walk) stopController() {
	for _, o := range w.waiting {
		o.made = w.random.IntN(2) == 0
	}
	w.stop()
	synctest.Wait()
	p := w.controller
	drainer := controllers.Drainer{
		Articles: p.Articles, Events: p.EventDeliveries, Sites: p.Sites, Accounts: p.Accounts, Wait: 35 * time.Second, Record: 5 * time.Second,
	}
	w.spawn("drainer", func() { w.must(drainer.Start(w.running)) })
	w.awaitStop()
	w.checkStopped(p.Generation.Holder)
	w.restartController()
}

// awaitStop lets the requests of the controller go on until it has stopped, and receivers accept.
func (w *walk) awaitStop() {
	for range 10_000 {
		w.rest()
		stopping := w.isBusy("drainer")
		switch {
		case w.step(w.views[replicas]), w.step(w.views[replicas+1]):
		case !stopping:
			return
		case len(w.requests) > 0:
			w.finish(&w.requests, nil)
		default:
			w.pass(time.Second)
		}
	}
	w.failf("the controller does not stop")
}

// checkStopped checks that no attempt of a process that has stopped is left in progress, but of runs whose text needs the site that is
// gone.
func (w *walk) checkStopped(holder string) {
	gone := w.store.get(siteKey, &v1alpha1.Site{}) != nil
	for _, a := range w.store.articles() {
		if lifecycle.MakingOf(a, nil) == lifecycle.RunInProgress && a.Status.Run.Holder == holder && !gone {
			w.failf("a run of %s, uid %s, was in progress when the controller had stopped", a.Name, a.UID)
		}
		if attemptInProgress(a) != "" && cycles.InProgress(&a.Status.Publication.DeliveryRecord).Holder == holder {
			w.failf("%s, uid %s, was being sent when the controller had stopped", a.Name, a.UID)
		}
	}
}

// change has a replica change an article that the facade has created.
func (w *walk) change(method, suffix, body string) {
	if name := w.someName(); len(name) == 36 {
		w.ask(w.random.IntN(replicas), method, "/v1/api/blogs/"+name+suffix, "", body)
	}
}
