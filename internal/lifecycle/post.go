package lifecycle

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// PostOf returns what the site of an article has of it, as its attempts that have ended say, without the destination. The revision has its
// name, number and digest alone if it is not the current one. PostOf reports false if nothing has been sent, or an attempt is in progress.
func PostOf(a *v1alpha1.Article) (v1alpha1.PostSpec, bool) {
	p := a.Status.Publication
	if p == nil || a.Status.Slug == "" || openDelivery(a) != nil || !published(a) && !Unpublished(a) && FirstWrite(a).IsZero() {
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
	case published(a):
		post.State = v1alpha1.PostPublished
	case Unpublished(a) && (p.Cycle == nil || p.Cycle.Unpublish != ""):
		post.State, post.RemovalTime = v1alpha1.PostUnpublished, p.UnpublishTime
	case p.Cycle != nil && p.Cycle.State == v1alpha1.CycleFailed:
		post.State, post.Reason = v1alpha1.PostFailed, p.Cycle.Reason
	}
	return post, true
}

// Claim returns the Post by which an article takes its slug, without the destination.
func Claim(a *v1alpha1.Article) v1alpha1.PostSpec {
	post := v1alpha1.PostSpec{
		SiteRef: a.Spec.SiteRef, ArticleRef: v1alpha1.LocalReference{Name: a.Name}, ArticleUID: string(a.UID), Slug: a.Status.Slug,
		State: v1alpha1.PostClaimed, ArticleCreatedTime: new(metav1.NewMicroTime(a.CreatedAt())),
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
