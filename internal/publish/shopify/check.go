package shopify

import (
	"context"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

const noBlog = "the shop has no such blog: check blogID"

type shop struct {
	PrimaryDomain struct {
		URL string `json:"url"`
	} `json:"primaryDomain"`
}

// check returns the handle of the blog, if the credentials may write its articles.
func (s *session) check(ctx context.Context) (string, error) {
	var answer struct {
		Installation struct {
			Scopes []struct {
				Handle string `json:"handle"`
			} `json:"accessScopes"`
		} `json:"currentAppInstallation"`
		Shop shop `json:"shop"`
		Blog *struct {
			Handle string `json:"handle"`
		} `json:"blog"`
	}
	if err := s.call(ctx, checkDocument, map[string]any{"blogID": s.blogID()}, &answer); err != nil {
		return "", err
	}
	scopes := []string{}
	for _, scope := range answer.Installation.Scopes {
		scopes = append(scopes, scope.Handle)
	}
	if !slices.Contains(scopes, "write_content") && !slices.Contains(scopes, "write_online_store_pages") {
		return "", cms.Fail(v1alpha1.ErrorMissingPermission, "the app lacks the scope write_content: grant it and install the app again")
	}
	if answer.Blog == nil {
		return "", cms.Fail(v1alpha1.ErrorNotFound, noBlog)
	}
	if answer.Shop.PrimaryDomain.URL == "" || answer.Blog.Handle == "" {
		return "", cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer lacks the shop's domain or the blog's handle")
	}
	return answer.Blog.Handle, nil
}
