package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// copies is how often etcd gets a text that is written: in the article, and in the revision that the controller makes.
const copies = 2

// writes is how often etcd gets a text because of one request: the controller also writes the article's status, with the whole article.
const writes = copies + 1

// RoomForArticle takes room for another article, with so many bytes of written text. It returns an APIError if the account may not have
// that. A request that has created its article already needs none.
func (s *Articles) RoomForArticle(
	ctx context.Context, c *operation.Call, request operation.Request, textBytes int64,
) (operation.Places, error) {
	places, refused := s.takeRoom(ctx, c, request, textBytes)
	if refused == nil {
		return places, nil
	}
	places.Release()
	if repeated, err := s.IsRepeated(ctx, c, request); repeated || err != nil {
		return nil, err
	}
	return nil, refused
}

// takeRoom takes what RoomForArticle does, until something is refused.
func (s *Articles) takeRoom(
	ctx context.Context, c *operation.Call, request operation.Request, textBytes int64,
) (places operation.Places, err error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return nil, err
	}
	if most := account.Spec.Limits.MostPosts(); account.Status.Objects.Posts >= most {
		return nil, problem.LimitReached("posts", "articles that were sent, even if they are deleted", most)
	}
	seen := func() bool {
		_, seen := s.Index.Get(c.Workspace, request.Name)
		return seen
	}
	for _, one := range []struct {
		operation.Limit

		n  int64
		of func(index.Usage) int64
	}{
		{operation.Limit{Name: "articles", Of: "articles", Most: v1alpha1.AccountLimits.MostArticles}, 1, articlesOf},
		{operation.Limit{Name: "unpublishedArticles", Of: "articles that are not published",
			Most: v1alpha1.AccountLimits.MostUnpublishedArticles}, 1, unpublishedOf},
		{textLimit, textBytes, textOf},
	} {
		one.Seen, one.Count = seen, s.counting(c, one.of)
		if one.n == 0 {
			continue
		}
		place, err := c.Room(ctx, one.Limit, one.n)
		if err != nil {
			return places, err
		}
		places = append(places, place)
	}
	place, err := c.RoomForRecord(ctx, request)
	if err != nil {
		return places, err
	}
	return append(places, place), nil
}

// textLimit is that of written text.
var textLimit = operation.Limit{Name: "textBytes", Of: "bytes of written text", Most: v1alpha1.AccountLimits.MostTextBytes}

func articlesOf(u index.Usage) int64    { return u.Articles }
func unpublishedOf(u index.Usage) int64 { return u.Unpublished }
func textOf(u index.Usage) int64        { return u.TextBytes }

// counting returns a function that counts what the account has in memory.
func (s *Articles) counting(c *operation.Call, of func(index.Usage) int64) func(context.Context) (int64, error) {
	return func(context.Context) (int64, error) { return of(s.Index.Usage(c.Principal.Account)), nil }
}

// takeRoomForEdit takes room for so many more bytes of text as an edit leaves. It returns an APIError if the account may not have them.
// Edits that make a text shorter than half are always possible. Of an edit that is not written, the room comes back by itself.
func (s *Articles) takeRoomForEdit(ctx context.Context, c *operation.Call, old *v1alpha1.Article, more int64) error {
	if more <= 0 {
		return nil
	}
	limit := textLimit
	limit.Count = s.counting(c, textOf)
	limit.Seen = func() bool {
		found, ok := s.Index.Get(old.Namespace, identity.UID(identity.KindArticle, old.Namespace, old.Name))
		return ok && found.Object.Generation > old.Generation
	}
	place, err := c.Room(ctx, limit, more)
	if err == nil {
		place.Keep()
	}
	return err
}
