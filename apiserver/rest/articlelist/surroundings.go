package articlelist

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Surroundings are what is around an article in a list, as list-articles has it, and what count-articles answers.
type Surroundings struct {
	operation.Unlisted

	// Next and Previous are the uids of the articles beside it; empty if there is none. Without a next one, First is the first of the list.
	Next, Previous, First string
	// Counts are those of the workspace, and OfSite those of the site of the list; the same if the list is of all sites.
	Counts, OfSite ArticleCounts
}

// GetSurroundings returns what is around the article whose _id is the cursor.
var GetSurroundings = operation.Operation[ListInput, operation.Output[Surroundings]]{
	ID: "get-surroundings", Method: http.MethodGet, Path: "/v1/api/surroundings", Tag: operation.TagArticles, Scope: v1alpha1.ScopeRead,
	Unlisted: true,
}

func (s *Service) getSurroundings(ctx context.Context, c *operation.Call, in *ListInput) (*operation.Output[Surroundings], error) {
	next, previous, first := *in, *in, *in
	if previous.Order = orderOldest; in.Order == orderOldest {
		previous.Order = ""
	}
	first.Cursor = ""
	var out Surroundings
	var err error
	if out.Next, err = s.firstOf(ctx, c, next); err != nil {
		return nil, err
	}
	if out.Previous, err = s.firstOf(ctx, c, previous); err != nil {
		return nil, err
	}
	if out.Next == "" {
		if out.First, err = s.firstOf(ctx, c, first); err != nil {
			return nil, err
		}
	}
	counts, err := s.countArticles(ctx, c, &CountInput{})
	if err != nil {
		return nil, err
	}
	out.Counts, out.OfSite = counts.Body, counts.Body
	if in.SiteUID != "" {
		if counts, err = s.countArticles(ctx, c, &CountInput{OfSite: in.OfSite}); err != nil {
			return nil, err
		}
		out.OfSite = counts.Body
	}
	return operation.Answer(out), nil
}

// firstOf returns the uid of the first article of a list; empty if it has none.
func (s *Service) firstOf(ctx context.Context, c *operation.Call, list ListInput) (string, error) {
	list.Limit = 1
	found, err := s.listArticles(ctx, c, &list)
	if err != nil || len(found.Body.Data) == 0 {
		return "", err
	}
	return found.Body.Data[0].UID, nil
}
