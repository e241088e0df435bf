// Package record changes an article's status in memory when a step begins or ends. It adds attempts before they are made, and their
// outcomes. It makes revisions current, adds transitions, keeps status within its bounds, and restores a lost status from revisions and
// Posts. Package lifecycle decides what is done next. Pure.
package record

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// publication returns the publication of an article, and makes it if there is none.
func publication(a *v1alpha1.Article) *v1alpha1.Publication {
	if a.Status.Publication == nil {
		a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostAbsent}}
	}
	return a.Status.Publication
}

// ByPull makes a site that nothing is sent to have what is wanted: it reads its articles from the REST API.
func ByPull(a *v1alpha1.Article, want lifecycle.Want, post string, now time.Time) {
	p := publication(a)
	lifecycle.MarkDeliveryRequestsHandled(a)
	p.Cycle = nil // It was of a site that the article was sent to before.
	if want.Kind == lifecycle.WantRemove {
		moveTo(&p.Post, post) // The site that the article was sent to before keeps what it has.
		removed(a, now)
		return
	}
	accepted(a, want.Revision, post, now)
}

// FailUnsupported ends what is wanted of a site that cannot do it. Attempts at the receiver that the Site had before stay: every request
// that was sent is one of the attempts.
func FailUnsupported(a *v1alpha1.Article, site *v1alpha1.Site, want lifecycle.Want) {
	p := publication(a)
	lifecycle.MarkDeliveryRequestsHandled(a)
	cycle := cycles.NewCycle(&p.DeliveryRecord)
	cycle.State, cycle.Reason = v1alpha1.CycleFailed, v1alpha1.ReasonNotSupportedYet
	cycle.ConnectionHash = lifecycle.ConnectionHash(site)
	setTarget(cycle, want)
	p.Cycle = cycle
}

// setTarget sets what a cycle is to bring about.
func setTarget(cycle *v1alpha1.DeliveryCycle, want lifecycle.Want) {
	cycle.Purpose = v1alpha1.PurposeRemove
	if want.Kind == lifecycle.WantPut {
		cycle.Purpose, cycle.Revision = v1alpha1.PurposePut, new(want.Revision)
	}
}

// BeginCycle writes the first attempt of a new cycle ahead, at the Post of a name. It answers all requests there are: a redelivery that was
// asked for before does not put back what is taken back.
func BeginCycle(a *v1alpha1.Article, site *v1alpha1.Site, want lifecycle.Want, post string, by cycles.AttemptID, now time.Time) {
	overwrite, nonce := lifecycle.OverwriteNonce(a, true), requestNonce(a, want)
	p := publication(a)
	lifecycle.MarkDeliveryRequestsHandled(a)
	cycles.Begin(&p.DeliveryRecord, by, true, now)
	p.Cycle.OverwriteNonce, p.Cycle.RequestNonce = overwrite, nonce
	setTarget(p.Cycle, want)
	writeAhead(a, site, post)
}

// requestNonce returns the request that a new cycle answers; empty if nobody asked for it.
func requestNonce(a *v1alpha1.Article, want lifecycle.Want) string {
	annotation := v1alpha1.RedeliverAnnotation
	if want.Kind == lifecycle.WantRemove {
		annotation = v1alpha1.UnpublishAnnotation
	}
	if a.Status.Publication != nil && command.Requested(a, a.Status.HandledRequests, annotation) {
		return command.Nonce(a, annotation)
	}
	return ""
}

// RetryCycle writes the next attempt of the cycle ahead, at the Post of a name.
func RetryCycle(a *v1alpha1.Article, site *v1alpha1.Site, post string, by cycles.AttemptID, now time.Time) {
	p := a.Status.Publication
	cycles.Begin(&p.DeliveryRecord, by, false, now)
	writeAhead(a, site, post)
}

// writeAhead records what the site may have once the attempt is made. A repetition of what it has leaves no doubt, and what is known of
// the post at another address stays until the cycle is accepted.
func writeAhead(a *v1alpha1.Article, site *v1alpha1.Site, post string) {
	p := a.Status.Publication
	p.Cycle.ConnectionHash, p.Cycle.Post = lifecycle.ConnectionHash(site), ""
	p.Cycle.ConflictURL, p.Cycle.Differences = "", nil
	have := &p.Post
	if have.State != v1alpha1.PostAbsent && have.Name != "" && have.Name != post {
		p.Cycle.Post = post
		return
	}
	if repeatsLive(*have, p.Cycle) {
		return
	}
	if have.State == v1alpha1.PostAbsent {
		have.Revision = nil
	}
	have.State, have.Name = v1alpha1.PostUncertain, post
	have.Maybe = &v1alpha1.UncertainWrite{Purpose: p.Cycle.Purpose, Revision: p.Cycle.Revision.DeepCopy()}
}

// repeatsLive reports whether a cycle sends what the site has, so that the site has it whatever becomes of the attempt.
func repeatsLive(have v1alpha1.SitePost, cycle *v1alpha1.DeliveryCycle) bool {
	return have.State == v1alpha1.PostPresent && cycle.Purpose == v1alpha1.PurposePut && have.Revision != nil &&
		have.Revision.Digest == cycle.Revision.Digest && have.Revision.Disclosure == cycle.Revision.Disclosure
}

// EndAttempt records how the attempt in progress ended. before is what was known about the site when the attempt was prepared: an attempt
// that certainly wrote nothing brings it back.
func EndAttempt(a *v1alpha1.Article, e cycles.End, before v1alpha1.SitePost, s cycles.Schedule, now time.Time) {
	p := a.Status.Publication
	post := lifecycle.CyclePost(a)
	cycles.RecordEnd(&p.DeliveryRecord, e, s, now)
	switch {
	case p.Cycle.State == v1alpha1.CycleAccepted && p.Cycle.Purpose == v1alpha1.PurposeRemove:
		removed(a, now)
	case p.Cycle.State == v1alpha1.CycleAccepted:
		accepted(a, *p.Cycle.Revision, post, now)
	case lifecycle.WroteNothing(e.AttemptResult) && before.State != "":
		p.Post = before
	}
}

// accepted records that a site has a revision: for the first time, again, or in place of another one.
func accepted(a *v1alpha1.Article, r v1alpha1.PublicationRevision, post string, now time.Time) {
	p, at := a.Status.Publication, v1alpha1.NewMicroTime(now)
	have := &p.Post
	other := have.Revision == nil || have.Revision.Digest != r.Digest
	moveTo(have, post)
	switch {
	case have.PublishTime == nil:
		have.PublishTime = &at
	case other, have.UnpublishTime != nil:
		have.UpdateTime = &at
	}
	r.Title, r.SEOScore = "", nil
	have.State, have.Revision, have.Maybe, have.UnpublishTime = v1alpha1.PostPresent, &r, nil, nil
	p.Hold = ""
}

// moveTo makes what a site has be about another Post, unless it is about that already.
func moveTo(have *v1alpha1.SitePost, post string) {
	if have.Name != post {
		have.Name, have.Slug, have.URL, have.ExternalID, have.ContentHash = post, "", "", "", ""
	}
}

// removed records that the site does not have the post any more, and holds an article back whose stage still asks for publication.
func removed(a *v1alpha1.Article, now time.Time) {
	p := a.Status.Publication
	p.Post.State, p.Post.Maybe, p.Post.UnpublishTime = v1alpha1.PostAbsent, nil, new(v1alpha1.NewMicroTime(now))
	p.Hold = v1alpha1.HoldRequested
	lifecycle.SyncHold(a)
}

// DropCycle ends the delivery that waits for a retry which is no longer wanted. What the site may have stays as it is known.
func DropCycle(a *v1alpha1.Article, site *v1alpha1.Site, want lifecycle.Want) {
	cycle := a.Status.Publication.Cycle
	cycle.Reason = lifecycle.RetryUnwanted(a, site, want)
	cycle.State, cycle.NextAttemptTime = v1alpha1.CycleCancelled, nil
}

// LocatePart records the id of a post that an attempt made or found before it failed. A published article's id does not change.
func LocatePart(a *v1alpha1.Article, id string) {
	if !lifecycle.Published(a) && id != "" && bounds.JSONBytes(id) <= v1alpha1.MaxExternalIDBytes {
		a.Status.Publication.Post.ExternalID = id
	}
}

// Locate records the URL and the id of the post that the receiver answered with. The id is the slug if the answer has none. A value that
// is too long for status is left out.
func Locate(a *v1alpha1.Article, url, id string) {
	post := &a.Status.Publication.Post
	if url != "" && bounds.JSONBytes(url) <= v1alpha1.MaxURLBytes {
		post.URL = url
	}
	switch {
	case id != "" && bounds.JSONBytes(id) <= v1alpha1.MaxExternalIDBytes:
		post.ExternalID = id
	case post.ExternalID == "":
		post.ExternalID = a.Status.Slug
	}
}

// Slug records the slug that a CMS gave a post, if it is another than the article's, and reports whether status did not have
// it yet.
func Slug(a *v1alpha1.Article, slug string) (changed bool) {
	post := &a.Status.Publication.Post
	before := post.Slug
	post.Slug = bounds.Cut(slug, v1alpha1.MaxSlugBytes)
	return post.Slug != "" && post.Slug != before
}

// ContentHash records what the CMS answered of the post to an accepted attempt, if it answered something.
func ContentHash(a *v1alpha1.Article, hash string) {
	if hash != "" {
		a.Status.Publication.Post.ContentHash = hash
	}
}

// Conflict records the URL and the differing fields of the conflicting post, because of which nothing was written. A URL that is too long
// for status is left out.
func Conflict(a *v1alpha1.Article, url string, differences []v1alpha1.PostDifference) {
	cycle := a.Status.Publication.Cycle
	if bounds.JSONBytes(url) <= v1alpha1.MaxURLBytes {
		cycle.ConflictURL = url
	}
	cycle.Differences = nil
	for _, d := range differences {
		d.Site, d.Article = bounds.Cut(d.Site, v1alpha1.MaxSnippetBytes), bounds.Cut(d.Article, v1alpha1.MaxSnippetBytes)
		cycle.Differences = append(cycle.Differences, d)
	}
}
