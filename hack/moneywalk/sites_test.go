package moneywalk_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// TestStatusSaysWhatTheSiteHas makes as many histories as TestMoneyIsExactInEveryHistory: articles at sites that store a post and answer
// that they have not, or that do not answer, two controllers of which one is held up or killed, and people who change what they can. At the
// end, each site has what status says, or status says that it does not know.
func TestStatusSaysWhatTheSiteHas(t *testing.T) {
	histories, seed, first := number(t, "PRESSROOM_WALKS", defaultHistories), number(t, "PRESSROOM_WALK_SEED", 1), number(t, "PRESSROOM_WALK_FIRST", 0)
	total := map[string]int{}
	for n := first; n < first+histories; n++ {
		synctest.Test(t, func(t *testing.T) {
			w := newSiteWalk(t, uint64(seed), uint64(n))
			w.run()
			for what, times := range w.counts {
				total[what] += times
			}
		})
	}
	t.Logf("%d histories from seed %d, number %d: %v", histories, seed, first, total)
}

// siteWalk is one history.
type siteWalk struct {
	*walk
	// leader holds the lease; heldUp held it before, and is nil or about to find out.
	leader, heldUp *siteProcess
	sites          siteContents
	// titles of texts, by digest, and those that were approved. No two texts of a history have the same title.
	titles   map[string]string
	approved map[string]bool
	// automatic are the articles whose Site had the policy Automatic when they were last reconciled, by any process that goes on.
	automatic map[string]bool
}

// siteProcess is a controller.
type siteProcess struct {
	*controllertest.Process
	cached, direct *view
	ctx            context.Context
	end            context.CancelFunc
	// heldUp is when the process was held up; zero if it goes on.
	heldUp time.Time
}

func (p *siteProcess) renewed() time.Time {
	if !p.heldUp.IsZero() {
		return p.heldUp
	}
	return time.Now()
}

func newSiteWalk(t *testing.T, seed, n uint64) *siteWalk {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), internalv1alpha1.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	w := &siteWalk{
		walk: &walk{
			t: t, which: fmt.Sprintf("PRESSROOM_WALK_SEED=%d PRESSROOM_WALK_FIRST=%d PRESSROOM_WALKS=1", seed, n),
			random: rand.New(rand.NewPCG(seed, n)), counts: map[string]int{}, busy: map[string]bool{}, names: []string{"boots", "shoes"},
		},
		titles: map[string]string{}, approved: map[string]bool{}, automatic: map[string]bool{},
	}
	w.posts = posts{w: w.walk, approved: map[string]bool{}}
	w.store = &store{scheme: scheme, objects: map[string]client.Object{}, now: func() metav1.Time { return metav1.NewTime(time.Now().Truncate(time.Second)) }}
	w.store.wrote, w.stepsOf = w.wrote, 4*steps
	w.sites = newSiteContents(w.random.IntN(2) == 0, blogPassword(n))
	w.must(w.store.create(testkit.NewWorkspace(workspace, account)))
	w.must(w.store.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: signing.Name}, Data: map[string][]byte{
		signing.Key: []byte(secret), "username": []byte(blogUser), "password": []byte(blogPassword(n)),
	}}))
	site := newSite()
	site.Spec.Review.Policy, site.Spec.Publishing.Updates = v1alpha1.ReviewManual, v1alpha1.UpdatesReviewed
	site.Spec.CMS = w.sites.connection(w.random.IntN(2))
	w.must(w.store.create(site))
	w.startLeader()
	return w
}

// startLeader starts a process that holds the lease.
func (w *siteWalk) startLeader() {
	cached, direct := w.newView(false), w.newView(true)
	indexes := testkit.Indexes{}
	w.must(article.Index(w.t.Context(), indexes))
	w.must(event.Index(w.t.Context(), indexes))
	p := &siteProcess{cached: cached, direct: direct}
	p.Process = controllertest.NewProcess(controllertest.ProcessOptions{
		Client: testkit.IndexedClient{Client: cached, Indexes: indexes}, Live: direct, Clock: clock.RealClock{},
		Generator: controllertest.NewGenerator(nil), Limits: inflight.Limits{Total: 3, PerHost: 3}, Renewed: p.renewed,
	})
	p.Publication.HTTP = &http.Client{Transport: &fence.Transport{Next: siteOf{w: w, v: cached}, Renewed: p.renewed, Clock: clock.RealClock{}}}
	p.ctx, p.end = context.WithCancel(w.t.Context())
	w.leader, w.process = p, cached
}

// killLeader kills the leader and starts another one.
func (w *siteWalk) killLeader() {
	w.endProcess(w.leader)
	w.startLeader()
}

func (w *siteWalk) endProcess(p *siteProcess) {
	w.kill(p.cached, p.direct)
	w.resumeProcess(p)
	p.end()
	synctest.Wait()
}

// holdUp stops the leader as SIGSTOP does, until another process leads; then it goes on for a while. Only one is held up at a time.
func (w *siteWalk) holdUp() {
	if w.heldUp != nil {
		return
	}
	w.heldUp = w.leader
	w.heldUp.heldUp = time.Now()
	w.must(w.locked(func() error {
		w.heldUp.cached.frozen = make(chan struct{})
		w.heldUp.direct.frozen = w.heldUp.cached.frozen
		return nil
	}))
	w.pass(16 * time.Second)
	w.startLeader()
}

func (w *siteWalk) resumeProcess(p *siteProcess) {
	w.must(w.locked(func() error {
		if p.cached.frozen != nil {
			close(p.cached.frozen)
			p.cached.frozen, p.direct.frozen = nil, nil
		}
		return nil
	}))
	synctest.Wait()
}

// goesOn has the process that was held up go on, or end because it has lost the lease.
func (w *siteWalk) goesOn() {
	switch {
	case w.heldUp == nil:
	case w.heldUp.cached.frozen != nil:
		w.resumeProcess(w.heldUp)
	default:
		w.endProcess(w.heldUp)
		w.heldUp = nil
	}
}

// wrote remembers the title of each revision, and the titles that were approved.
func (w *siteWalk) wrote(_, now client.Object) {
	switch is := now.(type) {
	case *v1alpha1.Post:
		w.notef("    Post %s is %s: %s", is.Name, is.Spec.State, w.titles[is.Spec.Revision.Digest])
	case *v1alpha1.ArticleRevision:
		w.titles[is.Spec.Digest] = is.Spec.Title
	case *v1alpha1.Article:
		w.notef("    %s", w.summary(is))
		if sent := beingSent(is); w.automatic[is.Name] && sent != nil {
			w.approved[w.titles[sent.Digest]] = true
		}
		r := is.Spec.Review
		switch {
		case r == nil || r.Decision != v1alpha1.DecisionApproved:
		case r.Digest != "":
			w.approved[w.titles[r.Digest]] = true
		case is.Spec.Content != nil:
			w.approved[is.Spec.Content.Title] = true
		}
	}
}

// beingSent returns the revision that an attempt in progress sends, or that a site may pull.
func beingSent(a *v1alpha1.Article) *v1alpha1.PublicationRevision {
	switch c := lifecycle.CycleOf(a); {
	case a.Status.Publication != nil && a.Status.Publication.Cycle == nil:
		return lifecycle.Have(a).Revision
	case c.State == v1alpha1.CycleInProgress:
		return c.Revision
	default:
		return nil
	}
}

// summary says what an article is about, for the trace.
func (w *siteWalk) summary(a *v1alpha1.Article) string {
	text := func(r *v1alpha1.PublicationRevision) string {
		if r == nil {
			return "nothing"
		}
		return w.titles[r.Digest]
	}
	have, c := lifecycle.Have(a), lifecycle.CycleOf(a)
	said := fmt.Sprintf("%s %s: has %s %s at %q", a.Name, a.Spec.Stage, have.State, text(have.Revision), have.Name)
	if have.Maybe != nil {
		said += fmt.Sprintf(", maybe %s %s", have.Maybe.Purpose, text(have.Maybe.Revision))
	}
	return said + fmt.Sprintf("; cycle %d %s %s %s %s to %q", c.Number, c.Purpose, text(c.Revision), c.State, c.Reason, c.Post)
}

func (w *siteWalk) site() *v1alpha1.Site {
	site := &v1alpha1.Site{}
	w.must(w.store.get(siteKey, site))
	return site
}

func (w *siteWalk) reconcile(name string) {
	p, key := w.leader, ctrl.Request{NamespacedName: client.ObjectKey{Namespace: workspace, Name: name}}
	who := fmt.Sprintf("%s of %p", name, p)
	if w.isBusy(who) {
		return
	}
	if automatic := w.site().Spec.Review.Policy == v1alpha1.ReviewAutomatic; automatic || w.heldUp == nil {
		w.automatic[name] = automatic
	}
	w.spawn(who, func() { _, _ = p.Articles.Reconcile(p.ctx, key) })
}

func (w *siteWalk) reconcilePosts(name string) {
	p, key := w.leader, ctrl.Request{NamespacedName: client.ObjectKey{Namespace: workspace, Name: name}}
	w.spawn(fmt.Sprintf("posts of %s of %p", name, p), func() {
		_, _ = p.Posts.Reconcile(p.ctx, key)
		_, _ = p.Outbox.Reconcile(p.ctx, key)
	})
}

func (w *siteWalk) rest() {
	w.pass(time.Microsecond)
	for _, p := range []*siteProcess{w.leader, w.heldUp} {
		for p != nil && len(p.Events.Events)+len(p.Notified) > 0 {
			select {
			case <-p.Events.Events:
			case <-p.Notified:
			}
		}
	}
	if w.random.IntN(4) == 0 {
		w.store.collect()
	}
}

// text is one of the texts of an article. Equal texts have equal digests.
func (w *siteWalk) text(name string) *v1alpha1.ArticleContent {
	n := w.random.IntN(4)
	return &v1alpha1.ArticleContent{Title: fmt.Sprintf("%s %d", name, n), Slug: name, Markdown: fmt.Sprintf("Text %d.", n)}
}

func (w *siteWalk) create() {
	name := w.someName()
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: name},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: siteKey.Name}, Stage: v1alpha1.StagePublished, Content: w.text(name),
		},
	}
	if w.random.IntN(3) == 0 { // the manifest has the approval
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara"}
	}
	_ = w.store.create(a)
}

// revert has the manifest go back to the text that was accepted last.
func (w *siteWalk) revert() {
	w.edit(func(a *v1alpha1.Article) {
		if p := a.Status.Publication; p != nil && p.Post.Revision != nil {
			title := w.titles[p.Post.Revision.Digest]
			if title == "" {
				w.failf("%s has a text that never was: %+v", a.Name, p.Post)
				return
			}
			a.Spec.Content.Title, a.Spec.Content.Markdown = title, fmt.Sprintf("Text %s.", title[len(title)-1:])
		}
	}, false)
}

// createAgain deletes an article and creates it at once: from its manifest, as kubectl replace --force does, or from a backup without
// status, whose revisions are there too and have no owner.
func (w *siteWalk) createAgain(restored bool) {
	a := &v1alpha1.Article{}
	if w.store.get(client.ObjectKey{Namespace: workspace, Name: w.someName()}, a) != nil {
		return
	}
	w.notef("  %s, uid %s", a.Name, a.UID)
	w.must(w.store.delete(a))
	for path, o := range w.store.objects {
		owner := metav1.GetControllerOf(o)
		switch {
		case owner == nil || owner.UID != a.UID:
		case restored:
			o.SetOwnerReferences(nil)
		default:
			delete(w.store.objects, path)
		}
	}
	again := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: a.Name, Annotations: a.Annotations}, Spec: a.Spec}
	w.must(w.store.create(again))
}

func (w *siteWalk) annotate(annotation string) {
	w.edit(func(a *v1alpha1.Article) {
		metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, strconv.Itoa(w.random.IntN(1000)))
	}, false)
}

func (w *siteWalk) setStage(stages ...v1alpha1.ArticleStage) {
	w.edit(func(a *v1alpha1.Article) { a.Spec.Stage = stages[w.random.IntN(len(stages))] }, false)
}

// siteActions are what happens in a history. Those on articles change one of them at random, if it exists.
var siteActions = []action[*siteWalk]{
	{"request goes on", 200, func(w *siteWalk) { w.letGo(proceed) }},
	{"reconcile", 110, func(w *siteWalk) { w.reconcile(w.someName()) }},
	{"reconcile posts", 25, func(w *siteWalk) { w.reconcilePosts(w.someName()) }},
	{"create", 12, (*siteWalk).create},
	{"edit", 10, func(w *siteWalk) { w.edit(func(a *v1alpha1.Article) { a.Spec.Content = w.text(a.Name) }, false) }},
	{"revert", 4, (*siteWalk).revert},
	{"approve", 20, func(w *siteWalk) { w.decide(v1alpha1.DecisionApproved) }},
	{"reject", 4, func(w *siteWalk) { w.decide(v1alpha1.DecisionRejected) }},
	{"publish", 12, func(w *siteWalk) { w.setStage(v1alpha1.StagePublished) }},
	{"review or draft", 3, func(w *siteWalk) { w.setStage(v1alpha1.StageReview, v1alpha1.StageDraft) }},
	{"archive", 3, func(w *siteWalk) { w.setStage(v1alpha1.StageArchived) }},
	{"unarchive", 4, func(w *siteWalk) { w.setStage(v1alpha1.StagePublished, v1alpha1.StageReview) }},
	{"unpublish", 4, func(w *siteWalk) { w.annotate(v1alpha1.UnpublishAnnotation) }},
	{"redeliver", 4, func(w *siteWalk) { w.annotate(v1alpha1.RedeliverAnnotation) }},
	{"schedule", 2, func(w *siteWalk) {
		w.edit(func(a *v1alpha1.Article) {
			a.Spec.PublishAfter = new(v1alpha1.NewTime(time.Now().Add(time.Duration(w.random.IntN(60)) * time.Minute)))
		}, false)
	}},
	{"delete", 3, func(w *siteWalk) { w.edit(nil, true) }},
	{"replace --force", 3, func(w *siteWalk) { w.createAgain(false) }},
	{"restore without status", 3, func(w *siteWalk) { w.createAgain(true) }},
	{"address changed", 2, func(w *siteWalk) {
		to := w.random.IntN(2)
		w.editSite(func(site *v1alpha1.Site) { site.Spec.CMS = w.sites.connection(to) })
	}},
	{"pull", 1, func(w *siteWalk) {
		w.editSite(func(site *v1alpha1.Site) { site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
	}},
	{"freeze or not", 2, func(w *siteWalk) { w.freeze() }},
	{"removal or not", 3, func(w *siteWalk) { w.changeRemoval() }},
	{"automatic approval or not", 1, func(w *siteWalk) {
		w.editSite(func(site *v1alpha1.Site) {
			if site.Spec.Review.Policy == v1alpha1.ReviewManual {
				site.Spec.Review.Policy = v1alpha1.ReviewAutomatic
			} else {
				site.Spec.Review.Policy = v1alpha1.ReviewManual
			}
		})
	}},
	{"suspend or resume", 2, func(w *siteWalk) { w.suspendSite(!w.suspension.site) }},
	{"leader killed", 4, (*siteWalk).killLeader},
	{"leader held up", 3, (*siteWalk).holdUp},
	{"held up process goes on", 6, (*siteWalk).goesOn},
	{"moments pass", 20, func(w *siteWalk) { w.pass(time.Duration(w.random.IntN(1000)) * time.Millisecond) }},
	{"seconds pass", 8, func(w *siteWalk) { w.pass(time.Duration(w.random.IntN(40)) * time.Second) }},
	{"minutes pass", 4, func(w *siteWalk) { w.pass(time.Duration(w.random.IntN(40)) * time.Minute) }},
	{"site answers", 40, func(w *siteWalk) { w.finish(&w.requests, nil) }},
}

func (w *siteWalk) run() {
	defer func() {
		for _, p := range []*siteProcess{w.leader, w.heldUp} {
			if p != nil {
				w.endProcess(p)
			}
		}
	}()
	if act(w.walk, w, siteActions, w.rest) {
		w.drain()
	}
}

// drain has the sites be well, and lets everything end that can.
func (w *siteWalk) drain() {
	w.notef("drain")
	w.suspendSite(false)
	for w.heldUp != nil {
		w.goesOn()
	}
	w.draining = true
	for round := range 20 {
		version := w.store.version
		w.idle()
		for range 3 {
			for _, name := range w.names {
				w.reconcile(name)
				w.idle()
				w.reconcilePosts(name)
				w.idle()
			}
		}
		w.pass(20 * time.Minute)
		if round > 6 && w.store.version == version {
			break
		}
	}
	w.check()
}

// idle lets all requests and calls go on until nothing waits.
func (w *siteWalk) idle() {
	for range 10_000 {
		w.rest()
		switch {
		case slices.ContainsFunc(w.waiting, func(o *op) bool { return o.of.frozen == nil }):
			w.letGo(proceed)
		case len(w.requests) > 0:
			w.finish(&w.requests, nil)
		default:
			return
		}
	}
	w.failf("the history does not end")
}
