package wordpress

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// fieldsParam is the parameter that names the members of the answer.
const fieldsParam = "_fields"

// post is a post as the API answers it.
type post struct {
	ID          int64           `json:"id"`
	Slug        string          `json:"slug"`
	Status      string          `json:"status"`
	Link        string          `json:"link"`
	DateGMT     string          `json:"date_gmt"`
	ModifiedGMT string          `json:"modified_gmt"`
	Title       raw             `json:"title"`
	Content     raw             `json:"content"`
	Excerpt     raw             `json:"excerpt"`
	Author      int64           `json:"author"`
	Categories  []int64         `json:"categories"`
	Tags        []int64         `json:"tags"`
	Image       int64           `json:"featured_media"`
	Meta        json.RawMessage `json:"meta"`
}

// raw is a text as it is stored.
type raw struct {
	Raw string `json:"raw"`
}

// postFields are the fields of post.
const postFields = "id,slug,status,link,date_gmt,modified_gmt,title,content,excerpt,author,categories,tags,featured_media,meta"

// trashed is the suffix that WordPress adds to the slug of a post in the trash.
const trashed = "__trashed"

// allStatuses are the statuses in which a post may hold a slug. WordPress's any leaves out the trash.
var allStatuses = []string{"publish", "future", "draft", "pending", "private", "trash"}

// described returns a post as the decision about it needs it. Of author and taxonomies, those are compared that the attempt writes.
func (s *session) described(p post) cms.Found {
	seo := map[string]string{}
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(p.Meta, &meta) // PHP writes an empty list for no fields
	for _, field := range seoFields {
		var value string
		if json.Unmarshal(meta[field.key], &value) == nil && value != "" {
			seo[field.key] = value
		}
	}
	fields := map[string]any{
		"title": p.Title.Raw, "slug": p.Slug, "content": p.Content.Raw, "excerpt": p.Excerpt.Raw, "status": p.Status, "meta": seo,
	}
	found := cms.Found{
		Post:  cms.Post{ID: strconv.FormatInt(p.ID, 10), URL: p.Link, Slug: strings.TrimSuffix(p.Slug, trashed)},
		Title: p.Title.Raw, Created: date(p.DateGMT), Modified: date(p.ModifiedGMT),
	}
	// Each post has an author and a category.
	found.Identify(fields, map[string]cms.Optional{
		"author":     {Value: p.Author, Blank: true, Written: s.writes["author"]},
		"categories": {Value: slices.Sorted(slices.Values(p.Categories)), Blank: true, Written: s.writes["categories"]},
		"tags":       {Value: slices.Sorted(slices.Values(p.Tags)), Blank: len(p.Tags) == 0, Written: s.writes["tags"]},
		imageField:   {Value: p.Image, Blank: p.Image == 0, Written: s.writes[imageField]},
	})
	return found
}

// date is a date of the API, which has no zone; zero if there is none, as of a draft.
func date(gmt string) time.Time {
	t, err := time.Parse("2006-01-02T15:04:05", gmt)
	if err != nil {
		return time.Time{}
	}
	return t
}

// find returns the post of an article; nil if there is none.
func (s *session) find(ctx context.Context, a publish.Article, fields map[string]any) (*post, error) {
	posts, err := s.candidates(ctx, a)
	if err != nil {
		return nil, err
	}
	return s.choose(a, fields, posts)
}

// candidates returns the posts that may be the article's: those with its slug, and behind them that of its id.
func (s *session) candidates(ctx context.Context, a publish.Article) ([]post, error) {
	posts, err := s.withSlug(ctx, a)
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(a.ExternalID, 10, 64)
	if err == nil && id > 0 && !slices.ContainsFunc(posts, func(p post) bool { return p.ID == id }) {
		known, err := s.withID(ctx, id)
		if err != nil {
			return nil, err
		}
		if known != nil {
			posts = append(posts, *known)
		}
	}
	return posts, nil
}

// choose returns the one of the posts that an attempt writes; nil if there is none.
func (s *session) choose(a publish.Article, fields map[string]any, posts []post) (*post, error) {
	return cms.Choose(s.client, s.site, a, sent(fields), posts, func(p post) cms.Found {
		f := s.described(p)
		if p.Status == "trash" && f.ID != a.ExternalID {
			f.Slug = p.Slug // The trash holds no slug.
		}
		return f
	})
}

// sent returns the fields that are sent as the post that they would make.
func sent(fields map[string]any) post {
	text := func(name string) string {
		text, _ := fields[name].(string)
		return text
	}
	p := post{Slug: text("slug"), Status: text("status")}
	p.Title.Raw, p.Content.Raw, p.Excerpt.Raw = text("title"), text("content"), text("excerpt")
	p.Author, _ = fields["author"].(int64)
	p.Categories, _ = fields["categories"].([]int64)
	p.Tags, _ = fields["tags"].([]int64)
	p.Image, _ = fields[imageField].(int64)
	if meta, err := json.Marshal(fields["meta"]); err == nil {
		p.Meta = meta
	}
	return p
}

// withSlug returns the posts with the slug of an article, oldest first, those in the trash included. If an attempt may have made a post,
// it also returns those whose slug has a number: WordPress adds one to a slug that is taken.
func (s *session) withSlug(ctx context.Context, a publish.Article) ([]post, error) {
	slugs := []string{a.Slug, a.Slug + trashed}
	if a.Recorded.Slug != "" {
		slugs = append(slugs, a.Recorded.Slug, a.Recorded.Slug+trashed)
	}
	for n := 2; n <= publish.MaxSlugNumber && !a.Recorded.Attempted.IsZero(); n++ {
		slugs = append(slugs, a.Slug+"-"+strconv.Itoa(n))
	}
	var posts []post
	err := s.call(ctx, get(s.collection, url.Values{
		"slug[]": slugs, "status[]": allStatuses, "context": {"edit"}, "orderby": {"id"}, "order": {"asc"},
		"per_page": {"100"}, fieldsParam: {postFields},
	}), &posts)
	return posts, err
}

// withID returns a post, or nil if there is none.
func (s *session) withID(ctx context.Context, id int64) (*post, error) {
	var p post
	path := s.collection + "/" + strconv.FormatInt(id, 10)
	err := s.call(ctx, get(path, url.Values{"context": {"edit"}, fieldsParam: {postFields}}), &p)
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &p, nil
}
