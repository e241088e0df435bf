package wordpress

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// terms returns the ids of the categories and tags that the Site names, by the names of the fields of a post.
func (s *session) terms(ctx context.Context) (map[string][]int64, error) {
	w := s.site.Spec.CMS.WordPress
	ids := map[string][]int64{}
	for _, named := range []struct {
		field string
		slugs []string
	}{{"categories", w.Categories}, {"tags", w.Tags}} {
		if len(named.slugs) == 0 {
			continue
		}
		found, err := s.termsOf(ctx, named.field, named.slugs)
		if err != nil {
			return nil, err
		}
		ids[named.field] = found
	}
	return ids, nil
}

// termsOf returns the ids of the terms with these slugs.
func (s *session) termsOf(ctx context.Context, taxonomy string, slugs []string) ([]int64, error) {
	found, err := s.termsBySlug(ctx, taxonomy, slugs)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(slugs))
	for _, slug := range slugs {
		if id := found[slug]; id > 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) != len(slugs) {
		return nil, cms.Fail(v1alpha1.ErrorNotFound, "WordPress lacks one of the %s of the Site: create it, or correct its slug", taxonomy)
	}
	return ids, nil
}

// term is a category or a tag.
type term struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
}

// termsBySlug returns the ids of those terms of a taxonomy that WordPress has, by their slugs.
func (s *session) termsBySlug(ctx context.Context, taxonomy string, slugs []string) (map[string]int64, error) {
	var found []term
	query := url.Values{"slug[]": slugs, "per_page": {"100"}, fieldsParam: {"id,slug"}}
	if err := s.call(ctx, get("wp/v2/"+taxonomy, query), &found); err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	for _, t := range found {
		ids[t.Slug] = t.ID
	}
	return ids, nil
}

// addTerms adds the category and the tags of an article to the fields of its post. WordPress knows them by their slugs.
func (s *session) addTerms(ctx context.Context, a publish.Article, fields map[string]any) error {
	if a.Category != "" {
		slug := content.Slug(a.Category, a.Language)
		found, err := s.termsBySlug(ctx, "categories", []string{slug})
		if err != nil {
			return err
		}
		if found[slug] == 0 {
			return cms.Fail(v1alpha1.ErrorNotFound, "WordPress lacks the category of the article: create it, or choose another one")
		}
		fields["categories"] = []int64{found[slug]}
	}
	if len(a.Tags) == 0 {
		return nil
	}
	tags, err := s.tags(ctx, a)
	fields["tags"] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.termIDs["tags"], tags))))
	return err
}

// tags returns the ids of an article's tags. It creates those that WordPress does not have, if the Site says so.
func (s *session) tags(ctx context.Context, a publish.Article) ([]int64, error) {
	slugs := make([]string, 0, len(a.Tags))
	for _, tag := range a.Tags {
		slugs = append(slugs, content.Slug(tag, a.Language))
	}
	found, err := s.termsBySlug(ctx, "tags", slugs)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(slugs))
	for i, slug := range slugs {
		switch {
		case found[slug] > 0:
		case s.site.Spec.CMS.WordPress.CreateTags != v1alpha1.CreateTagsMissing:
			return nil, cms.Fail(v1alpha1.ErrorNotFound, "WordPress lacks a tag of the article: create it, or set createTags")
		default:
			var made term
			body := map[string]any{"name": a.Tags[i], "slug": slug}
			create := call{method: http.MethodPost, path: "wp/v2/tags", body: body, want: http.StatusCreated}
			if err := s.call(ctx, create, &made); err != nil {
				return nil, err
			}
			found[slug] = made.ID
		}
		ids = append(ids, found[slug])
	}
	return ids, nil
}
