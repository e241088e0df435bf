package wordpress

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// upsert updates the post of an article, or creates it. Meanwhile no other attempt does so at the same WordPress: see Connection.
func (c Connector) upsert(ctx context.Context, s *session, a publish.Article) (cms.Post, error) {
	fields, err := s.fields(a)
	if err != nil {
		return cms.Post{}, err
	}
	if err := s.addTerms(ctx, a, fields); err != nil {
		return cms.Post{}, err
	}
	for field := range fields {
		s.writes[field] = field != "author" || s.bylineID(a) != ""
	}
	var image media
	if a.Image != nil {
		if image, err = s.findImage(ctx, a.Image); err != nil {
			return cms.Post{}, err
		}
		fields[imageField], s.writes[imageField] = image.ID, true
	}
	found, err := s.find(ctx, a, fields)
	if err != nil {
		return cms.Post{}, err
	}
	if a.Image != nil {
		if fields[imageField], err = c.addImage(ctx, s, a, image); err != nil {
			return cms.Post{}, err
		}
	}
	if found != nil {
		return s.update(ctx, *found, fields)
	}
	created, err := s.write(ctx, s.collection, http.StatusCreated, fields)
	if err != nil || created.Slug == a.Slug {
		return s.postOf(created), err
	}
	return s.withAnotherSlug(ctx, created, a, fields)
}

// postOf describes what was written; nothing if nothing was answered.
func (s *session) postOf(p post) cms.Post {
	if p.ID <= 0 {
		return cms.Post{}
	}
	return s.described(p).Post
}

// update writes the article into a post that exists.
func (s *session) update(ctx context.Context, found post, fields map[string]any) (cms.Post, error) {
	if found.Status == "future" {
		// A post that is scheduled would stay so.
		fields["date_gmt"] = s.clock.Now().UTC().Format("2006-01-02T15:04:05")
	}
	if !s.writes["author"] {
		delete(fields, "author") // The Site's is of new posts.
	}
	updated, err := s.write(ctx, s.path(found), http.StatusOK, fields)
	if updated.ID <= 0 {
		return cms.Post{ID: strconv.FormatInt(found.ID, 10)}, err
	}
	return s.postOf(updated), err
}

// withAnotherSlug decides about a post that WordPress has created under another slug. If a post of the article with the slug has appeared
// since it was looked up, that is one of an earlier attempt whose request WordPress has finished late: the newer one is removed. Otherwise
// something that this user cannot see, or that somebody has just made, has the slug, and the post keeps the other one.
func (s *session) withAnotherSlug(ctx context.Context, created post, a publish.Article, fields map[string]any) (cms.Post, error) {
	posts, err := s.withSlug(ctx, a)
	if err != nil {
		return s.postOf(created), err
	}
	posts = slices.DeleteFunc(posts, func(p post) bool { return p.ID == created.ID })
	if earlier, err := s.choose(a, fields, posts); err == nil && earlier != nil {
		return s.replace(ctx, created, *earlier, fields)
	}
	return s.postOf(created), nil
}

// replace removes a post that was just created, and writes the article into an earlier one.
func (s *session) replace(ctx context.Context, created, earlier post, fields map[string]any) (cms.Post, error) {
	var gone struct{}
	remove := call{method: http.MethodDelete, path: s.path(created), query: url.Values{"force": {"true"}}, want: http.StatusOK}
	if err := s.call(ctx, remove, &gone); err != nil {
		return s.postOf(created), err
	}
	return s.update(ctx, earlier, fields)
}

// write sends the fields of a post, and checks what WordPress made of them: a plugin may hold a post back.
func (s *session) write(ctx context.Context, path string, want int, body map[string]any) (post, error) {
	var p post
	query := url.Values{"context": {"edit"}, fieldsParam: {postFields}}
	if err := s.call(ctx, call{method: http.MethodPost, path: path, query: query, body: body, want: want}, &p); err != nil {
		return post{}, err
	}
	switch {
	case p.ID <= 0:
		return post{}, cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "WordPress answered a post without an id: a plugin may change its REST API")
	case p.Status != body["status"] && body["status"] == draft:
		return p, cms.Fail(v1alpha1.ErrorMissingPermission, "WordPress keeps the post as %s: a plugin must let this user make it a draft",
			statusName(p.Status))
	case p.Status != body["status"]:
		return p, cms.Fail(v1alpha1.ErrorMissingPermission, "WordPress keeps the post as %s: a plugin must let this user publish",
			statusName(p.Status))
	case body[imageField] != nil && p.Image != body[imageField]:
		return p, cms.Fail(v1alpha1.ErrorInvalidContent, "WordPress does not set the featured image: the post type must support thumbnails")
	}
	return p, nil
}

func statusName(status string) string {
	if name := cms.Name(status); name != "" {
		return name
	}
	return "unpublished"
}

func (s *session) path(p post) string { return s.collection + "/" + strconv.FormatInt(p.ID, 10) }

// fields are the fields of the post. WordPress takes title and excerpt as HTML.
func (s *session) fields(a publish.Article) (map[string]any, error) {
	body, err := cms.Body(s.site, a)
	if err != nil {
		return nil, err
	}
	fields := map[string]any{
		"title": text.Replace(a.Title), "slug": a.Slug, "content": s.content(body), "excerpt": text.Replace(a.MetaDescription),
		"status": published,
	}
	if author, err := s.author(a); err != nil {
		return nil, err
	} else if author != 0 {
		fields["author"] = author
	}
	for field, ids := range s.termIDs {
		fields[field] = ids
	}
	if meta := s.seo(a); len(meta) > 0 {
		fields["meta"] = meta
	}
	return fields, nil
}

// author returns the id of the author of a post: the article's, or else the Site's; 0 if neither has one.
func (s *session) author(a publish.Article) (int64, error) {
	byline := s.bylineID(a)
	if byline == "" {
		return s.site.Spec.CMS.WordPress.AuthorID, nil
	}
	id, err := strconv.ParseInt(byline, 10, 64)
	if err != nil || id <= 0 {
		return 0, cms.Fail(v1alpha1.ErrorNotFound, "the externalID of the author must be the number of a WordPress user")
	}
	return id, nil
}

// bylineID is the externalID of the article's author; empty if it has none.
func (s *session) bylineID(a publish.Article) string {
	if author := s.site.Author(a.Author); author != nil {
		return author.ExternalID
	}
	return ""
}

// text makes HTML of plain text.
var text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// content returns a body of which WordPress shows what was approved.
func (s *session) content(body string) string {
	return forWordPress(body, s.site.Spec.CMS.WordPress.Shortcodes == v1alpha1.ShortcodesRun)
}

// forWordPress replaces the line ends in texts by spaces, except in <pre>: WordPress makes a <br> of each one that it shows. Unless they
// run, it escapes what begins a shortcode, which WordPress runs also in code and in attributes, and an address, which it embeds if that
// stands alone.
func forWordPress(body string, run bool) string {
	var b strings.Builder
	preformatted := 0
	z := html.NewTokenizer(strings.NewReader(body))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		raw := string(z.Raw())
		switch name, _ := z.TagName(); {
		case kind == html.TextToken && preformatted == 0:
			raw = strings.ReplaceAll(raw, "\n", " ")
		case kind == html.StartTagToken && string(name) == "pre":
			preformatted++
		case kind == html.EndTagToken && string(name) == "pre":
			preformatted = max(preformatted-1, 0)
		}
		if !run && kind == html.TextToken {
			raw = strings.ReplaceAll(raw, "://", "&#58;//")
		}
		if !run {
			raw = strings.ReplaceAll(raw, "[", "&#91;")
		}
		b.WriteString(raw)
	}
}

const (
	published = "publish"
	draft     = "draft"
)

// unpublish makes the post of an article a draft, unless it is not public already.
func (s *session) unpublish(ctx context.Context, a publish.Article) (cms.Post, error) {
	posts, err := s.candidates(ctx, a)
	if err != nil {
		return cms.Post{}, err
	}
	p, changed := cms.ToUnpublish(s.client, a, posts, func(p post) cms.Found {
		hidden := p.Status != published && p.Status != "future"
		p.Status = published // The rest of the post says whether somebody has changed it.
		f := s.described(p)
		f.Hidden = hidden
		return f
	})
	if p == nil {
		return cms.Post{}, changed
	}
	// The next publication may write any of these fields.
	s.writes = map[string]bool{"author": true, "categories": true, "tags": true, imageField: true}
	switch {
	case p.Status != published && p.Status != "future" && changed != nil:
		return cms.Post{ID: strconv.FormatInt(p.ID, 10)}, nil //nolint:nilerr // What somebody has made of it stays as it is.
	case p.Status != published && p.Status != "future":
		return s.described(*p).Post, nil
	case changed != nil:
		return cms.Post{}, changed
	}
	updated, err := s.write(ctx, s.path(*p), http.StatusOK, map[string]any{"status": draft})
	return s.postOf(updated), err
}
