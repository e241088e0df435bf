package article

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// composedText returns the text that an article's manifest asks for, as the controller will take it into a revision; nil if there is
// nothing to make it of. Content that cannot become a revision, which kubectl may have stored, is shown as it was written.
func (s *Articles) composedText(ctx context.Context, a *v1alpha1.Article) (*Text, error) {
	var generated content.Document
	if !lifecycle.Written(a) {
		var err error
		if generated, err = s.generatedText(ctx, a); err != nil {
			return nil, err
		}
	}
	// The language decides nothing that is shown.
	document, err := revision.Compose(generated, a.Spec.Content, "")
	if err == nil {
		return s.rendered(document), nil
	}
	if a.Spec.Content == nil {
		return nil, nil
	}
	generated = revision.Overlay(generated, a.Spec.Content)
	if lifecycle.Written(a) {
		generated.Markdown = a.Spec.Content.Markdown
	}
	return s.rendered(generated), nil
}

// generatedText returns the latest generated text of an article; zero if it has none.
func (s *Articles) generatedText(ctx context.Context, a *v1alpha1.Article) (content.Document, error) {
	number := lifecycle.GeneratedNumber(a)
	if number == 0 {
		return content.Document{}, nil
	}
	name := identity.RevisionName(a.Name, identity.UID(identity.KindArticle, a.Namespace, a.Name), number)
	found := &v1alpha1.ArticleRevision{}
	err := s.Client.Get(ctx, client.ObjectKey{Namespace: a.Namespace, Name: name}, found)
	if apierrors.IsNotFound(err) {
		return content.Document{}, nil
	}
	if err != nil {
		return content.Document{}, err
	}
	return revision.Document(found), nil
}

// checkContent refuses an author's text that could not become a revision, naming the field.
func checkContent(c *v1alpha1.ArticleContent) error {
	if c == nil || c.Markdown == "" {
		return nil
	}
	_, err := revision.Compose(content.Document{}, c, "")
	return ContentProblem(err)
}

// checkAuthor refuses an author that the site of an article does not have. A site that does not exist yet is not asked.
func (s *Articles) checkAuthor(a *v1alpha1.Article) error {
	if a.Spec.Content == nil || a.Spec.Content.Author == "" {
		return nil
	}
	site, ok := SiteOf(s.Core, a)
	if !ok || site.Author(a.Spec.Content.Author) != nil {
		return nil
	}
	return problem.Invalid(problem.ErrorDetail{Field: "author", Message: "must be one of the authors of the site"})
}

// ContentProblem names the field for which a text cannot become a revision; nil without an error.
func ContentProblem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, content.ErrNoTitle):
		return problem.Invalid(problem.ErrorDetail{
			Field: "title", Message: "is required with content_markdown, or a first-level heading in it",
		})
	case errors.Is(err, content.ErrNoBody):
		return problem.Invalid(problem.ErrorDetail{Field: "content_markdown", Message: "must have a text"})
	case errors.Is(err, content.ErrTooLong):
		return problem.Invalid(mustBeShorter())
	case errors.Is(err, content.ErrTooComplex):
		_, why, _ := strings.Cut(err.Error(), content.ErrTooComplex.Error()+": ")
		return problem.Invalid(problem.ErrorDetail{Field: "content_markdown", Message: "must have simpler markup: " + why})
	default:
		return fmt.Errorf("checking a text: %w", err)
	}
}
