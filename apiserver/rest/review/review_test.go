package review_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// An approval of the live text would say nothing about the pending one.
func TestDecisionsAreAboutThePendingText(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	path := "/v1/api/blogs/" + a.Name
	live := api.Do(operationtest.Request{Method: http.MethodPost, Path: path + "/approve", Body: `{"digest":"` + operationtest.TextOf(1).Digest() + `"}`})
	operationtest.WantFailure(t, live, http.StatusConflict, problem.CodeConflict)
	if f := operationtest.Failure(t, live); f.Problem.CurrentDigest != operationtest.TextOf(2).Digest() {
		t.Errorf("current_digest is %s, want the pending text's", f.Problem.CurrentDigest)
	}
	var got restarticle.Article
	api.Into(operationtest.Request{Method: http.MethodPost, Path: path + "/approve", Body: `{"digest":"` + operationtest.TextOf(2).Digest() + `"}`}, &got)
	if got.Pending == nil || got.Pending.Status != "approved" || api.Stored(a).Spec.Review.Digest != operationtest.TextOf(2).Digest() {
		t.Errorf("pending is %+v after its approval", got.Pending)
	}
}
