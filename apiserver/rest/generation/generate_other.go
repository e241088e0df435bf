package generation

import (
	"errors"
	"net/http"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// namingOther returns the conflict over an Idempotency-Key that was used for another request, with the members in which this request
// differs from the article that was made under the key, while that exists. Other errors are returned as they are.
func (s *Service) namingOther(workspace, article string, body GenerateRequest, err error) error {
	conflict, ok := errors.AsType[*problem.APIError](err)
	found, known := s.Index.Get(workspace, article)
	if !ok || conflict.GetStatus() != http.StatusConflict || !known || found.Object.Spec.Generate == nil {
		return err
	}
	made := found.Object.Spec.Generate
	for _, member := range []struct {
		name    string
		differs bool
	}{
		{"site_uid", string(body.SiteUID) != found.SiteUID}, {"keyword", body.Keyword != made.Keyword},
		{"secondary_keywords", !slices.Equal(body.SecondaryKeywords, made.SecondaryKeywords)}, {"tone", body.Tone != made.Tone},
		{"length", askedLength(lengths[body.Length]) != askedLength(made.Length)},
	} {
		if member.differs {
			conflict.Problem.Details = append(conflict.Problem.Details, problem.Detail{
				Field: member.name, Message: "differs from the article that was made with this Idempotency-Key",
			})
		}
	}
	return conflict
}

func askedLength(l v1alpha1.ArticleLength) v1alpha1.ArticleLength {
	if l == "" {
		return v1alpha1.LengthStandard
	}
	return l
}
