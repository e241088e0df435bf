package lifecycle

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

// PostOf returns what the site of an article has of it, as far as its attempts have ended, without the destination. It reports
// false if nothing has been sent.
func PostOf(a *v1alpha1.Article) (v1alpha1.PostSpec, bool) {
	p := a.Status.Publication
	if p == nil || a.Status.Slug == "" || !published(a) && !anyAttempt(&p.DeliveryRecord, reached) {
		return v1alpha1.PostSpec{}, false
	}
	return postOf(a), true
}

// PostOfDeleted is PostOf of an article that is gone: an attempt that was in progress may reach the site.
func PostOfDeleted(a *v1alpha1.Article) (v1alpha1.PostSpec, bool) {
	if a.Status.Slug == "" || openDelivery(a) == nil {
		return PostOf(a)
	}
	return postOf(a), true
}

func postOf(a *v1alpha1.Article) v1alpha1.PostSpec {
	p := a.Status.Publication
	post := v1alpha1.PostSpec{
		SiteRef: a.Spec.SiteRef, ArticleRef: v1alpha1.LocalReference{Name: a.Name}, Slug: a.Status.Slug, State: v1alpha1.PostSent,
		PublishedAt: p.PublishedAt, URL: p.URL, ExternalID: p.ExternalID,
	}
	if a.Status.Revision != nil {
		post.Revision = *a.Status.Revision
	}
	post.Revision.Name, post.Revision.Digest = p.Revision, p.Digest
	switch {
	case published(a):
		post.State = v1alpha1.PostPublished
	case p.State == v1alpha1.PublicationFailed && p.Cycle != nil:
		post.State, post.Reason = v1alpha1.PostFailed, p.Cycle.Reason
	}
	return post
}

// reached reports whether an attempt that ended so may have reached the receiver.
func reached(o v1alpha1.AttemptOutcome) bool {
	switch o {
	case v1alpha1.AttemptInProgress, v1alpha1.AttemptNotSent, v1alpha1.AttemptAddressBlocked:
		return false
	default:
		return true
	}
}

// anyAttempt reports whether the outcome of an attempt meets a condition.
func anyAttempt(r *v1alpha1.DeliveryRecord, meets func(v1alpha1.AttemptOutcome) bool) bool {
	for i := range r.Attempts {
		if meets(r.Attempts[i].Outcome) {
			return true
		}
	}
	return false
}
