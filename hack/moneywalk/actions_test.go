package moneywalk_test

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// action is something that happens in a walk of a kind, with its weight.
type action[W any] struct {
	name   string
	weight int
	do     func(W)
}

// act does actions at random, and rests after each, until there were enough or one has failed. It reports whether none has.
func act[W any](w *walk, of W, actions []action[W], rest func()) bool {
	total := 0
	for _, a := range actions {
		total += a.weight
	}
	for range w.steps() {
		pick := w.random.IntN(total)
		for _, a := range actions {
			if pick -= a.weight; pick < 0 {
				w.notef("%s", a.name)
				w.counts[a.name]++
				a.do(of)
				break
			}
		}
		rest()
		if w.failed {
			return false
		}
	}
	return true
}

// steps of one history. An update takes many.
func (w *walk) steps() int {
	switch {
	case w.stepsOf > 0:
		return w.stepsOf
	case w.updates:
		return 5 * steps
	default:
		return steps
	}
}

var actions = []action[*walk]{
	{"request goes on", 180, func(w *walk) { w.letGo(proceed) }},
	{"reconcile", 45, func(w *walk) { w.reconcile(w.someName()) }},
	{"reconcile account", 10, (*walk).reconcileAccount},
	{"dispatch events", 6, func(w *walk) { w.dispatch(w.someName()) }},
	{"deliver an event", 8, (*walk).deliverOne},
	{"generate", 10, func(w *walk) { w.generate("") }},
	{"generate with a key", 10, func(w *walk) { w.keys++; w.generate(fmt.Sprintf("k%d", w.keys)) }},
	{"repeat", 12, func(w *walk) {
		if w.keys > 0 {
			w.generate(fmt.Sprintf("k%d", 1+w.random.IntN(w.keys)))
		}
	}},
	{"two requests with one key", 8, func(w *walk) { w.keys++; w.generateTwice(fmt.Sprintf("k%d", w.keys)) }},
	{"deleted while a request with its key waits", 12, (*walk).deleteBefore},
	{"replica killed", 4, func(w *walk) { w.restartReplica(w.random.IntN(replicas)) }},
	{"form that generates", 6, (*walk).generateByForm},
	{"form that generates again", 8, (*walk).regenerateByForm},
	{"form sent again", 20, (*walk).sendAgain},
	{"limits are changed", 3, (*walk).changeLimits},
	{"DELETE", 4, func(w *walk) { w.change("DELETE", "", "") }},
	{"PATCH of the text", 4, func(w *walk) { w.change("PATCH", "", `{"title": "Own", "content_markdown": "Own text."}`) }},
	{"PATCH of the keyword", 3, func(w *walk) {
		w.change("PATCH", "", fmt.Sprintf(`{"target_keyword": "keyword %d"}`, w.random.IntN(3)))
	}},
	{"POST regenerate", 3, func(w *walk) { w.change("POST", "/regenerate", "") }},
	{"POST archive", 2, func(w *walk) { w.change("POST", "/archive", "") }},
	{"POST publish", 4, func(w *walk) { w.change("POST", "/publish", "") }},
	{"kubectl create", 5, func(w *walk) {
		_ = w.store.create(&v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: w.someName()},
			Spec: v1alpha1.ArticleSpec{
				SiteRef: v1alpha1.LocalReference{Name: siteKey.Name}, Stage: v1alpha1.StageReview, Generate: &v1alpha1.GenerateRequest{Keyword: "boots"},
			},
		})
	}},
	{"kubectl delete", 6, func(w *walk) {
		w.edit(func(a *v1alpha1.Article) {}, true)
	}},
	{"own text", 4, func(w *walk) {
		w.edit(func(a *v1alpha1.Article) {
			a.Spec.Content = &v1alpha1.ArticleContent{Title: "Own", Markdown: "Own text."}
		}, false)
	}},
	{"another own text", 6, func(w *walk) {
		w.edit(func(a *v1alpha1.Article) {
			a.Spec.Content = &v1alpha1.ArticleContent{Title: "Own", Markdown: fmt.Sprintf("Own text %d.", w.random.IntN(4))}
		}, false)
	}},
	{"approve", 12, func(w *walk) { w.decide(v1alpha1.DecisionApproved) }},
	{"reject", 3, func(w *walk) { w.decide(v1alpha1.DecisionRejected) }},
	{"redeliver", 2, func(w *walk) {
		w.edit(func(a *v1alpha1.Article) {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RedeliverAnnotation, strconv.Itoa(w.random.IntN(1000)))
		}, false)
	}},
	{"no own text", 3, func(w *walk) { w.edit(func(a *v1alpha1.Article) { a.Spec.Content = nil }, false) }},
	{"regenerate", 4, func(w *walk) {
		w.edit(func(a *v1alpha1.Article) {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RegenerateAnnotation, strconv.Itoa(w.random.IntN(1000)))
		}, false)
	}},
	{"other keyword", 3, func(w *walk) {
		w.edit(func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = fmt.Sprintf("keyword %d", w.random.IntN(3)) }, false)
	}},
	{"archive", 3, func(w *walk) { w.edit(func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageArchived }, false) }},
	{"bring back", 3, func(w *walk) { w.edit(func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageReview }, false) }},
	{"publish", 8, func(w *walk) { w.edit(func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StagePublished }, false) }},
	{"site deleted", 1, func(w *walk) {
		_ = w.store.delete(newSite())
		w.siteChanged()
		w.refreshAll()
	}},
	{"site created", 3, func(w *walk) {
		if w.store.create(w.newSite()) == nil {
			w.siteChanged()
			w.refreshAll()
		}
	}},
	{"secret missing", 2, func(w *walk) {
		w.blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
	}},
	{"secret there", 5, func(w *walk) { w.blocked = nil }},
	{"run succeeds", 12, func(w *walk) { w.finish(&w.models, nil) }},
	{"run fails", 4, func(w *walk) { w.finish(&w.models, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "no"}) }},
	{"run is retried", 4, func(w *walk) {
		w.finish(&w.models, &generate.Error{Reason: v1alpha1.ReasonTimeout, Retryable: true, Message: "late"})
	}},
	{"run fails for settings", 1, func(w *walk) {
		w.finish(&w.models, &generate.Error{Reason: v1alpha1.ReasonInvalidAnswer, Settings: true, Message: "a word to avoid"})
	}},
	{"receiver accepts", 8, func(w *walk) { w.finish(&w.requests, nil) }},
	{"receiver refuses", 2, func(w *walk) { w.finish(&w.requests, errRefused) }},
	{"receiver's answer is lost", 1, func(w *walk) { w.finish(&w.requests, errors.New("the connection broke")) }},
	{"controller killed", 3, (*walk).restartController},
	{"controller stopped", 3, (*walk).stopController},
	{"replica's cache catches up", 5, func(w *walk) { w.refresh(w.random.IntN(replicas)) }},
	{"moments pass", 20, func(w *walk) { w.pass(time.Duration(w.random.IntN(1000)) * time.Millisecond) }},
	{"seconds pass", 6, func(w *walk) { w.pass(time.Duration(w.random.IntN(20)) * time.Second) }},
	{"hours pass", 1, func(w *walk) { w.pass(7 * time.Hour) }},
	{"site suspended or resumed", 2, func(w *walk) { w.suspendSite(!w.suspension.site) }},
	{"account suspended or resumed", 2, func(w *walk) { w.suspendAccount(!w.suspension.account) }},
	{"installation suspended or resumed", 1, func(w *walk) { w.suspendInstallation(!w.suspension.installation) }},
	{"account made again", 1, (*walk).makeAccountAgain},
	{"credits are granted", 1, func(w *walk) { w.editAccount(func(a *v1alpha1.Account) { *a.Spec.Credits += 5 }) }},
}

func (w *walk) someName() string { return w.names[w.random.IntN(len(w.names))] }

// edit changes or deletes an article with kubectl, also one that is published or on its way.
func (w *walk) edit(change func(*v1alpha1.Article), remove bool) {
	a := &v1alpha1.Article{}
	if w.store.get(client.ObjectKey{Namespace: workspace, Name: w.someName()}, a) != nil {
		return
	}
	w.notef("  %s, uid %s", a.Name, a.UID)
	if remove {
		w.must(w.store.delete(a))
		return
	}
	change(a)
	w.must(w.store.update(a))
}

// editAccount changes the account with kubectl.
func (w *walk) editAccount(change func(*v1alpha1.Account)) {
	a := &v1alpha1.Account{}
	w.must(w.store.get(client.ObjectKey{Name: account}, a))
	change(a)
	w.must(w.store.update(a))
}

// makeAccountAgain deletes the account and makes it again: from its manifest, or from a backup.
func (w *walk) makeAccountAgain() {
	a := &v1alpha1.Account{}
	w.must(w.store.get(client.ObjectKey{Name: account}, a))
	w.must(w.store.delete(a))
	again := &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: account}, Spec: a.Spec}
	if w.random.IntN(2) == 0 {
		again.Annotations = a.Annotations
	}
	w.must(w.store.create(again))
}

func (w *walk) run() {
	if w.spending != nil {
		w.spending.run()
		return
	}
	chosen := actions
	switch {
	case w.blog != nil:
		chosen = unpublishActions()
	case w.updates:
		chosen = updateActions()
	}
	if act(w, w, chosen, w.rest) {
		w.drain()
	}
}

// rest waits until nothing can go on by itself.
func (w *walk) rest() {
	// No two charges are made at the same time: the books tell them apart by it.
	w.pass(time.Microsecond)
	for len(w.controller.Events.Events) > 0 {
		<-w.controller.Events.Events
	}
	for len(w.controller.Notified) > 0 {
		<-w.controller.Notified
	}
	if w.random.IntN(4) == 0 {
		w.store.collect()
	}
}

// drain lets everything end that can.
func (w *walk) drain() {
	w.notef("drain")
	w.resume()
	w.draining = true
	for round := range 20 {
		version := w.store.version
		w.idle()
		w.reconcileAccount()
		w.idle()
		for _, a := range w.store.articles() {
			for range 2 {
				w.reconcile(a.Name)
				w.idle()
			}
			w.dispatch(a.Name)
			w.idle()
		}
		for _, name := range w.deliveries() {
			w.deliver(name)
			w.idle()
		}
		w.pass(15 * time.Second)
		if round > 4 {
			w.pass(20 * time.Minute)
		}
		if round > 6 && w.store.version == version {
			break
		}
	}
	w.idle()
	l, a := &v1alpha1.AccountLedger{}, &v1alpha1.Account{}
	w.must(w.store.get(client.ObjectKey{Name: account}, l))
	w.must(w.store.get(client.ObjectKey{Name: account}, a))
	w.books.close(&l.Spec, w.store.articles())
	if shown := a.Status.CreditsUsed; shown == nil || *shown != l.Spec.CreditsUsed {
		w.failf("the account shows %v credits used, its ledger has %d", shown, l.Spec.CreditsUsed)
	}
	w.checkDone()
	if w.updates {
		w.checkRecords()
	}
	if w.blog != nil {
		w.blog.check()
		return
	}
	w.checkMirror()
}

// idle lets all requests and calls go on until nothing waits.
func (w *walk) idle() {
	for range 10_000 {
		w.rest()
		switch {
		case len(w.waiting) > 0:
			w.letGo(proceed)
		case len(w.models) > 0:
			w.finish(&w.models, nil)
		case len(w.requests) > 0:
			w.finish(&w.requests, nil)
		default:
			return
		}
	}
	w.failf("the history does not end")
}
