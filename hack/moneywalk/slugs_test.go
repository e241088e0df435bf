package moneywalk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// The workspaces of a walk over slugs. One is deleted, made again and refused Posts; the other one is never to wait for it.
const (
	changing = "changing"
	steady   = "steady"
)

// TestASlugIsOneArticlesInEveryHistory makes as many histories as TestMoneyIsExactInEveryHistory: articles that all want the same few
// slugs, two controllers at once that are killed, and people who delete what they can.
func TestASlugIsOneArticlesInEveryHistory(t *testing.T) {
	histories, seed, first := number(t, "PRESSROOM_WALKS", defaultHistories), number(t, "PRESSROOM_WALK_SEED", 1), number(t, "PRESSROOM_WALK_FIRST", 0)
	total := map[string]int{}
	for n := first; n < first+histories; n++ {
		synctest.Test(t, func(t *testing.T) {
			w := newSlugWalk(t, uint64(seed), uint64(n))
			w.run()
			for what, times := range w.counts {
				total[what] += times
			}
		})
	}
	t.Logf("%d histories: %v", histories, total)
}

// slugWalk is one history.
type slugWalk struct {
	*walk
	processes [2]*slugProcess
	// origin is the uid of the workspace that an Article was created in, by its uid.
	origin map[types.UID]types.UID
	// sent are the articles that something was sent of, by the uid of their workspace and the slug.
	sent map[string]string
	// refusing means that kube-apiserver refuses Posts in the workspace that changes.
	refusing bool
}

// slugProcess is a controller.
type slugProcess struct {
	*controllertest.Process
	cached, direct *view
	ctx            context.Context
	end            context.CancelFunc
}

func newSlugWalk(t *testing.T, seed, n uint64) *slugWalk {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), internalv1alpha1.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	w := &slugWalk{
		walk: &walk{
			t: t, which: fmt.Sprintf("PRESSROOM_WALK_SEED=%d PRESSROOM_WALK_FIRST=%d PRESSROOM_WALKS=1", seed, n),
			random: rand.New(rand.NewPCG(seed, n)), counts: map[string]int{}, busy: map[string]bool{}, listsLag: true,
		},
		origin: map[types.UID]types.UID{}, sent: map[string]string{},
	}
	w.store = &store{scheme: scheme, objects: map[string]client.Object{}, now: func() metav1.Time { return metav1.NewTime(time.Now().Truncate(time.Second)) }}
	w.store.wrote, w.store.admit = w.wrote, w.admit
	for _, name := range []string{changing, steady} {
		w.createWorkspace(name, "of-"+name)
	}
	for i := range w.processes {
		w.start(i)
	}
	return w
}

// createWorkspace creates one with its Site.
func (w *slugWalk) createWorkspace(name, account string) {
	w.must(w.store.create(testkit.NewWorkspace(name, account)))
	site := newSite()
	site.Namespace, site.Name = name, "site"
	w.must(w.store.create(site))
	w.must(w.store.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: signing.Name}, Data: map[string][]byte{signing.Key: []byte(secret)},
	}))
}

func (w *slugWalk) namespace(name string) *corev1.Namespace {
	ns := &corev1.Namespace{}
	if w.store.get(client.ObjectKey{Name: name}, ns) != nil {
		return nil
	}
	return ns
}

// admit refuses what kube-apiserver would.
func (w *slugWalk) admit(o client.Object) error {
	if o.GetNamespace() == "" {
		return nil
	}
	ns := w.namespace(o.GetNamespace())
	switch _, isPost := o.(*v1alpha1.Post); {
	case ns == nil:
		return apierrors.NewNotFound(resource("Namespace"), o.GetNamespace())
	case !ns.DeletionTimestamp.IsZero():
		err := apierrors.NewForbidden(resource("Post"), o.GetName(), errors.New("the namespace is being terminated"))
		err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
		return err
	case isPost && w.refusing && o.GetNamespace() == changing:
		return apierrors.NewForbidden(resource("Post"), o.GetName(), errors.New("exceeded quota"))
	}
	return nil
}

// wrote notes in which workspace an article was created.
func (w *slugWalk) wrote(old, now client.Object) {
	if a, ok := now.(*v1alpha1.Article); ok && old == nil {
		w.origin[a.UID] = w.namespace(a.Namespace).UID
	}
}

// start starts a controller, in the place of one that was killed.
func (w *slugWalk) start(i int) {
	cached, direct := w.newView(false), w.newView(true)
	indexes := testkit.Indexes{}
	w.must(article.Index(w.t.Context(), indexes))
	w.must(event.Index(w.t.Context(), indexes))
	p := &slugProcess{cached: cached, direct: direct, Process: controllertest.NewProcess(controllertest.ProcessOptions{
		Client: testkit.IndexedClient{Client: cached, Indexes: indexes}, Live: direct, Clock: clock.RealClock{},
		Generator: controllertest.NewGenerator(nil), Limits: inflight.Limits{Total: 3, PerHost: 3},
	})}
	p.Publication.HTTP = &http.Client{Transport: receiverOf{w: w.walk, v: cached, sent: w.received}}
	p.ctx, p.end = context.WithCancel(w.t.Context())
	w.processes[i] = p
	w.views = nil
	for _, p := range w.processes {
		if p != nil {
			w.views = append(w.views, p.cached, p.direct)
		}
	}
}

// restart kills a controller and starts it again, unless it has a claim in a workspace that was made again: it withdraws that, or is
// about to make it.
func (w *slugWalk) restart(i int) {
	p := w.processes[i]
	if slices.ContainsFunc(w.waiting, func(o *op) bool {
		return o.of == p.cached && strings.HasPrefix(o.what, "create Post/"+changing)
	}) || len(w.foreign()) > 0 {
		return
	}
	w.kill(p.cached, p.direct)
	p.end()
	synctest.Wait()
	w.start(i)
}

// received checks that what is sent under a slug is always of the same article.
func (w *slugWalk) received(body []byte) {
	var post struct {
		Slug  string `json:"slug"`
		Title string `json:"title"`
	}
	if err := json.Unmarshal(body, &post); err != nil {
		w.failf("the receiver was sent %q", body)
	}
	w.counts["requests to the receiver"]++
	workspace, article, _ := strings.Cut(post.Title, "/")
	key := workspace + "/" + post.Slug
	if before, ok := w.sent[key]; ok && before != article {
		w.failf("%s was sent of %s, and now of %s", key, before, article)
	}
	w.sent[key] = article
}

// foreign returns the Posts of articles of an earlier workspace of the same name.
func (w *slugWalk) foreign() []string {
	var found []string
	for path, o := range w.store.objects {
		if post, ok := o.(*v1alpha1.Post); ok && w.origin[types.UID(post.Spec.ArticleUID)] != w.namespace(post.Namespace).UID {
			found = append(found, path)
		}
	}
	return found
}

func (w *slugWalk) someArticle() client.ObjectKey {
	names := []string{"a", "b", "c", "d"}
	return client.ObjectKey{Namespace: []string{changing, steady}[w.random.IntN(2)], Name: names[w.random.IntN(len(names))]}
}

// createArticle creates an article whose title names it and its workspace.
func (w *slugWalk) createArticle(key client.ObjectKey) {
	ns := w.namespace(key.Namespace)
	if ns == nil {
		return
	}
	_ = w.store.create(&v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: "site"}, Stage: v1alpha1.StagePublished,
			Content: &v1alpha1.ArticleContent{Title: string(ns.UID) + "/" + key.Name, Slug: w.someSlug(), Markdown: "Text."},
		},
	})
}

func (w *slugWalk) someSlug() string { return []string{"shoes", "boots"}[w.random.IntN(2)] }

// change changes an article, if it exists.
func (w *slugWalk) change(key client.ObjectKey, change func(*v1alpha1.Article)) {
	a := &v1alpha1.Article{}
	if w.store.get(key, a) != nil {
		return
	}
	change(a)
	w.must(w.store.update(a))
}

// remove deletes an object, if it exists.
func (w *slugWalk) remove(o client.Object) { _ = w.store.delete(o) }

// removePost deletes a Post. Somebody who deletes that of an article which is deleted frees the slug.
func (w *slugWalk) removePost() {
	for _, path := range w.paths("Post/") {
		post, _ := w.store.objects[path].(*v1alpha1.Post)
		key := client.ObjectKey{Namespace: post.Namespace, Name: post.Spec.ArticleRef.Name}
		if w.random.IntN(2) > 0 || w.store.get(key, &v1alpha1.Article{}) == nil || len(w.waiting)+len(w.requests) > 0 {
			continue
		}
		delete(w.sent, string(w.namespace(post.Namespace).UID)+"/"+post.Spec.Slug)
		w.remove(post)
		return
	}
}

// paths returns those of some objects, in an order that a history repeats.
func (w *slugWalk) paths(prefix string) []string {
	var found []string
	for path := range w.store.objects {
		if strings.HasPrefix(path, prefix) {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return found
}

// endWorkspace goes on with the deletion of the workspace that changes, an object at a time, and makes it again for another account.
func (w *slugWalk) endWorkspace() {
	ns := w.namespace(changing)
	if ns.DeletionTimestamp.IsZero() {
		now := w.store.now()
		ns.DeletionTimestamp = &now
		w.store.objects["Namespace//"+changing] = ns
		return
	}
	var left []string
	for _, kind := range []string{"Article/", "ArticleRevision/", "Post/", "Site/", "Secret/"} {
		left = append(left, w.paths(kind+changing+"/")...)
	}
	if len(left) > 0 {
		w.remove(w.store.objects[left[w.random.IntN(len(left))]])
		return
	}
	delete(w.store.objects, "Namespace//"+changing)
	w.pass(2 * time.Second) // the times of objects have seconds
	w.createWorkspace(changing, fmt.Sprintf("of-another-%d", w.store.version))
	w.counts["workspaces made again"]++
}

func (w *slugWalk) reconcile(key client.ObjectKey) {
	i := w.random.IntN(len(w.processes))
	p := w.processes[i]
	w.spawn(fmt.Sprintf("article %d %s", i, key), func() {
		_, _ = p.Articles.Reconcile(p.ctx, ctrl.Request{NamespacedName: key})
	})
}

func (w *slugWalk) reconcilePosts(key client.ObjectKey) {
	i := w.random.IntN(len(w.processes))
	p := w.processes[i]
	w.spawn(fmt.Sprintf("posts %d %s", i, key), func() {
		_, _ = p.Posts.Reconcile(p.ctx, ctrl.Request{NamespacedName: key})
	})
}

func (w *slugWalk) rest() {
	w.pass(time.Microsecond)
	for _, p := range w.processes {
		for len(p.Events.Events) > 0 {
			<-p.Events.Events
		}
		for len(p.Notified) > 0 {
			<-p.Notified
		}
	}
	if w.random.IntN(4) == 0 {
		w.store.collect()
	}
}

var slugActions = []action[*slugWalk]{
	{"request goes on", 160, func(w *slugWalk) { w.letGo(proceed) }},
	{"reconcile", 70, func(w *slugWalk) { w.reconcile(w.someArticle()) }},
	{"reconcile posts", 25, func(w *slugWalk) { w.reconcilePosts(w.someArticle()) }},
	{"article created", 25, func(w *slugWalk) { w.createArticle(w.someArticle()) }},
	{"article deleted", 8, func(w *slugWalk) {
		key := w.someArticle()
		w.remove(&v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}})
	}},
	{"another slug", 8, func(w *slugWalk) {
		w.change(w.someArticle(), func(a *v1alpha1.Article) { a.Spec.Content.Slug = w.someSlug() })
	}},
	{"rejected or not", 4, func(w *slugWalk) {
		w.change(w.someArticle(), func(a *v1alpha1.Article) {
			if a.Spec.Stage = v1alpha1.StagePublished; w.random.IntN(2) == 0 {
				a.Spec.Stage = v1alpha1.StageReview
			}
		})
	}},
	{"post deleted", 3, (*slugWalk).removePost},
	{"posts refused or not", 3, func(w *slugWalk) { w.refusing = !w.refusing }},
	{"workspace ends", 9, (*slugWalk).endWorkspace},
	{"receiver accepts", 14, func(w *slugWalk) { w.finish(&w.requests, nil) }},
	{"receiver refuses", 3, func(w *slugWalk) { w.finish(&w.requests, errRefused) }},
	{"receiver's answer is lost", 2, func(w *slugWalk) { w.finish(&w.requests, errors.New("the connection broke")) }},
	{"controller killed", 4, func(w *slugWalk) { w.restart(w.random.IntN(len(w.processes))) }},
	{"seconds pass", 6, func(w *slugWalk) { w.pass(time.Duration(w.random.IntN(20)) * time.Second) }},
}

func (w *slugWalk) run() {
	defer func() {
		w.kill(w.views...)
		for _, p := range w.processes {
			p.end()
		}
		synctest.Wait()
	}()
	if act(w.walk, w, slugActions, w.rest) {
		w.drain()
	}
}

// drain lets everything end that can, in the steady workspace first: it is not to wait for the other one.
func (w *slugWalk) drain() {
	w.notef("drain")
	w.draining, w.refusing = true, true
	w.idle()
	w.goOn()
	w.expectPublished(steady)
	w.refusing = false
	w.goOn()
	if w.namespace(changing).DeletionTimestamp.IsZero() && len(w.paths("Site/"+changing)) > 0 {
		w.expectPublished(changing)
	}
	for _, path := range w.foreign() {
		w.failf("%s is of an article of an earlier workspace", path)
	}
}

// goOn reconciles the articles of both workspaces, by one controller, until all retries are used up. An article that was notified of a free
// slot holds it until it is reconciled.
func (w *slugWalk) goOn() {
	for range 14 {
		for _, workspace := range []string{steady, changing} {
			for _, name := range []string{"a", "b", "c", "d"} {
				key := client.ObjectKey{Namespace: workspace, Name: name}
				for range 3 {
					p := w.processes[0]
					w.spawn("last", func() {
						_, _ = p.Articles.Reconcile(p.ctx, ctrl.Request{NamespacedName: key})
						_, _ = p.Posts.Reconcile(p.ctx, ctrl.Request{NamespacedName: key})
					})
					w.idle()
				}
			}
		}
		w.pass(6 * time.Minute)
	}
}

// idle lets all requests and calls go on until nothing waits.
func (w *slugWalk) idle() {
	for range 10_000 {
		w.rest()
		switch {
		case len(w.waiting) > 0:
			w.letGo(proceed)
		case len(w.requests) > 0:
			w.finish(&w.requests, nil)
		default:
			return
		}
	}
	w.failf("the history does not end")
}

// expectPublished checks that each article of a workspace that is to be published is, under a slug that its Post claims, and that the Post
// has the record of the text that the site has.
func (w *slugWalk) expectPublished(workspace string) {
	for _, path := range w.paths("Article/" + workspace + "/") {
		a, _ := w.store.objects[path].(*v1alpha1.Article)
		p := a.Status.Publication
		switch {
		case a.Spec.Stage != v1alpha1.StagePublished:
			continue
		case p == nil || !lifecycle.Published(a) && p.Cycle.State != v1alpha1.CycleFailed:
			w.failf("%s is not published: %+v", path, a.Status)
			continue
		}
		w.counts["published at the end"]++
		if !slices.ContainsFunc(w.paths("Post/"+workspace+"/"+a.Status.Slug+"-"), func(path string) bool {
			post, _ := w.store.objects[path].(*v1alpha1.Post)
			recorded := slices.ContainsFunc(post.Spec.Records, func(r v1alpha1.PostRecord) bool { return r.Digest == lifecycle.LiveDigest(a) })
			return post.Spec.Slug == a.Status.Slug && post.Spec.ArticleRef.Name == a.Name && post.Spec.State != v1alpha1.PostClaimed &&
				(recorded || !lifecycle.Published(a))
		}) {
			w.failf("%s has the slug %s, and no Post with its record says what became of it", path, a.Status.Slug)
		}
	}
}
