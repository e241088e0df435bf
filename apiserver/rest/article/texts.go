package article

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// Text is the text of an article, ready to be sent.
type Text struct {
	Document content.Document
	html     string
	// Digest and scores are of the revision; empty and nil if the text is not a revision yet.
	Digest string
	scores *v1alpha1.Scores
	// generator is what wrote the revision; nil if an author did.
	generator *v1alpha1.GeneratorRecord
	// madeBy is who made the revision; nil if that is not known.
	madeBy *v1alpha1.RevisionMaker
	// number, source and creation time of the revision.
	number  int32
	source  v1alpha1.RevisionSource
	created time.Time
	// brief is what the revision was checked against, nil without one, and claims are the lines of what it does not support.
	brief  *v1alpha1.RevisionBrief
	claims []string
}

// newText renders a document. A text that cannot be rendered, which kubectl may have stored, has no HTML.
func newText(document content.Document) *Text {
	html, err := content.HTML(document.Markdown)
	if err != nil {
		html = ""
	}
	return &Text{Document: document, html: html}
}

// size returns about how many bytes the text takes in memory.
func (t *Text) size() int64 {
	n := 1024 + len(t.html) + len(t.Document.Markdown) + len(t.Document.Title) + len(t.Document.MetaDescription)
	for _, f := range t.Document.FAQ {
		n += len(f.Question) + len(f.Answer)
	}
	for _, line := range t.claims {
		n += len(line)
	}
	return int64(n)
}

// textKey identifies a text for ever: a revision never changes, and its digest, or the UID of the article that owns it, differs from that
// of a later article of the same name. A text that is no revision has a digest only.
type textKey struct {
	namespace, revision, digest string
	owner                       types.UID
}

// names reports whether a revision is the one that the key is for.
func (k textKey) names(rev *v1alpha1.ArticleRevision) bool {
	if k.digest != "" {
		return rev.Spec.Digest == k.digest
	}
	owner := metav1.GetControllerOf(rev)
	return owner != nil && owner.UID == k.owner
}

// revisionText returns the text of an article's current revision, of a published article the text that its site has, unless the other one
// is asked for; nil if it has none.
func (s *Articles) revisionText(ctx context.Context, a *v1alpha1.Article, other bool) (*Text, error) {
	r := a.Status.Revision
	if r == nil {
		return nil, nil
	}
	if lifecycle.Published(a) && !(other && lifecycle.Pending(a, siteOrNil(s.Core, a))) {
		return s.Sent(ctx, a, *lifecycle.Have(a).Revision)
	}
	found, err := s.revision(ctx, textKey{namespace: a.Namespace, revision: r.Name, digest: r.Digest})
	if errors.Is(err, errOther) {
		err = nil // The controller is about to see what it is.
	}
	return found, err
}

// Sent returns the text of a revision that was published. It returns an error for which apierrors.IsNotFound is true if the revision is
// gone, even if an article that was created again has another text under its name.
func (s *Articles) Sent(ctx context.Context, a *v1alpha1.Article, r v1alpha1.PublicationRevision) (*Text, error) {
	name := lifecycle.NameOfRevision(a, r)
	found, err := s.revision(ctx, textKey{namespace: a.Namespace, revision: name, digest: r.Digest})
	if errors.Is(err, errOther) {
		return nil, apierrors.NewNotFound(v1alpha1.GroupVersion.WithResource("articlerevisions").GroupResource(), name)
	}
	return found, err
}

// earlier returns the text of an earlier revision of an article; nil if the article has none of this number.
func (s *Articles) earlier(ctx context.Context, a *v1alpha1.Article, number int32) (*Text, error) {
	name := identity.RevisionName(a.Name, identity.UID(identity.KindArticle, a.Namespace, a.Name), number)
	found, err := s.revision(ctx, textKey{namespace: a.Namespace, revision: name, owner: a.UID})
	if apierrors.IsNotFound(err) || errors.Is(err, errOther) {
		return nil, nil
	}
	return found, err
}

// errOther means that a revision is another one than its key says. The text is returned with it, and not kept.
var errOther = errors.New("the revision is another one")

// revision returns the text of a revision.
func (s *Articles) revision(ctx context.Context, key textKey) (*Text, error) {
	return s.texts.Get(ctx, "", key, func(ctx context.Context) (*Text, error) {
		rev := &v1alpha1.ArticleRevision{}
		if err := s.Client.Get(ctx, client.ObjectKey{Namespace: key.namespace, Name: key.revision}, rev); err != nil {
			return nil, err
		}
		found := newText(revision.Document(rev))
		found.Digest, found.scores = rev.Spec.Digest, &rev.Spec.Scores
		found.generator, found.number, found.source = rev.Spec.Generator, rev.Spec.Number, rev.Spec.Source
		found.madeBy = rev.Spec.MadeBy
		found.created, found.brief, found.claims = rev.CreationTimestamp.Time, rev.Spec.Brief, rev.Spec.Claims
		if !key.names(rev) {
			return found, errOther
		}
		return found, nil
	})
}

// rendered returns the text of a document that is no revision.
func (s *Articles) rendered(document content.Document) *Text {
	key := textKey{digest: document.Digest()}
	if found, ok := s.texts.Kept(key); ok {
		return found
	}
	made := newText(document)
	s.texts.Keep(key, made)
	return made
}

// currentText returns the text of an article, nil if it has none. What its author has written since is in an article that was read live.
func (s *Articles) currentText(ctx context.Context, i Item) (*Text, error) {
	if s.showsEdited(i) {
		return s.composedText(ctx, i.Object)
	}
	return s.revisionText(ctx, i.Object, i.other)
}

// showsEdited reports whether what is shown of an article is what its author has written since the revision.
func (s *Articles) showsEdited(i Item) bool {
	return s.edited(i.Object) && (i.other || !lifecycle.Published(i.Object))
}

// edited reports whether the author has changed the article since its revision was made, or has written it and there is none yet. What is
// published and frozen stays as it is.
func edited(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return (a.Spec.Content != nil || a.Status.Revision != nil) && lifecycle.Outdated(a, site) &&
		!(lifecycle.Published(a) && lifecycle.Frozen(a, site))
}

func (s *Articles) edited(a *v1alpha1.Article) bool { return edited(a, siteOrNil(s.Core, a)) }

// HTML is the body, sanitised; empty if the text cannot be rendered.
func (t *Text) HTML() string { return t.html }

// KeptText returns a text of an article that was read from kube-apiserver: the revision with a digest, or the newest text if the digest is
// empty. It returns nil if the article has no such text, or not any more.
func (s *Articles) KeptText(ctx context.Context, a *v1alpha1.Article, digest string) (*Text, error) {
	if digest == "" {
		i := s.liveItem(a)
		i.other = true
		newest, err := s.currentText(ctx, i)
		if apierrors.IsNotFound(err) {
			return s.composedText(ctx, a)
		}
		return newest, err
	}
	for _, number := range lifecycle.KeptRevisions(a) {
		t, err := s.earlier(ctx, a, number)
		if err != nil || t != nil && t.Digest == digest {
			return t, err
		}
	}
	return nil, nil
}
