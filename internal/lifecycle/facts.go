package lifecycle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

// RequestHash identifies what spec.generate asks for.
func RequestHash(g *v1alpha1.GenerateRequest) string {
	if g == nil {
		return ""
	}
	return hashOf(g)
}

// ContentHash identifies the author's spec.content; it is empty if there is none. It is the same for a stripped article.
func ContentHash(c *v1alpha1.ArticleContent) string {
	if c == nil {
		return ""
	}
	if WithoutText(c) {
		return c.Cached.Hash
	}
	return hashOf(c)
}

// hashOf hashes a struct of strings, which always has a JSON form, with its fields in a fixed order.
func hashOf(v any) string {
	hash, _ := measure(v)
	return hash
}

// measure returns the hash and the size of the JSON form of a struct.
func measure(v any) (hash string, size int64) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", 0
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), int64(len(data))
}

// Unknown reports whether status is empty: the article is new, or was restored without status.
func Unknown(a *v1alpha1.Article) bool {
	s := &a.Status
	return s.Revision == nil && s.Run == nil && s.Publication == nil && s.LastRevisionNumber == 0
}

// Frozen reports whether updates are frozen: while the first text is being delivered, and once the article is published unless its Site
// updates posts, a change of generate or content makes no revision and starts no run. Without its Site, what is published stays. An
// article that was created again without its text is not generated again.
func Frozen(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if !Published(a) {
		return DeliveryInProgress(a) != nil
	}
	return site == nil || !site.UpdatesPosts() || a.Status.Revision == nil
}

// Pending reports whether the manifest of a published article asks for another text than its site has, and the Site updates posts.
func Pending(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return Published(a) && !Frozen(a, site) && pendingUpdate(a) != ""
}

// NothingToReview reports whether there is nothing to decide about an article: its site has the text, or is being sent it for the first
// time.
func NothingToReview(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return Frozen(a, site) || Published(a) && !Pending(a, site)
}

// updating reports whether the last delivery cycle updates the post to the current revision.
func updating(a *v1alpha1.Article) bool { return Published(a) && PutsCurrent(a) && !LiveIsCurrent(a) }

// Written reports whether the author wrote the body.
func Written(a *v1alpha1.Article) bool { return a.Spec.Content.HasBody() }

// RunInProgress reports whether an attempt of a run is in progress.
func RunInProgress(a *v1alpha1.Article) bool {
	g := a.Status.Run
	return g != nil && g.State == v1alpha1.RunRunning
}

// RunWanted reports whether a run is due or waits for its retry.
func RunWanted(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return !Frozen(a, site) && runMissing(a)
}

// runMissing reports whether no run has made what spec.generate asks for. Nothing is generated beside a body that the author wrote.
func runMissing(a *v1alpha1.Article) bool {
	if a.Spec.Generate == nil || Written(a) {
		return false
	}
	g := a.Status.Run
	if g == nil || command.Requested(a, a.Status.HandledRequests, v1alpha1.RegenerateAnnotation) {
		return true
	}
	return g.State == v1alpha1.RunRetryScheduled || g.State == v1alpha1.RunSuperseded || g.RequestHash != RequestHash(a.Spec.Generate)
}

// runPending reports whether a run is in progress, is due or waits for its retry.
func runPending(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return RunInProgress(a) || RunWanted(a, site)
}

// Outdated reports whether a revision of spec.content is to be made. While updates are frozen, none is, unless the current revision is
// not the text that the site has: an article that was created again goes back to that text.
func Outdated(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if Frozen(a, site) && (LiveIsCurrent(a) || !Published(a)) {
		return false
	}
	return revisionMissing(a)
}

func revisionMissing(a *v1alpha1.Article) bool {
	r := a.Status.Revision
	return r == nil || r.ContentHash != ContentHash(a.Spec.Content)
}

// pendingUpdate says what of the manifest asks for another text than a published article's site has; empty if nothing does.
func pendingUpdate(a *v1alpha1.Article) string {
	r := a.Status.Revision
	switch {
	case r == nil:
		return "the article was created again without its text"
	case !LiveIsCurrent(a):
		return fmt.Sprintf("revision %d is another text", r.Number)
	case revisionMissing(a):
		return "spec.content has changed"
	case runMissing(a) && a.Status.Run != nil && a.Status.Run.RequestHash == RequestHash(a.Spec.Generate):
		return v1alpha1.RegenerateAnnotation + " asks for another text"
	case runMissing(a):
		return "spec.generate has changed"
	default:
		return ""
	}
}

// current reports whether there is a revision of spec.content.
func current(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return a.Status.Revision != nil && !Outdated(a, site)
}

// GeneratedNumber is the number of the revision with the latest generated text, or 0.
func GeneratedNumber(a *v1alpha1.Article) int32 {
	if r := a.Status.Revision; r != nil && r.Source == v1alpha1.SourceGenerated {
		return r.Number
	}
	return a.Status.GeneratedNumber
}

// revisionWanted reports whether a revision is due: of what the author wrote, or of the generated text once the author has removed
// spec.content. Content without a body replaces fields of a generated text, and waits for a run that is wanted.
func revisionWanted(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if RunInProgress(a) || !Outdated(a, site) {
		return false
	}
	return Written(a) || GeneratedNumber(a) > 0 && !RunWanted(a, site)
}

// reviewState is what spec.review says about the current revision.
type reviewState int

const (
	undecided reviewState = iota
	approved
	rejected
	// stale is a decision about an earlier revision.
	stale
)

// reviewOf compares spec.review with the current revision.
func reviewOf(a *v1alpha1.Article, site *v1alpha1.Site) reviewState {
	review, revision := a.Spec.Review, a.Status.Revision
	if review == nil || revision == nil {
		return undecided
	}
	if !reviewCovers(a, site, review, revision) {
		return stale
	}
	if review.Decision == v1alpha1.DecisionRejected {
		return rejected
	}
	return approved
}

// ReviewApplies reports whether spec.review is a decision about the current revision.
func ReviewApplies(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	state := reviewOf(a, site)
	return state == approved || state == rejected
}

// reviewCovers reports whether a decision is about a revision.
func reviewCovers(
	a *v1alpha1.Article, site *v1alpha1.Site, review *v1alpha1.ArticleReview, revision *v1alpha1.CurrentRevision,
) bool {
	if review.Digest != "" {
		return review.Digest == revision.Digest
	}
	if review.Decision == v1alpha1.DecisionRejected {
		return true
	}
	// An approval without a digest is about the content in the same manifest, and of what is published about the text that it was
	// published for.
	return Written(a) && revision.Source != v1alpha1.SourceGenerated &&
		(Frozen(a, site) || revision.ContentHash == ContentHash(a.Spec.Content))
}

// CurrentRevision is the current revision as a publication names it.
func CurrentRevision(a *v1alpha1.Article, site *v1alpha1.Site) v1alpha1.PublicationRevision {
	r := a.Status.Revision
	return v1alpha1.PublicationRevision{
		Name: r.Name, Number: r.Number, Digest: r.Digest, Disclosure: DisclosureOf(r.Source, reviewOf(a, site) == approved),
	}
}
