package moneywalk_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestOneKeyPaysOnce has two replicas get a request with one Idempotency-Key. The first one stops before each of its requests to
// kube-apiserver in turn. Meanwhile the second one answers, and the article is generated and deleted. Then the first one goes on for
// each number of requests, and is killed; what it has created is reconciled before and after. At last the request is repeated.
func TestOneKeyPaysOnce(t *testing.T) {
	fleet := newFleet(t)
	for _, delayed := range []bool{false, true} {
		for held := 0; ; held++ {
			reached := false
			for more := 0; ; more++ {
				ended := false
				t.Run(fmt.Sprintf("held before %d, killed before %d, delayed %t", held, held+more, delayed), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						w := newWalk(t, fleet, 1, 0, ofMoney)
						defer w.end()
						reached, ended = w.holdOne(held, more, delayed)
					})
				})
				if !reached || ended || t.Failed() {
					break
				}
			}
			if !reached || t.Failed() {
				break
			}
		}
	}
}

// holdOne makes one such history. It reports whether the first replica made so many requests, and whether it answered before it was
// killed. If delayed, each look of the controller at the articles comes with one at the ledger that may end old charges.
func (w *walk) holdOne(held, more int, delayed bool) (reached, ended bool) {
	w.draining = true
	controller := func() {
		if delayed {
			w.pass(20 * time.Second)
			w.reconcileAccount()
			w.runOf(w.controllerViews)
		}
		for range 3 {
			for _, a := range w.store.articles() {
				w.reconcile(a.Name)
				w.runOf(w.controllerViews)
			}
		}
	}
	w.ask(0, "POST", "/v1/api/generate", "k", request)
	for range held {
		if !w.step(w.views[0]) {
			return false, true
		}
	}
	w.ask(1, "POST", "/v1/api/generate", "k", request)
	w.runOf(func(v *view) bool { return v == w.views[1] })
	controller()
	for _, a := range w.store.articles() {
		w.must(w.store.delete(a))
	}
	w.store.collect()
	for range more {
		if ended = !w.step(w.views[0]); ended {
			break
		}
		controller()
	}
	w.restartReplica(0)
	controller()
	w.ask(2, "POST", "/v1/api/generate", "k", request)
	w.rest()
	w.drain()
	return true, ended
}

// request is the body of a request to generate.
var request = fmt.Sprintf(`{"site_uid":%q,"keyword":"shoes"}`, siteKey.Name)

func (w *walk) controllerViews(v *view) bool {
	return v != w.views[0] && v != w.views[1] && v != w.views[2]
}

// step lets one request of a replica go on, and reports whether there was one.
func (w *walk) step(v *view) bool {
	w.rest()
	for i, o := range w.waiting {
		if o.of == v {
			w.waiting = append(w.waiting[:i:i], w.waiting[i+1:]...)
			w.notef("  %s", o.what)
			o.let <- proceed
			w.rest()
			return true
		}
	}
	return false
}

// run1 lets everything of some processes go on, and the model answer.
func (w *walk) runOf(of func(*view) bool) {
	for range 1000 {
		w.rest()
		moved := false
		for _, v := range w.views {
			moved = moved || of(v) && w.step(v)
		}
		if len(w.models) > 0 {
			w.finish(&w.models, nil)
			moved = true
		}
		if !moved {
			return
		}
	}
	w.failf("the processes do not end")
}
