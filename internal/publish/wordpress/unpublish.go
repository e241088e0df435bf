package wordpress

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

const (
	published = "publish"
	draft     = "draft"
)

// unpublish makes the post of an article a draft, unless it is not public already.
func (c Connector) unpublish(ctx context.Context, s *session, a publish.Article) (cms.Post, error) {
	end, err := c.turns.Lock(ctx, s.root.String())
	if err != nil {
		return cms.Post{}, cms.Fail(v1alpha1.ErrorUnavailable, "other articles kept this WordPress busy for the whole attempt")
	}
	defer end()
	posts, err := s.candidates(ctx, a)
	if err != nil {
		return cms.Post{}, err
	}
	found := make([]cms.Found, 0, len(posts))
	for _, p := range posts {
		p.Status = published // The rest of the post says whether somebody has changed it.
		found = append(found, s.described(p))
	}
	chosen, changed := s.client.ToUnpublish(a, found)
	if chosen == nil {
		return cms.Post{}, nil
	}
	// The next publication may write any of these fields.
	s.writes = map[string]bool{"author": true, "categories": true, "tags": true, imageField: true}
	p := posts[indexOf(posts, chosen.ID)]
	switch {
	case p.Status != published && p.Status != "future" && changed != nil:
		return cms.Post{ID: chosen.ID}, nil // What somebody has made of it stays as it is.
	case p.Status != published && p.Status != "future":
		return s.described(p).Post, nil
	case changed != nil:
		return cms.Post{}, changed
	}
	updated, err := s.write(ctx, s.path(p), http.StatusOK, map[string]any{"status": draft})
	return s.postOf(updated), err
}
