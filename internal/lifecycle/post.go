package lifecycle

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// PostsOf returns what Posts say of an article, by their names, as its attempts that have ended say, without the destination: the Post that
// status.publication.post is about, and, if the Site's address has changed since, the Post of the last cycle. A revision that is not the
// current one has its name, number and digest alone. PostsOf returns nothing while an attempt is in progress.
func PostsOf(a *v1alpha1.Article) map[string]v1alpha1.PostSpec {
	if a.Status.Publication == nil || a.Status.Slug == "" || DeliveryInProgress(a) != nil {
		return nil
	}
	posts := map[string]v1alpha1.PostSpec{}
	if post, known := postAtSite(a); known {
		posts[Have(a).Name] = post
	}
	if c := CycleOf(a); c.Post != "" && c.Purpose == v1alpha1.PurposePut && mayHaveSent(a) {
		post := Claim(a)
		post.Revision = postRevision(a, c.Revision)
		post.State, post.Reason = sentOrFailed(c)
		posts[c.Post] = post
	}
	return posts
}

// postAtSite returns what the Post says that status.publication.post is about. It reports false if nothing is known to have been sent
// there, or if a restore has lost what the last attempt did, which the Post still says.
func postAtSite(a *v1alpha1.Article) (v1alpha1.PostSpec, bool) {
	have, c := Have(a), CycleOf(a)
	post := Claim(a)
	post.PublishTime, post.UpdateTime, post.URL = have.PublishTime, have.UpdateTime, have.URL
	post.ExternalID, post.ContentHash, post.Revision = have.ExternalID, have.ContentHash, postRevision(a, have.Revision)
	switch {
	case have.Name == "":
		return post, false
	case have.State == v1alpha1.PostPresent:
		post.State = v1alpha1.PostPublished
	case have.State == v1alpha1.PostAbsent:
		post.State, post.RemovalTime = v1alpha1.PostUnpublished, have.UnpublishTime
		return post, have.UnpublishTime != nil
	case have.Maybe == nil:
		return post, false
	case have.Revision == nil:
		post.State, post.Revision = v1alpha1.PostSent, postRevision(a, have.Maybe.Revision)
		if c.Post == "" && c.Purpose == v1alpha1.PurposePut {
			post.State, post.Reason = sentOrFailed(c)
		}
	case have.Maybe.Purpose == v1alpha1.PurposeRemove:
		post.State, post.Reason = v1alpha1.PostUnpublishing, failure(c)
	default:
		post.State, post.Reason = v1alpha1.PostUpdating, failure(c)
	}
	return post, true
}

// postRevision returns a revision as a Post has it: with its title if it is the current one, or if status has the title. Without a
// revision, it is the current one.
func postRevision(a *v1alpha1.Article, r *v1alpha1.PublicationRevision) v1alpha1.PostRevision {
	current := Claim(a).Revision
	if r == nil || r.Digest == current.Digest {
		return current
	}
	return v1alpha1.PostRevision{Name: NameOfRevision(a, *r), Number: r.Number, Digest: r.Digest, Title: r.Title, SEOScore: r.SEOScore}
}

// NameOfRevision returns the name of a revision of an article that a publication names.
func NameOfRevision(a *v1alpha1.Article, r v1alpha1.PublicationRevision) string {
	if r.Name != "" || a.Status.Revision == nil {
		return r.Name
	}
	// The names of an article's revisions differ in the number at the end alone.
	other := a.Status.Revision.Name
	return other[:strings.LastIndexByte(other, '-')+1] + strconv.Itoa(int(r.Number))
}

// mayHaveSent reports whether an attempt of the last cycle may have written the post.
func mayHaveSent(a *v1alpha1.Article) bool {
	p := a.Status.Publication
	return slices.ContainsFunc(p.Attempts, func(attempt v1alpha1.DeliveryAttempt) bool {
		return attempt.Cycle == p.Cycle.Number && !WroteNothing(attempt.AttemptResult)
	})
}

// sentOrFailed returns the state of a Post that was never accepted, and why sending it failed for good.
func sentOrFailed(c v1alpha1.DeliveryCycle) (v1alpha1.PostState, string) {
	if reason := failure(c); reason != "" {
		return v1alpha1.PostFailed, reason
	}
	return v1alpha1.PostSent, ""
}

// failure returns why a cycle failed for good; empty if it did not.
func failure(c v1alpha1.DeliveryCycle) string {
	if c.State != v1alpha1.CycleFailed {
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
// otherwise that of the transition, whose texts are cut. rev is the revision; nil if it is gone, or if it has neither a model nor a Brief.
func RecordOf(
	a *v1alpha1.Article, site *v1alpha1.Site, sent v1alpha1.PublicationRevision, rev *v1alpha1.ArticleRevision, now time.Time,
) v1alpha1.PostRecord {
	record := decided(a, site, sent, now)
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
	if b := rev.Spec.Brief; b != nil {
		record.BriefDigest, record.UnsupportedClaims = b.Digest, rev.Spec.UnsupportedClaims()
	}
	return record
}

// decided returns a record without its source: who let the revision be published.
func decided(
	a *v1alpha1.Article, site *v1alpha1.Site, sent v1alpha1.PublicationRevision, now time.Time,
) v1alpha1.PostRecord {
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
	if last := LastApproval(a, site); last != nil && !byPolicy && a.Status.Revision.Digest == sent.Digest {
		record.By, record.Note = last.By, last.Note
	}
	if record.By != "" || sent.Disclosure == v1alpha1.DisclosureAIAssisted {
		record.Decision, record.Approvals = v1alpha1.RecordApproved, furtherApprovals(a, site, sent.Digest, record.By)
	}
	return record
}

// furtherApprovals returns the approvals of a text by others than the person whom its record names; nil if there are none. Their notes are
// cut.
func furtherApprovals(a *v1alpha1.Article, site *v1alpha1.Site, digest, by string) []v1alpha1.ArticleApproval {
	all, current := a.Spec.Approvals, false
	if r := a.Status.Revision; r != nil && r.Digest == digest {
		all, current = counted(a, site), true
	}
	var further []v1alpha1.ArticleApproval
	for _, approval := range all {
		if approval.By != by && (current || approval.Digest == digest) {
			approval.Note = bounds.Cut(approval.Note, v1alpha1.MaxTransitionMessageBytes)
			further = append(further, approval)
		}
	}
	return further
}

// acceptedNumber returns the number that the live text had when the site accepted it: it has another one if its author has restored it
// since. For another text it returns the number of that.
func acceptedNumber(a *v1alpha1.Article, sent v1alpha1.PublicationRevision) int32 {
	number := sent.Number
	if LiveDigest(a) != sent.Digest {
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
