package moneywalk_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func written(r generate.Request) generate.Result {
	return generate.Result{Document: content.Document{Title: "About " + r.Keyword, Markdown: "Text.", Language: "en"}}
}

// action is something that happens, with its weight.
type action struct {
	name   string
	weight int
	do     func(w *walk)
}

var actions = []action{
	{"request goes on", 180, func(w *walk) { w.letGo(proceed) }},
	{"reconcile", 45, func(w *walk) { w.reconcile(w.someName()) }},
	{"reconcile account", 10, (*walk).reconcileAccount},
	{"generate", 10, func(w *walk) { w.generate("") }},
	{"generate with a key", 10, func(w *walk) { w.keys++; w.generate(fmt.Sprintf("k%d", w.keys)) }},
	{"repeat", 12, func(w *walk) {
		if w.keys > 0 {
			w.generate(fmt.Sprintf("k%d", 1+w.random.IntN(w.keys)))
		}
	}},
	{"DELETE", 4, func(w *walk) {
		if name := w.someName(); len(name) == 36 {
			w.ask(w.random.IntN(replicas), "DELETE", "/v1/api/blogs/"+name, "", "")
		}
	}},
	{"kubectl create", 5, func(w *walk) {
		_ = w.store.create(&v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: w.someName()},
			Spec: v1alpha1.ArticleSpec{
				SiteRef: v1alpha1.LocalReference{Name: siteName}, Stage: v1alpha1.StageReview, Generate: &v1alpha1.GenerateRequest{Keyword: "boots"},
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
	{"site deleted", 1, func(w *walk) {
		_ = w.store.delete(newSite())
		w.refreshAll()
	}},
	{"site created", 3, func(w *walk) {
		_ = w.store.create(newSite())
		w.refreshAll()
	}},
	{"secret missing", 2, func(w *walk) {
		w.blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
	}},
	{"secret there", 5, func(w *walk) { w.blocked = nil }},
	{"run succeeds", 12, func(w *walk) { w.finish(nil) }},
	{"run fails", 4, func(w *walk) { w.finish(&generate.Error{Reason: v1alpha1.ReasonRefused, Message: "no"}) }},
	{"run is retried", 4, func(w *walk) {
		w.finish(&generate.Error{Reason: v1alpha1.ReasonTimeout, Retryable: true, Message: "late"})
	}},
	{"run fails for settings", 1, func(w *walk) {
		w.finish(&generate.Error{Reason: v1alpha1.ReasonInvalidAnswer, Settings: true, Message: "a word to avoid"})
	}},
	{"controller killed", 3, func(w *walk) {
		w.kill(w.views[replicas:]...)
		w.startController()
	}},
	{"replica's cache catches up", 5, func(w *walk) { w.refresh(w.random.IntN(replicas)) }},
	{"moments pass", 20, func(w *walk) { w.pass(time.Duration(w.random.IntN(1000)) * time.Millisecond) }},
	{"seconds pass", 6, func(w *walk) { w.pass(time.Duration(w.random.IntN(20)) * time.Second) }},
	{"hours pass", 1, func(w *walk) { w.pass(7 * time.Hour) }},
	{"site suspended or resumed", 2, func(w *walk) {
		site := &v1alpha1.Site{}
		if w.store.get(client.ObjectKey{Namespace: workspace, Name: siteName}, site) == nil {
			old := site.DeepCopy()
			site.Spec.Suspend = !site.Spec.Suspend
			w.must(w.store.patch(site, client.MergeFrom(old), false))
		}
	}},
	{"account suspended or resumed", 2, func(w *walk) {
		a := &v1alpha1.Account{}
		w.must(w.store.get(client.ObjectKey{Name: account}, a))
		old := a.DeepCopy()
		a.Spec.Suspend = !a.Spec.Suspend
		w.must(w.store.patch(a, client.MergeFrom(old), false))
	}},
	{"credits are granted", 1, func(w *walk) {
		a := &v1alpha1.Account{}
		w.must(w.store.get(client.ObjectKey{Name: account}, a))
		old := a.DeepCopy()
		*a.Spec.Credits += 5
		w.must(w.store.patch(a, client.MergeFrom(old), false))
	}},
}

func (w *walk) someName() string { return w.names[w.random.IntN(len(w.names))] }

func (w *walk) refreshAll() {
	for i := range replicas {
		w.refresh(i)
	}
}

func (w *walk) generate(key string) {
	keyword := "shoes"
	if key != "" && w.random.IntN(8) == 0 {
		keyword = "other shoes"
	}
	w.ask(w.random.IntN(replicas), "POST", "/v1/api/generate", key, fmt.Sprintf(`{"site_uid":%q,"keyword":%q}`, siteName, keyword))
}

// edit changes or deletes an article with kubectl.
func (w *walk) edit(change func(*v1alpha1.Article), remove bool) {
	a := &v1alpha1.Article{}
	if w.store.get(client.ObjectKey{Namespace: workspace, Name: w.someName()}, a) != nil || lifecycle.Frozen(a) {
		return
	}
	w.notef("  %s, uid %s", a.Name, a.UID)
	if remove {
		w.must(w.store.delete(a))
		return
	}
	old := a.DeepCopy()
	change(a)
	w.must(w.store.patch(a, client.MergeFrom(old), false))
}

// finish ends a call of the model.
func (w *walk) finish(err error) {
	if len(w.models) == 0 {
		return
	}
	n := w.random.IntN(len(w.models))
	w.models[n].outcome <- err
	w.models = append(w.models[:n], w.models[n+1:]...)
}

func (w *walk) run() {
	total := 0
	for _, a := range actions {
		total += a.weight
	}
	for range steps {
		pick := w.random.IntN(total)
		for _, a := range actions {
			if pick -= a.weight; pick < 0 {
				w.notef("%s", a.name)
				w.counts[a.name]++
				a.do(w)
				break
			}
		}
		w.rest()
		if w.failed {
			return
		}
	}
	w.drain()
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
	for _, a := range w.store.articles() {
		known := false
		for _, name := range w.names {
			known = known || name == a.Name
		}
		if !known {
			w.names = append(w.names, a.Name)
		}
	}
}

// drain lets everything end that can.
func (w *walk) drain() {
	w.notef("drain")
	idle := func() {
		for range 10_000 {
			w.rest()
			switch {
			case len(w.waiting) > 0:
				w.letGo(proceed)
			case len(w.models) > 0:
				w.finish(nil)
			default:
				return
			}
		}
		w.failf("the history does not end")
	}
	for range 12 {
		idle()
		w.reconcileAccount()
		idle()
		for _, name := range w.names {
			for range 3 {
				w.reconcile(name)
				idle()
			}
		}
		w.pass(15 * time.Second)
	}
	idle()
	a := &v1alpha1.Account{}
	w.must(w.store.get(client.ObjectKey{Name: account}, a))
	w.books.close(&a.Status.Usage, w.store.articles())
	w.closeKeys()
}

// closeKeys checks that each key has made one article at most.
func (w *walk) closeKeys() {
	for key, answer := range w.answers {
		again := strings.Contains(answer, `"success":true`)
		if !again {
			w.failf("the key %s was answered %s", key, answer)
		}
	}
}
