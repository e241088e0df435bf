package wordpress

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// fieldsParam is the parameter that names the members of the answer.
const fieldsParam = "_fields"

// post is a post as the API answers it.
type post struct {
	ID     int64  `json:"id"`
	Slug   string `json:"slug"`
	Status string `json:"status"`
	Link   string `json:"link"`
}

// postFields are the fields of post.
const postFields = "id,slug,status,link"

// trashed is what WordPress adds to the slug of a post in the trash.
const trashed = "__trashed"

// allStatuses are the statuses in which a post may hold a slug. WordPress's any leaves out the trash.
var allStatuses = []string{"publish", "future", "draft", "pending", "private", "trash"}

func (p post) described() cms.Post {
	return cms.Post{ID: strconv.FormatInt(p.ID, 10), URL: p.Link, Slug: p.Slug}
}

// find returns the post of an article: the one with the id of an earlier attempt, else the one with the slug, else the one with
// the slug in the trash. It is nil if there is none.
func (s *session) find(ctx context.Context, a publish.Article) (*post, error) {
	posts, err := s.withSlug(ctx, a.Slug)
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(a.ExternalID, 10, 64)
	if err == nil && id > 0 && !slices.ContainsFunc(posts, func(p post) bool { return p.ID == id }) {
		known, err := s.withID(ctx, id)
		if err != nil {
			return nil, err
		}
		if known != nil && (s.has(a.URL) || isNumbered(known.Slug, a.Slug)) {
			return known, nil
		}
	}
	for _, wanted := range []func(post) bool{
		func(p post) bool { return p.ID == id },
		func(p post) bool { return p.Slug == a.Slug && p.Status == "publish" },
		func(p post) bool { return p.Slug == a.Slug },
	} {
		if i := slices.IndexFunc(posts, wanted); i >= 0 {
			return &posts[i], nil
		}
	}
	if len(posts) > 0 {
		return &posts[0], nil
	}
	return nil, nil
}

// withSlug returns the posts with a slug, oldest first, those in the trash included.
func (s *session) withSlug(ctx context.Context, slug string) ([]post, error) {
	var posts []post
	err := s.call(ctx, get(s.collection, url.Values{
		"slug[]": {slug, slug + trashed}, "status[]": allStatuses, "context": {"edit"}, "orderby": {"id"}, "order": {"asc"},
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

// has reports whether the URL of an earlier publication is one of this WordPress: an id of another one, which the Site had before, names
// another post here.
func (s *session) has(published string) bool {
	home, _, _ := strings.Cut(strings.TrimSuffix(s.root.String(), "/"), "?")
	for _, end := range []string{"/wp-json", "/index.php"} {
		home = strings.TrimSuffix(home, end)
	}
	return strings.HasPrefix(published, strings.TrimSuffix(home, "/")+"/")
}

var number = regexp.MustCompile(`^(-[0-9]+)?(__trashed(-[0-9]+)?)?$`)

// isNumbered reports whether a slug is what WordPress makes of another one that is taken or in the trash.
func isNumbered(slug, of string) bool {
	return len(slug) >= len(of) && slug[:len(of)] == of && number.MatchString(slug[len(of):])
}
