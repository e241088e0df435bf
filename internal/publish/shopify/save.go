package shopify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// post is an article of the shop.
type post struct {
	ID          string    `json:"id"`
	Handle      string    `json:"handle"`
	Title       string    `json:"title"`
	Body        string    `json:"body"`
	Summary     string    `json:"summary"`
	IsPublished bool      `json:"isPublished"`
	Tags        []string  `json:"tags"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
	Author      struct {
		Name string `json:"name"`
	} `json:"author"`
	Blog struct {
		ID string `json:"id"`
	} `json:"blog"`
	Image *image `json:"image"`
	// The metafields that are there, whose types cannot change.
	TitleTag       *metafield `json:"titleTag"`
	DescriptionTag *metafield `json:"descriptionTag"`
}

// image is the featured image of an article.
type image struct {
	AltText string `json:"altText"`
}

type metafield struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// described returns an article as the decision about it needs it. Of the image, which Shopify copies to an address of its own, the
// alternative text is compared. withImage means that the attempt writes it.
func (p post) described(where place, seo v1alpha1.ShopifySEO, withImage bool) cms.Found {
	fields := map[string]any{
		"title": p.Title, "handle": p.Handle, "body": p.Body, "summary": p.Summary, "published": p.IsPublished, "blog": p.Blog.ID,
		"author": p.Author.Name, "tags": slices.Sorted(slices.Values(p.Tags)),
	}
	for name, m := range map[string]*metafield{"title_tag": p.TitleTag, "description_tag": p.DescriptionTag} {
		if m != nil && m.Value != "" && seo != v1alpha1.ShopifySEOOmit {
			fields[name] = m.Value
		}
	}
	found := cms.Found{
		Post:  cms.Post{ID: p.ID, URL: where.url(p.Handle), Slug: p.Handle},
		Title: p.Title, Created: p.CreatedAt, Modified: p.UpdatedAt,
	}
	picture := cms.Optional{Value: "", Blank: p.Image == nil, Written: withImage}
	if p.Image != nil {
		picture.Value = "image: " + p.Image.AltText
	}
	found.Identify(fields, map[string]cms.Optional{"image": picture})
	return found
}

type posts struct {
	Nodes []post `json:"nodes"`
}

// place is where the articles of the blog are live.
type place struct{ domain, blog string }

func (p place) url(handle string) string {
	return strings.TrimSuffix(p.domain, "/") + "/blogs/" + p.blog + "/" + handle
}

// save writes the article that the shop has already, or creates one.
func (s *session) save(ctx context.Context, t publish.Target, a publish.Article, body string) (cms.Post, error) {
	where, posts, err := s.look(ctx, a)
	if err != nil {
		return cms.Post{}, err
	}
	describe := func(p post) cms.Found { return p.described(where, s.settings.SEO, a.Image != nil) }
	old, err := cms.Choose(s.client, t.Site, a, s.sent(a, body), posts, describe)
	if err != nil {
		return cms.Post{}, err
	}
	var saved post
	if old == nil {
		saved, err = s.create(ctx, s.input(a, body, post{}))
	} else {
		saved, err = s.update(ctx, old.ID, s.input(a, body, *old))
	}
	if e, ok := errors.AsType[*cms.Error](err); ok && e.Class == v1alpha1.ErrorSlugTaken && !a.Recorded.Attempted.IsZero() {
		// The search lags behind creations: the article may be that of an earlier attempt.
		err = cms.Fail(v1alpha1.ErrorUnavailable, "the shop has an article with this slug and does not list it yet")
	}
	if saved.Handle == "" {
		return cms.Post{ID: saved.ID}, err
	}
	return describe(saved).Post, err
}

// unpublish hides the article of the shop, unless it is hidden already.
func (s *session) unpublish(ctx context.Context, a publish.Article) (cms.Post, error) {
	where, posts, err := s.look(ctx, a)
	if err != nil {
		return cms.Post{}, err
	}
	old, changed := cms.ToUnpublish(s.client, a, posts, func(p post) cms.Found {
		hidden := !p.IsPublished
		p.IsPublished = true // The rest of the article says whether somebody has changed it.
		f := p.described(where, s.settings.SEO, false)
		f.Hidden = hidden
		return f
	})
	if old == nil {
		return cms.Post{}, changed
	}
	// The next publication may write the image.
	switch {
	case !old.IsPublished && changed != nil:
		return cms.Post{ID: old.ID}, nil //nolint:nilerr // What somebody has made of it stays as it is.
	case !old.IsPublished:
		return old.described(where, s.settings.SEO, true).Post, nil
	case changed != nil:
		return cms.Post{}, changed
	}
	saved, err := s.update(ctx, old.ID, map[string]any{"isPublished": false})
	if saved.Handle == "" {
		return cms.Post{ID: old.ID}, err
	}
	if err == nil && saved.IsPublished {
		err = cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "Shopify still shows the article")
	}
	return saved.described(where, s.settings.SEO, true).Post, err
}

// look returns where articles are live, those with the slug of an article, and behind them that of an earlier attempt.
func (s *session) look(ctx context.Context, a publish.Article) (place, []post, error) {
	var answer struct {
		Shop shop `json:"shop"`
		Blog *struct {
			Handle   string `json:"handle"`
			Articles posts  `json:"articles"`
		} `json:"blog"`
		Articles posts `json:"articles"`
	}
	search := fmt.Sprintf("handle:%s AND blog_id:%s", quoted(a.Slug), s.settings.BlogID)
	variables := map[string]any{"blogID": s.blogID(), "search": search}
	if err := s.call(fence.ReadOnly(ctx), lookDocument+postFragment, variables, &answer); err != nil {
		return place{}, nil, err
	}
	if answer.Blog == nil {
		return place{}, nil, cms.Fail(v1alpha1.ErrorNotFound, noBlog)
	}
	where := place{answer.Shop.PrimaryDomain.URL, answer.Blog.Handle}
	var found []post
	for _, p := range slices.Concat(answer.Articles.Nodes, answer.Blog.Articles.Nodes) {
		// The search finds parts of handles too.
		if p.Handle == a.Slug && p.Blog.ID == s.blogID() {
			found = append(found, p)
		}
	}
	known, err := s.known(ctx, a.ExternalID)
	if known != nil {
		found = append(found, *known)
	}
	return where, found, err
}

// quoted is a text as a value of Shopify's search syntax.
func quoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// known returns the article of an earlier attempt; nil if there is none any more.
func (s *session) known(ctx context.Context, id string) (*post, error) {
	if !strings.HasPrefix(id, "gid://shopify/Article/") {
		return nil, nil
	}
	var answer struct {
		Article *post `json:"article"`
	}
	if err := s.call(fence.ReadOnly(ctx), knownDocument+postFragment, map[string]any{"id": id}, &answer); err != nil {
		return nil, err
	}
	return answer.Article, nil
}

// sent returns the article that an input would make.
func (s *session) sent(a publish.Article, body string) post {
	p := post{
		Handle: a.Slug, Title: a.Title, Body: body, Summary: html.EscapeString(a.MetaDescription), IsPublished: true, Tags: s.tags(a),
	}
	p.Author.Name, p.Blog.ID = cmp.Or(a.Author, s.settings.AuthorName), s.blogID()
	if a.Image != nil {
		p.Image = &image{a.Image.Alt}
	}
	p.TitleTag, p.DescriptionTag = &metafield{Value: cmp.Or(a.MetaTitle, a.Title)}, &metafield{Value: a.MetaDescription}
	return p
}

// tags are the Site's and the article's, each once: Shopify does not tell upper from lower case.
func (s *session) tags(a publish.Article) []string {
	tags := []string{}
	for _, tag := range slices.Concat(s.settings.Tags, a.Tags) {
		if !slices.ContainsFunc(tags, func(other string) bool { return strings.EqualFold(other, tag) }) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// input is an article as creations and updates have it.
func (s *session) input(a publish.Article, body string, old post) map[string]any {
	input := map[string]any{
		"blogId": s.blogID(), "title": a.Title, "handle": a.Slug, "body": body, "summary": html.EscapeString(a.MetaDescription),
		"author": map[string]any{"name": cmp.Or(a.Author, s.settings.AuthorName)}, "isPublished": true, "tags": s.tags(a),
	}
	if a.Image != nil {
		input["image"] = map[string]any{"url": a.Image.URL, "altText": a.Image.Alt}
	}
	if s.settings.SEO == v1alpha1.ShopifySEOOmit {
		return input
	}
	metafields := []map[string]any{}
	add := func(key, value string, old *metafield) {
		if old == nil {
			old = &metafield{Type: "single_line_text_field"}
		}
		// An empty value is refused.
		if value != "" {
			metafields = append(metafields, map[string]any{"namespace": "global", "key": key, "type": old.Type, "value": value})
		}
	}
	add("title_tag", cmp.Or(a.MetaTitle, a.Title), old.TitleTag)
	add("description_tag", a.MetaDescription, old.DescriptionTag)
	input["metafields"] = metafields
	return input
}

// payload is the result of a mutation.
type payload struct {
	Article    *post       `json:"article"`
	UserErrors []userError `json:"userErrors"`
}

func (s *session) create(ctx context.Context, input map[string]any) (post, error) {
	var answer struct {
		Payload payload `json:"articleCreate"`
	}
	if err := s.call(ctx, createDocument+postFragment, map[string]any{"article": input}, &answer); err != nil {
		return post{}, err
	}
	return answer.Payload.post()
}

func (s *session) update(ctx context.Context, id string, input map[string]any) (post, error) {
	var answer struct {
		Payload payload `json:"articleUpdate"`
	}
	if err := s.call(ctx, updateDocument+postFragment, map[string]any{"id": id, "article": input}, &answer); err != nil {
		return post{ID: id}, err
	}
	saved, err := answer.Payload.post()
	saved.ID = id
	return saved, err
}

func (p payload) post() (post, error) {
	switch {
	case len(p.UserErrors) > 0:
		return post{}, p.UserErrors[0].failure()
	case p.Article == nil || p.Article.ID == "" || p.Article.Handle == "":
		return post{}, cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer lacks the id or the handle of the article")
	}
	return *p.Article, nil
}

// userError is a field of an article that Shopify does not accept.
type userError struct {
	Code  string   `json:"code"`
	Field []string `json:"field"`
}

func (e userError) failure() error {
	field := "a field"
	// The path begins with the argument, such as article.body or article.metafields.0.value.
	if len(e.Field) > 1 && cms.Name(e.Field[1]) != "" {
		field = e.Field[1]
	}
	switch {
	case e.Code == "NOT_FOUND" && field == "blogId":
		return cms.Fail(v1alpha1.ErrorNotFound, noBlog)
	case e.Code == "TAKEN":
		return cms.SlugTaken("")
	case e.Code == "TOO_LONG":
		return cms.Fail(v1alpha1.ErrorInvalidContent, "%s is too long for Shopify: shorten it", field)
	default:
		return cms.Fail(v1alpha1.ErrorInvalidContent, "Shopify does not accept %s: change it", field)
	}
}
