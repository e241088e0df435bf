package lifecycle

import (
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// PostOf returns what the site of an article has of it, as its attempts that have ended say, without the destination. The revision has its
// name, number and digest alone if it is not the current one. PostOf reports false if nothing has been sent, or an attempt is in progress.
func PostOf(a *v1alpha1.Article) (v1alpha1.PostSpec, bool) {
	p := a.Status.Publication
	if p == nil || a.Status.Slug == "" || OpenDelivery(a) != nil || !Published(a) && !Unpublished(a) && FirstWrite(a).IsZero() {
		return v1alpha1.PostSpec{}, false
	}
	post := Claim(a)
	post.State, post.PublishTime, post.URL, post.ExternalID = v1alpha1.PostSent, p.PublishTime, p.URL, p.ExternalID
	post.PostHash, post.UpdateTime = p.PostHash, p.UpdateTime
	if p.Revision.Digest != post.Revision.Digest {
		post.Revision = v1alpha1.PostRevision{
			Name: p.Revision.Name, Number: p.Revision.Number, Digest: p.Revision.Digest,
			Title: p.Revision.Title, SEOScore: p.Revision.SEOScore,
		}
	}
	switch {
	case Unpublishing(a, v1alpha1.CycleRetryScheduled, v1alpha1.CycleFailed):
		post.State, post.Reason = v1alpha1.PostUnpublishing, failure(p.Cycle)
	case Published(a):
		post.State = v1alpha1.PostPublished
	case Unpublished(a) && (p.Cycle == nil || p.Cycle.Unpublish != ""):
		post.State, post.RemovalTime = v1alpha1.PostUnpublished, p.UnpublishTime
	case failure(p.Cycle) != "":
		post.State, post.Reason = v1alpha1.PostFailed, failure(p.Cycle)
	}
	return post, true
}

// failure returns why a cycle failed for good; empty if it did not.
func failure(c *v1alpha1.DeliveryCycle) string {
	if c == nil || c.State != v1alpha1.CycleFailed {
		return ""
	}
	return c.Reason
}

// Claim returns the Post by which an article takes its slug, without the destination.
func Claim(a *v1alpha1.Article) v1alpha1.PostSpec {
	post := v1alpha1.PostSpec{
		SiteRef: a.Spec.SiteRef, ArticleRef: v1alpha1.LocalReference{Name: a.Name}, ArticleUID: string(a.UID), Slug: a.Status.Slug,
		State: v1alpha1.PostClaimed, ArticleCreatedTime: new(v1alpha1.NewMicroTime(a.CreatedAt())),
	}
	if g := a.Spec.Generate; g != nil {
		post.Keyword = g.Keyword
	}
	if r := a.Status.Revision; r != nil {
		post.Revision = v1alpha1.PostRevision{
			Name: r.Name, Number: r.Number, Digest: r.Digest, Title: r.Title, Source: string(r.Source), SEOScore: new(r.SEOScore),
		}
	}
	return post
}

// Reached reports whether an attempt that ended so may have reached the receiver.
func Reached(o v1alpha1.AttemptOutcome) bool {
	switch o {
	case v1alpha1.AttemptInProgress, v1alpha1.AttemptNotSent, v1alpha1.AttemptAddressBlocked:
		return false
	default:
		return true
	}
}

// DisclosureOf returns the disclosure of a text by its source, and by whether a person has approved it.
func DisclosureOf(source v1alpha1.RevisionSource, approvedByPerson bool) v1alpha1.Disclosure {
	switch {
	case source == v1alpha1.SourceWritten:
		return v1alpha1.DisclosureHumanOnly
	case approvedByPerson:
		return v1alpha1.DisclosureAIAssisted
	default:
		return v1alpha1.DisclosureAIAutonomous
	}
}

// DisclosureNames are the disclosures as they are over HTTP.
var DisclosureNames = map[v1alpha1.Disclosure]string{
	v1alpha1.DisclosureHumanOnly:    "human_only",
	v1alpha1.DisclosureAIAssisted:   "ai_assisted",
	v1alpha1.DisclosureAIAutonomous: "ai_autonomous",
}

// RecordOf returns the record of a revision that was sent. The reviewer is that of spec.review if it is still about the revision, and
// otherwise that of the transition, whose texts are cut. rev is the revision; nil if it is gone, or if no model has written it.
func RecordOf(
	a *v1alpha1.Article, sent v1alpha1.PublicationRevision, rev *v1alpha1.ArticleRevision, now time.Time,
) v1alpha1.PostRecord {
	record := decided(a, sent, now)
	if current := a.Status.Revision; current != nil && current.Digest == sent.Digest {
		record.Source = current.Source
	}
	if rev == nil || rev.Spec.Digest != sent.Digest {
		return record
	}
	record.Source = rev.Spec.Source
	if g := rev.Spec.Generator; g != nil {
		record.Model, record.PromptVersion = g.Model, g.PromptVersion
	}
	return record
}

// decided returns a record without its source: who let the revision be published.
func decided(a *v1alpha1.Article, sent v1alpha1.PublicationRevision, now time.Time) v1alpha1.PostRecord {
	record := v1alpha1.PostRecord{
		Digest: sent.Digest, RevisionNumber: sent.Number, Disclosure: sent.Disclosure, Decision: v1alpha1.RecordAutomatic,
		DecisionTime: v1alpha1.NewMicroTime(now),
	}
	// An approval that came after the policy has sent the text did not let it be published.
	byPolicy := sent.Disclosure == v1alpha1.DisclosureAIAutonomous
	accepted := acceptedNumber(a, sent)
	for i := range a.Status.Transitions {
		t := &a.Status.Transitions[i]
		about := t.RevisionNumber == sent.Number || t.RevisionNumber == accepted
		if t.Type == v1alpha1.EventApproved && about && (t.By == "" || !byPolicy) {
			record.DecisionTime, record.By, record.Note = t.Time, t.By, t.Message
		}
	}
	if !byPolicy && reviewOf(a) == approved && a.Status.Revision.Digest == sent.Digest {
		record.By, record.Note = a.Spec.Review.By, a.Spec.Review.Note
	}
	if record.By != "" || sent.Disclosure == v1alpha1.DisclosureAIAssisted {
		record.Decision = v1alpha1.RecordApproved
	}
	return record
}

// acceptedNumber returns the number that the live text had when the site accepted it: it has another one if its author has restored it
// since. For another text it returns the number of that.
func acceptedNumber(a *v1alpha1.Article, sent v1alpha1.PublicationRevision) int32 {
	number := sent.Number
	if !Published(a) || a.Status.Publication.Revision.Digest != sent.Digest {
		return number
	}
	for i := range a.Status.Transitions {
		if t := &a.Status.Transitions[i]; t.Type == v1alpha1.EventPublished || t.Type == v1alpha1.EventUpdated {
			number = t.RevisionNumber
		}
	}
	return number
}

// Recorded reports whether there is nothing to record of a revision that a site has accepted: its content has the last record, or status
// was restored from a Post without a record of it.
func Recorded(records []v1alpha1.PostRecord, sent v1alpha1.PublicationRevision) bool {
	return sent.Disclosure == "" || len(records) > 0 && records[len(records)-1].Digest == sent.Digest
}

// AddRecord returns records with another one as the last, in place of an earlier one of the same content, and of the oldest one if there
// are too many.
func AddRecord(records []v1alpha1.PostRecord, record v1alpha1.PostRecord) []v1alpha1.PostRecord {
	kept := slices.DeleteFunc(slices.Clone(records), func(r v1alpha1.PostRecord) bool { return r.Digest == record.Digest })
	kept = append(kept, record)
	return kept[max(0, len(kept)-v1alpha1.MaxRecords):]
}

// RecordedDisclosure returns the disclosure of a text by the records of its Post.
func RecordedDisclosure(post v1alpha1.PostSpec) v1alpha1.Disclosure {
	for i := range post.Records {
		if post.Records[i].Digest == post.Revision.Digest {
			return post.Records[i].Disclosure
		}
	}
	return ""
}
