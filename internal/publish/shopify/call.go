package shopify

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

const noShop = "there is no such shop: check shop"

// envelope is the answer to a GraphQL request.
type envelope struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Extensions struct {
			Code string `json:"code"`
		} `json:"extensions"`
	} `json:"errors"`
	Extensions struct {
		Cost cost `json:"cost"`
	} `json:"extensions"`
}

// cost is the cost of a request and the content of the shop's bucket, both in points.
type cost struct {
	Requested float64 `json:"requestedQueryCost"`
	Throttle  struct {
		Available   float64 `json:"currentlyAvailable"`
		RestoreRate float64 `json:"restoreRate"`
	} `json:"throttleStatus"`
}

// wait is how long the bucket needs for the request, a second at least.
func (c cost) wait() time.Duration {
	missing := c.Requested - c.Throttle.Available
	if missing <= 0 || c.Throttle.RestoreRate <= 0 {
		return time.Second
	}
	return max(time.Second, time.Duration(missing/c.Throttle.RestoreRate*float64(time.Second)))
}

// call executes one operation and reads its data into result. A request that is throttled waits as long as the bucket needs, and is
// sent again: Shopify did nothing for it. A granted token that the shop does not accept, or that lacks a scope, is renewed once.
func (s *session) call(ctx context.Context, document string, variables map[string]any, result any) error {
	for {
		answer, err := s.send(ctx, document, variables)
		if err != nil {
			return err
		}
		if len(answer.Errors) == 0 {
			if len(answer.Data) == 0 || json.Unmarshal(answer.Data, result) != nil {
				return cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer lacks the data of Shopify's API")
			}
			return nil
		}
		switch answer.Errors[0].Extensions.Code {
		case "THROTTLED":
			const message = "Shopify asks for fewer requests: the next attempt waits"
			if err := s.client.Wait(ctx, answer.Extensions.Cost.wait(), message); err != nil {
				return err
			}
		case "ACCESS_DENIED":
			// A token keeps the scopes that the app had when it was granted.
			renewed, err := s.renewOnce(ctx)
			if err != nil {
				return err
			}
			if renewed {
				continue
			}
			return cms.Fail(v1alpha1.ErrorMissingPermission, "the app lacks a scope: it needs read_content and write_content")
		case "SHOP_INACTIVE":
			return cms.Fail(v1alpha1.ErrorUnavailable, "the shop is not active: its owner has to open it")
		case "INTERNAL_SERVER_ERROR", "TIMEOUT":
			return cms.Fail(v1alpha1.ErrorUnavailable, "Shopify could not execute the request")
		default:
			return cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "Shopify does not accept the request: its API may have changed")
		}
	}
}

// renewOnce has the shop grant another token, once in an attempt, and reports whether it has.
func (s *session) renewOnce(ctx context.Context) (bool, error) {
	if s.renew == nil {
		return false, nil
	}
	token, err := s.renew(ctx)
	if err != nil {
		return false, err
	}
	s.token, s.renew = token, nil
	return true, nil
}

// send sends a document once, and once more with another token if the first one is not accepted.
func (s *session) send(ctx context.Context, document string, variables map[string]any) (envelope, error) {
	a, err := s.post(ctx, document, variables)
	if err == nil && a.Status == http.StatusUnauthorized {
		var renewed bool
		if renewed, err = s.renewOnce(ctx); renewed {
			a, err = s.post(ctx, document, variables)
		}
	}
	if err != nil {
		return envelope{}, err
	}
	var answer envelope
	switch {
	case a.Status == http.StatusUnauthorized:
		return answer, cms.Fail(v1alpha1.ErrorWrongCredentials, "the shop does not accept the token: put a valid one in the Secret")
	case a.Status == http.StatusForbidden:
		return answer, cms.Fail(v1alpha1.ErrorMissingPermission, "the shop refuses the app: check that it is installed and not blocked")
	case a.Status == http.StatusPaymentRequired, a.Status == http.StatusLocked:
		return answer, cms.Fail(v1alpha1.ErrorUnavailable, "the shop is frozen or locked: its owner has to open it")
	case a.Status == http.StatusNotFound:
		return answer, cms.Fail(v1alpha1.ErrorNotFound, noShop)
	case a.Status != http.StatusOK:
		return answer, cms.FailureOf(a, "Shopify")
	case !a.IsJSON() || a.Decode(&answer) != nil:
		return answer, cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer is not the JSON of Shopify's API")
	}
	return answer, nil
}

func (s *session) post(ctx context.Context, document string, variables map[string]any) (cms.Answer, error) {
	return s.client.Do(ctx, cms.Request{
		Method: http.MethodPost, URL: endpoint(s.settings.Shop), JSON: map[string]any{"query": document, "variables": variables},
		Header: http.Header{"X-Shopify-Access-Token": {s.token}, "Accept": {"application/json"}},
	})
}
