package rest

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// The limits are compared with what this replica's memory holds, which lags behind a write by a moment: requests that are answered at
// the same time may pass a limit by a few.

// account returns the call's account, from memory: read it only.
func (s *service) account(ctx context.Context, c *call) (*v1alpha1.Account, error) {
	account, err := s.Accounts.Account(ctx, c.principal.Account)
	if err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	if account == nil {
		// The account was deleted while its key was still cached.
		return nil, problem.Unauthorized()
	}
	return account, nil
}

// limitsOf returns the limits of the call's account.
func (s *service) limitsOf(ctx context.Context, c *call) (v1alpha1.AccountLimits, error) {
	account, err := s.account(ctx, c)
	if err != nil {
		return v1alpha1.AccountLimits{}, err
	}
	return account.Spec.Limits, nil
}

// roomForArticle returns an APIError if the account may not have another article, or not with so many bytes of written text. A
// request that has created its article already needs no room.
func (s *service) roomForArticle(ctx context.Context, c *call, request articleRequest, textBytes int64) error {
	limits, err := s.limitsOf(ctx, c)
	if err != nil {
		return err
	}
	used := s.Index.Usage(c.principal.Account)
	reached := roomForText(limits, used.TextBytes, textBytes)
	if most := limits.MostUnpublishedArticles(); used.Unpublished >= most {
		reached = problem.LimitReached("unpublishedArticles", "articles that are not published", most)
	}
	if most := limits.MostArticles(); used.Articles >= most {
		reached = problem.LimitReached("articles", "articles", most)
	}
	if reached == nil {
		return nil
	}
	if repeated, err := s.isRepeated(ctx, c, request); repeated || err != nil {
		return err
	}
	return reached
}

// roomForEdit returns an APIError if the account has no room for the text of an edit, which is longer by so many bytes. Edits that
// make a text shorter are always possible.
func (s *service) roomForEdit(ctx context.Context, c *call, longer int64) error {
	if longer <= 0 {
		return nil
	}
	limits, err := s.limitsOf(ctx, c)
	if err != nil {
		return err
	}
	if reached := roomForText(limits, s.Index.Usage(c.principal.Account).TextBytes, longer); reached != nil {
		return reached
	}
	return nil
}

func roomForText(limits v1alpha1.AccountLimits, used, more int64) *problem.APIError {
	if most := limits.MostUnpublishedTextBytes(); more > 0 && used+more > most {
		return problem.LimitReached("unpublishedTextBytes", "bytes of text in articles that are not published", most)
	}
	return nil
}

// roomForSubscription returns an APIError if the account may not have another event subscription.
func (s *service) roomForSubscription(ctx context.Context, c *call) error {
	limits, err := s.limitsOf(ctx, c)
	if err != nil {
		return err
	}
	if most := limits.MostEventSubscriptions(); s.Index.Usage(c.principal.Account).Subscriptions >= most {
		return problem.LimitReached("eventSubscriptions", "event subscriptions", most)
	}
	return nil
}

// roomForClient returns an APIError if the account may not register another OAuth client.
func (s *service) roomForClient(ctx context.Context, c *call) error {
	limits, err := s.limitsOf(ctx, c)
	if err != nil {
		return err
	}
	registered, err := s.CountClients(ctx, c.principal.Account)
	if err != nil {
		return err
	}
	if most := limits.MostOAuthClients(); registered >= most {
		return problem.LimitReached("oauthClients", "apps", most)
	}
	return nil
}
