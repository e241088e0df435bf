package rest

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// completed returns an edit's assignments with what keeps the fields that it does not name: an author's body takes no title over from
// the text before, so the title that the article has goes into the manifest with it. It refuses content that could not become a
// revision.
func (s *service) completed(ctx context.Context, a *v1alpha1.Article, r *EditRequest, changes []assignment) ([]assignment, error) {
	after := r.contentOf(a)
	if after == nil {
		return changes, nil
	}
	if after.Markdown != "" && after.Title == "" {
		before, err := s.revisionText(ctx, a)
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, err
		}
		if before != nil {
			after.Title = before.document.Title
			changes = append(changes, assignment{[]string{"spec", "content", "title"}, after.Title})
		}
	}
	return changes, checkContent(after)
}

// contentOf returns spec.content after the edit; nil if the edit does not change it.
func (r *EditRequest) contentOf(a *v1alpha1.Article) *v1alpha1.ArticleContent {
	c := &v1alpha1.ArticleContent{}
	if a.Spec.Content != nil {
		c = a.Spec.Content.DeepCopy()
	}
	changed := r.FAQ != nil
	for _, f := range []struct {
		wanted *string
		field  *string
	}{
		{r.Title, &c.Title}, {(*string)(r.Slug), &c.Slug}, {r.ContentMarkdown, &c.Markdown},
		{r.MetaTitle, &c.MetaTitle}, {r.MetaDescription, &c.MetaDescription},
	} {
		if f.wanted != nil {
			*f.field, changed = *f.wanted, true
		}
	}
	if !changed {
		return nil
	}
	switch {
	case len(r.FAQ) > 0:
		c.FAQ, c.FAQPolicy = nil, v1alpha1.FAQGenerated
		for _, q := range r.FAQ {
			c.FAQ = append(c.FAQ, v1alpha1.FAQ(q))
		}
	case r.FAQ != nil:
		c.FAQPolicy = v1alpha1.FAQNone
	}
	return c
}
