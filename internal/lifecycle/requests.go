package lifecycle

import (
	"errors"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Reviewable returns nil if there is a text that a reviewer can decide on. Like the other functions of this file, it otherwise returns
// an error that says why not, or what to do instead: the REST API and the plugin for kubectl refuse by these rules before they write.
func Reviewable(a *v1alpha1.Article) error {
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errors.New("the article is archived")
	case runPending(a):
		return errors.New("a new text is being generated: wait for it")
	case a.Status.Revision == nil:
		return errors.New("there is no text to review yet")
	case Outdated(a):
		return errors.New("the text was edited, and there is no revision of it yet")
	}
	return nil
}

// Rejectable returns nil if a reviewer can reject the article's text.
func Rejectable(a *v1alpha1.Article) error {
	if err := Reviewable(a); err != nil {
		return err
	}
	if Frozen(a) {
		return errors.New("the article is published or on its way to its site: it can be archived, not rejected")
	}
	return nil
}

// Publishable returns nil if publication can be asked for, which takes an archived article out of the archive.
func Publishable(a *v1alpha1.Article, now time.Time) error {
	if a.Spec.Stage == v1alpha1.StageArchived {
		return nil
	}
	phase := Phase(a, now)
	switch {
	case phase == v1alpha1.PhaseRejected:
		return errors.New("the article is rejected: edit or regenerate it, or approve it")
	case phase == v1alpha1.PhaseFailed && a.Status.Revision == nil:
		return errors.New("generating the article failed: regenerate it")
	case phase == v1alpha1.PhaseFailed:
		return errors.New("delivering the article failed: redeliver it")
	}
	return nil
}

// Submittable returns nil if an article can be submitted for review, or was already.
func Submittable(a *v1alpha1.Article) error {
	if a.Spec.Stage == v1alpha1.StageArchived {
		return errors.New("the article is archived: publishing it brings it back")
	}
	return nil
}

// Unschedulable returns nil if the request to publish can be taken back.
func Unschedulable(a *v1alpha1.Article) error {
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errors.New("the article is archived")
	case Frozen(a):
		return errors.New("the article is published or being delivered: it can be archived")
	}
	return nil
}

// Regenerable returns nil if another text can be asked for.
func Regenerable(a *v1alpha1.Article) error {
	switch {
	case a.Spec.Generate == nil:
		return errors.New("the article was written: there is no keyword to generate from")
	case Frozen(a):
		return errors.New("the text may not change while the article is being delivered or once it is published")
	case Written(a):
		return errors.New("the article has its author's text: nothing is generated beside it")
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errors.New("the article is archived")
	case runPending(a):
		return errors.New("the article is being generated already")
	}
	return nil
}

// Redeliverable returns nil if a new delivery cycle can be asked for.
func Redeliverable(a *v1alpha1.Article) error {
	p := a.Status.Publication
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errors.New("the article is archived")
	case p == nil:
		return errors.New("the article has not been published")
	case p.Cycle == nil:
		return errors.New("nothing is sent to the article's site")
	case p.Cycle.State == v1alpha1.CycleDelivering, p.Cycle.State == v1alpha1.CycleRetryScheduled, RedeliveryAsked(a):
		return errors.New("the article is being delivered already")
	}
	return nil
}
