package moneywalk_test

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
)

// suspension is what forbids to generate and to send, and how often that has changed.
type suspension struct {
	site, account, installation bool
	changes                     int
}

func (s suspension) on() bool { return s.site || s.account || s.installation }

// suspendSite suspends the site, or resumes it. The controller is shown it at once.
func (w *walk) suspendSite(on bool) {
	site := &v1alpha1.Site{}
	if w.store.get(siteKey, site) != nil {
		return
	}
	site.Spec.Suspend = on
	w.must(w.store.update(site))
	w.siteChanged()
}

// siteChanged shows the controller the site as it is.
func (w *walk) siteChanged() {
	site := &v1alpha1.Site{}
	w.process.catchUp(siteKey, site)
	w.suspension.site = site.Spec.Suspend
	w.suspension.changes++
}

// suspendAccount suspends the account, or resumes it. The controller is shown it at once.
func (w *walk) suspendAccount(on bool) {
	w.editAccount(func(a *v1alpha1.Account) { a.Spec.Suspend = on })
	w.process.catchUp(client.ObjectKey{Name: account}, &v1alpha1.Account{})
	w.suspension.account = on
	w.suspension.changes++
}

// suspendInstallation starts the controller again, with --suspend or without.
func (w *walk) suspendInstallation(on bool) {
	w.suspension.installation = on
	w.suspension.changes++
	w.restartController()
}

// look notes that the controller begins to reconcile an object, under the suspension that it was shown.
func (w *walk) look(name string, s suspension) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen[name] = s
}

// begins checks that an object for which something is generated or sent was not looked at under a suspension that lasts.
func (b *books) begins(what, name string) {
	b.w.counts[what]++
	if seen := b.w.seen[name]; seen.on() && seen.changes == b.w.suspension.changes {
		b.w.failf("one of the %s, for %s, was begun under %+v", what, name, seen)
	}
}

// effects are what becomes of an article that a suspension forbids.
func (b *books) effects(was, is *v1alpha1.Article) {
	if g, before := is.Status.Run, was.Status.Run; lifecycle.MakingOf(is, nil) == lifecycle.RunInProgress &&
		(before == nil || before.Name != g.Name || before.Attempt != g.Attempt) {
		b.begins("attempts to generate", is.Name)
	}
	if id := attemptInProgress(is); id != "" && id != attemptInProgress(was) {
		b.begins("attempts to publish", is.Name)
	}
}

// attemptInProgress returns the id of the attempt to publish that is in progress, or "".
func attemptInProgress(a *v1alpha1.Article) string {
	if a.Status.Publication == nil {
		return ""
	}
	if open := cycles.InProgress(&a.Status.Publication.DeliveryRecord); open != nil {
		return open.ID
	}
	return ""
}

// resume ends what holds articles back: suspensions, and what they may lack.
func (w *walk) resume() {
	if w.store.create(w.newSite()) == nil {
		w.siteChanged()
		w.refreshAll()
	}
	w.suspendSite(false)
	w.suspendAccount(false)
	w.suspendInstallation(false)
	w.blocked = nil
	w.editAccount(func(a *v1alpha1.Account) { *a.Spec.Credits += 1000 })
}

// checkDone checks that every article has come to its end, and every event delivered or given up.
func (w *walk) checkDone() {
	site := &v1alpha1.Site{}
	w.must(w.store.get(siteKey, site))
	for _, a := range w.store.articles() {
		if b := w.books; hasReason(a, v1alpha1.ReasonRequestRepeated) && b.recorded[a.Name] != "" && b.recorded[a.Name] != string(a.UID) {
			w.counts["surplus articles that nothing is made of"]++
			continue
		}
		w.checkNothingLeft("article "+a.Name+", uid "+string(a.UID), a, site)
		if lifecycle.DispatchPending(a) {
			w.failf("article %s, uid %s, has events that are not dispatched", a.Name, a.UID)
		}
	}
	var list v1alpha1.EventDeliveryList
	w.must(w.store.list(&list))
	for i := range list.Items {
		if d := &list.Items[i]; eventdelivery.Unfinished(d) {
			w.failf("the event %s of %s is left: %+v", d.Name, d.Spec.ArticleRef.Name, d.Status)
		}
	}
}

func hasReason(a *v1alpha1.Article, reasons ...string) bool {
	return slices.ContainsFunc(a.Status.Conditions, func(c metav1.Condition) bool { return slices.Contains(reasons, c.Reason) })
}

// checkNothingLeft checks that nothing is left to do for an article. The text that it would be sent may be lost, because the article was
// created again without it; the article says so then, or that nobody knows what the site has. Earlier revisions are given up months later.
func (w *walk) checkNothingLeft(who string, a *v1alpha1.Article, site *v1alpha1.Site) {
	to := lifecycle.Target{Mode: connectors.ModeOf(site), Removes: connectors.UnpublisherFor(site) != nil}
	if a.Status.Slug != "" {
		to.Post = identity.PostName(connectors.Destination(site), a.Status.Slug)
	}
	_, quiet := lifecycle.QuietRevisions(a)
	switch d := lifecycle.Next(a, site, to, w.now()); {
	case d.Step == lifecycle.BeginCycle && w.isLost(d.Want.Revision) && hasReason(a, v1alpha1.ReasonRevisionMissing, v1alpha1.ReasonSiteUncertain):
		w.counts["texts that are lost"]++
	case d.Step != lifecycle.Wait || !d.Until.Equal(quiet):
		w.failf("%s is left at %s: %+v, %+v", who, d.Step, a.Status.Conditions, a.Status.Publication)
	}
}

func (w *walk) isLost(r v1alpha1.PublicationRevision) bool {
	found := &v1alpha1.ArticleRevision{}
	err := w.store.get(client.ObjectKey{Namespace: workspace, Name: r.Name}, found)
	return err != nil || found.Spec.Digest != r.Digest
}
