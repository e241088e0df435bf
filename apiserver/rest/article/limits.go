package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// The limits are compared with what this replica's memory holds, which lags behind a write by a moment, and with what the controller counts
// once a minute: requests that are answered in the meantime may pass a limit by a few.

// copies is how often etcd gets a text that is written: in the article, and in the revision that the controller makes.
const copies = 2

// writes is how often etcd gets a text because of one request: the controller also writes the article's status, with the whole article.
const writes = copies + 1

// QuotaForArticle returns an APIError if the account may not have another article, or not with so many bytes of written text. A
// request that has created its article already needs none.
func (s *Articles) QuotaForArticle(ctx context.Context, c *operation.Call, request operation.Request, textBytes int64) error {
	account, err := s.Account(ctx, c)
	if err != nil {
		return err
	}
	limits, used := account.Spec.Limits, s.Index.Usage(c.Principal.Account)
	refused := c.QuotaForRecord(ctx, request)
	if reached := quotaForText(limits, used.TextBytes, textBytes); reached != nil {
		refused = reached
	}
	if most := limits.MostPosts(); account.Status.Objects.Posts >= most {
		refused = problem.LimitReached("posts", "articles that were sent, even if they are deleted", most)
	}
	if most := limits.MostUnpublishedArticles(); used.Unpublished >= most {
		refused = problem.LimitReached("unpublishedArticles", "articles that are not published", most)
	}
	if most := limits.MostArticles(); used.Articles >= most {
		refused = problem.LimitReached("articles", "articles", most)
	}
	if refused == nil {
		return nil
	}
	if repeated, err := s.IsRepeated(ctx, c, request); repeated || err != nil {
		return err
	}
	return refused
}

// quotaForEdit returns an APIError if the account may not have so many more bytes of text as an edit leaves. Edits that make a text
// shorter than half are always possible.
func (s *Articles) quotaForEdit(ctx context.Context, c *operation.Call, more int64) error {
	if more <= 0 {
		return nil
	}
	limits, err := s.AccountLimits(ctx, c)
	if err != nil {
		return err
	}
	return quotaForText(limits, s.Index.Usage(c.Principal.Account).TextBytes, more)
}

func quotaForText(limits v1alpha1.AccountLimits, used, more int64) error {
	if most := limits.MostTextBytes(); more > 0 && used+more > most {
		return problem.LimitReached("textBytes", "bytes of written text", most)
	}
	return nil
}
