package kube

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// pagesRead bounds how many pages are read for one page of those objects that a filter chooses.
const pagesRead = 10

// Filter reads a list in pages until limit objects are chosen, pagesRead pages have been read, or no more may be read for now. choose
// returns those of a page. Filter also returns where the next page begins, empty at the end of the list. A cursor that is none is a problem
// of the parameter cursor.
func Filter[V, T any, L interface {
	*T
	client.ObjectList
}](ctx context.Context, c client.Client, cursor string, limit int, choose func(L) []V, opts ...client.ListOption) ([]V, string, error) {
	chosen := []V{}
	for read := range pagesRead {
		list := L(new(T))
		err := ReadPage(ctx, c, list, cursor, limit-len(chosen), opts...)
		if read > 0 && IsShareUsedUp(err) {
			break
		}
		if apierrors.IsBadRequest(err) && cursor != "" {
			err = problem.Invalid(problem.ErrorDetail{Field: "cursor", Message: "must be the nextCursor of a page before"})
		}
		if err != nil {
			return nil, "", err
		}
		chosen = append(chosen, choose(list)...)
		if cursor = list.GetContinue(); cursor == "" || len(chosen) >= limit {
			break
		}
	}
	return chosen, cursor, nil
}

// IsShareUsedUp reports whether a list was not read because it would be more than the share of the request.
func IsShareUsedUp(err error) bool {
	e, ok := errors.AsType[*problem.APIError](err)
	return ok && e.GetStatus() == http.StatusTooManyRequests
}

// ReadPage reads a page of a list, as it is now, behind where a cursor says.
func ReadPage(
	ctx context.Context, c client.Client, list client.ObjectList, cursor string, limit int, opts ...client.ListOption,
) error {
	return c.List(ctx, list, append([]client.ListOption{client.Limit(int64(limit)), client.Continue(latest(cursor))}, opts...)...)
}

// latest makes a continue token go on with the latest state, as those do that kube-apiserver proposes in place of expired ones. The state
// that a token names may be compacted, or made up: kube-apiserver would wait for one of the future. It refuses what is no token.
func latest(token string) string {
	var t struct {
		Version         string `json:"v"`
		ResourceVersion int64  `json:"rv"`
		Start           string `json:"start"`
	}
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || json.Unmarshal(data, &t) != nil || t.Version != "meta.k8s.io/v1" || t.ResourceVersion == 0 {
		return token
	}
	t.ResourceVersion = -1
	if data, err = json.Marshal(t); err != nil {
		return token
	}
	return base64.RawURLEncoding.EncodeToString(data)
}
