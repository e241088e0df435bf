package article_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// Whatever has another text generated counts among the credits of the key, also what the controller charges.
func TestAChangeThatAsksForARunTakesACreditOfTheKey(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Local = &operation.Local{}
	api.Do(operationtest.Request{Path: "/v1/api/whoami"})
	agent := auth.Principal{
		ID: "k9", LimitedKey: "k9", Account: "acme", Name: "agent", CreditsPerDay: new(int32(2)),
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
	}
	a := api.WithPending()
	a.Spec.Content = nil
	api.Indexed(a)
	on := restarticle.OnArticle{InWorkspace: operation.InWorkspace{Workspace: operationtest.Workspace}, UID: a.Name}
	regenerate := func() error {
		_, err := restarticle.Regenerate.Call(t.Context(), api.Deps.Local, agent, restarticle.RegenerateInput{Command: restarticle.Command{OnArticle: on}})
		return err
	}
	edit := func(body restarticle.UpdateArticleRequest) error {
		_, err := restarticle.Update.Call(t.Context(), api.Deps.Local, agent, restarticle.UpdateInput{OnArticle: on, Body: body})
		return err
	}
	keyword := func(to string) error { return edit(restarticle.UpdateArticleRequest{TargetKeyword: &to}) }
	taken := func() int32 {
		return ledger.UsageOf(&api.Ledger.Usage, v1alpha1.AccountSpec{}, operationtest.Began).OfKey("k9")
	}
	for _, step := range []struct {
		name string
		do   func() error
		want int32
	}{
		{"a title", func() error { return edit(restarticle.UpdateArticleRequest{Title: new("Mine")}) }, 0},
		{"another text", regenerate, 1},
		{"another keyword", func() error { return keyword("winter huts") }, 2},
	} {
		if err := step.do(); err != nil || taken() != step.want {
			t.Fatalf("%s: %v, %d credits of the key, want %d", step.name, err, taken(), step.want)
		}
	}
	refused, ok := errors.AsType[*problem.APIError](keyword("summer huts"))
	if !ok || refused.GetStatus() != http.StatusTooManyRequests || refused.Problem.Reason != problem.ReasonGenerateKeyDay {
		t.Errorf("beyond the limit: got %v", refused)
	}
	if got := api.Stored(a).Spec.Generate.Keyword; got != "winter huts" || taken() != 2 {
		t.Errorf("a refused request leaves the keyword %q, and %d credits taken", got, taken())
	}
}
