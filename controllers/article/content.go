package article

import (
	"context"
	"errors"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// Content takes the author's text into revisions.
type Content struct {
	*base.Base
	// Related caches the stems of articles, for comparisons.
	Related *related.Index
	// Texts has texts that the cache does not have. If it is nil, all are read live.
	Texts *Texts
	// Images fetches featured images.
	Images *Images
	// Briefs reads what texts rest on.
	Briefs *Briefs
}

// makeRevision makes the revision that the manifest asks for the current one.
func (c *Content) makeRevision(ctx context.Context, t *task) (progress, error) {
	made, err := c.adoptOrMake(ctx, t)
	errors.As(err, &t.blockers.Content)
	return progress{again: made}, err
}

// giveUpRevisions deletes the earlier revisions of an article that has been quiet.
func (c *Content) giveUpRevisions(ctx context.Context, t *task) (progress, error) {
	numbers, _ := lifecycle.QuietRevisions(t.article)
	if err := prune(ctx, c.Base, t.article, numbers); base.IsRefused(err) {
		// They stay until the article is deleted.
		c.EventOfRefusal(t.article, err)
	} else if err != nil {
		return progress{}, err
	}
	record.GiveUpRevisions(t.article, numbers)
	t.changed = true
	return progress{again: true}, nil
}

// adoptOrMake adopts the revisions that an earlier Article of the same name has left, or else makes one.
func (c *Content) adoptOrMake(ctx context.Context, t *task) (bool, error) {
	a := t.article
	if lifecycle.Unknown(a) && t.posts.Exist(ctx, a) {
		if adopted, err := c.adopt(ctx, t); adopted || err != nil {
			return adopted, err
		}
	}
	if err := c.BindRequest(ctx, a); err != nil {
		return false, err
	}
	doc, err := c.composeWithFile(ctx, t)
	if err != nil {
		return false, err
	}
	rev, err := c.create(ctx, t, doc)
	if errors.Is(err, errOwnerless) {
		return c.adopt(ctx, t)
	}
	if err != nil {
		return false, err
	}
	c.Images.forget(a)
	return true, t.setCurrent(ctx, rev, lifecycle.ContentHash(a.Spec.Content))
}

// composeWithFile is compose with the file of the image.
func (c *Content) composeWithFile(ctx context.Context, t *task) (content.Document, error) {
	doc, err := c.compose(ctx, t)
	if err == nil {
		err = c.Images.describe(ctx, t.article, doc.Image)
	}
	return doc, err
}

// compose returns the document that the manifest asks for, which depends on spec.content and the latest generated text only. Its image has
// no file yet. compose returns a *lifecycle.BlockedError if the content cannot become an article.
func (c *Content) compose(ctx context.Context, t *task) (content.Document, error) {
	author, err := c.authored(ctx, t)
	if err != nil {
		return content.Document{}, err
	}
	var generated content.Document
	if !lifecycle.Written(t.article) {
		if generated, err = c.generated(ctx, t); err != nil {
			return content.Document{}, err
		}
	}
	doc, err := revision.Compose(generated, author, revision.Language(t.site))
	if err != nil {
		return content.Document{}, &lifecycle.BlockedError{Reason: v1alpha1.ReasonInvalidContent, Message: err.Error()}
	}
	if doc.Author != "" && t.site.Author(doc.Author) == nil {
		const message = "the author must be one of the authors of the site"
		return content.Document{}, &lifecycle.BlockedError{Reason: v1alpha1.ReasonInvalidContent, Message: message}
	}
	return doc, nil
}

// authored returns the author's content with its text, which the cache does not have, once in a reconcile. It returns a conflict if the
// cache is behind.
func (c *Content) authored(ctx context.Context, t *task) (*v1alpha1.ArticleContent, error) {
	a := t.article
	if !lifecycle.WithoutText(a.Spec.Content) {
		return a.Spec.Content, nil
	}
	if t.author != nil {
		return t.author, nil
	}
	if t.author = c.Texts.content(a); t.author != nil {
		return t.author, nil
	}
	live, err := base.Read[v1alpha1.Article](ctx, c.Live, client.ObjectKeyFromObject(a))
	if err != nil {
		return nil, err
	}
	if live == nil || live.UID != a.UID || lifecycle.ContentHash(live.Spec.Content) != lifecycle.ContentHash(a.Spec.Content) {
		return nil, base.CacheBehind("articles", a.Name)
	}
	t.author = live.Spec.Content
	return t.author, nil
}

// generated returns the latest generated text, without the author's content.
func (c *Content) generated(ctx context.Context, t *task) (content.Document, error) {
	name := revision.Name(t.article, lifecycle.GeneratedNumber(t.article))
	rev, err := c.read(ctx, t, name)
	if err != nil {
		return content.Document{}, err
	}
	if rev == nil {
		return content.Document{}, revisionMissing(t.article, fmt.Sprintf("the revision %s with the generated text does not exist", name))
	}
	return revision.Document(rev), nil
}

// read reads one of the article's own revisions, once in a reconcile; nil if there is none of this name.
func (c *Content) read(ctx context.Context, t *task, name string) (*v1alpha1.ArticleRevision, error) {
	if t.generated == nil || t.generated.Name != name {
		rev, err := readRevision(ctx, c.Base, t.article, name)
		if err != nil || rev == nil {
			return nil, err
		}
		t.generated = rev
	}
	return t.generated, nil
}

// create makes a revision of a document, under the next free number. A revision that an interrupted reconcile has left is used if it
// has the same content.
func (c *Content) create(ctx context.Context, t *task, doc content.Document) (*v1alpha1.ArticleRevision, error) {
	a := t.article
	used, err := c.Briefs.of(ctx, t)
	if err != nil {
		return nil, err
	}
	origin, err := c.checked(ctx, t, doc, used)
	if err != nil {
		return nil, err
	}
	for number := a.Status.LastRevisionNumber + 1; ; number++ {
		origin.Name, origin.Number = revision.Name(a, number), number
		wanted := revision.New(a, doc, origin)
		got, err := createRevision(ctx, c.Base, a, wanted)
		if err != nil || got.Spec.Digest == doc.Digest() {
			return got, err
		}
		// This number is used by a revision that is left over. It is deleted when the history drops it.
		a.Status.History = append(a.Status.History, number)
	}
}

// checked returns the origin of a revision that is not made by a run, with what the checks find in its document. used is the Brief that
// they compare it with; nil if there is none.
func (c *Content) checked(ctx context.Context, t *task, doc content.Document, used *v1alpha1.Brief) (revision.Origin, error) {
	in, err := c.checkInput(ctx, t, doc, used)
	if err != nil {
		return revision.Origin{}, err
	}
	origin, err := c.origin(ctx, t)
	if err != nil {
		return revision.Origin{}, err
	}
	return origin.CheckedBy(check.Run(in), named(used)), nil
}

// checkInput returns the input of the checks of a document that no run has just written. It compares the document with the site's other
// articles only if nobody reviews it.
func (c *Content) checkInput(ctx context.Context, t *task, doc content.Document, used *v1alpha1.Brief) (check.Input, error) {
	in := revision.WrittenInput(t.article.Spec.Generate, t.site)
	in.Document, in.Generated = doc, t.article.Spec.Generate != nil && !lifecycle.Written(t.article)
	if t.site == nil || t.site.Spec.Review.Policy != v1alpha1.ReviewAutomatic && used == nil {
		return in, nil
	}
	request := generateRequest(t.article, t.site)
	if err := addSiblings(ctx, c.Base, c.Related, &request, t.article); err != nil {
		return in, err
	}
	if used != nil {
		author, err := c.authored(ctx, t)
		if err != nil {
			return in, err
		}
		addBrief(&request, used, author)
	}
	generated := generate.CheckInput(request, doc)
	in.Material = generated.Material
	if t.site.Spec.Review.Policy == v1alpha1.ReviewAutomatic {
		in.Site = generated.Site
	}
	return in, nil
}

// origin returns the origin of a revision that is not made by a run. Without content of the author's, it is the generated text again.
func (c *Content) origin(ctx context.Context, t *task) (revision.Origin, error) {
	a := t.article
	origin := revision.Origin{Source: v1alpha1.SourceWritten, MadeBy: maker.Editor(a)}
	number := lifecycle.GeneratedNumber(a)
	if a.Spec.Generate == nil || number == 0 {
		return origin, nil
	}
	origin.Source = v1alpha1.SourceGenerated
	if a.Spec.Content != nil {
		origin.Source, origin.BasedOn = v1alpha1.SourceEdited, &v1alpha1.RevisionBase{Number: number}
	}
	rev, err := c.read(ctx, t, revision.Name(a, number))
	if rev != nil {
		origin.Generator = rev.Spec.Generator
	}
	return origin, err
}

// revisionMissing returns the blocker of a step that needs a missing revision. Its message says what to do.
func revisionMissing(a *v1alpha1.Article, found string) *lifecycle.BlockedError {
	way := "change spec.content"
	if a.Spec.Generate != nil && !lifecycle.Written(a) {
		way = "annotate " + v1alpha1.RegenerateAnnotation
	}
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonRevisionMissing, RetryAfter: base.SecretPoll,
		Message: found + ": restore it, or " + way + " for another one",
	}
}
