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
	articles := map[string]*v1alpha1.Article{}
	for _, name := range []string{"first", "second", "third"} {
		a := api.WithPending()
		a.Spec.Content = nil
		api.Indexed(a)
		articles[name] = a
	}
	on := func(name string) restarticle.OnArticle {
		return restarticle.OnArticle{InWorkspace: operation.InWorkspace{Workspace: operationtest.Workspace}, UID: articles[name].Name}
	}
	regenerate := func(name string) error {
		in := restarticle.RegenerateInput{Command: restarticle.Command{OnArticle: on(name)}}
		_, err := restarticle.Regenerate.Call(t.Context(), api.Deps.Local, agent, in)
		return err
	}
	edit := func(name string, body restarticle.UpdateArticleRequest) error {
		_, err := restarticle.Update.Call(t.Context(), api.Deps.Local, agent, restarticle.UpdateInput{OnArticle: on(name), Body: body})
		return err
	}
	keyword := func(name, to string) error { return edit(name, restarticle.UpdateArticleRequest{TargetKeyword: &to}) }
	taken := func() int32 {
		return ledger.UsageOf(&api.Ledger.Usage, v1alpha1.AccountSpec{}, operationtest.Began).OfKey("k9")
	}
	for _, step := range []struct {
		name string
		do   func() error
		want int32
	}{
		{"a title", func() error { return edit("first", restarticle.UpdateArticleRequest{Title: new("Mine")}) }, 0},
		{"another text", func() error { return regenerate("first") }, 1},
		{"another keyword, before the run has begun", func() error { return keyword("first", "winter huts") }, 1},
		{"another keyword", func() error { return keyword("second", "winter huts") }, 2},
	} {
		if err := step.do(); err != nil || taken() != step.want {
			t.Fatalf("%s: %v, %d credits of the key, want %d", step.name, err, taken(), step.want)
		}
	}
	for name, do := range map[string]func() error{
		"another text":    func() error { return regenerate("third") },
		"another keyword": func() error { return keyword("third", "winter huts") },
	} {
		refused, ok := errors.AsType[*problem.APIError](do())
		if !ok || refused.GetStatus() != http.StatusTooManyRequests || refused.Problem.Reason != problem.ReasonGenerateKeyDay {
			t.Errorf("%s beyond the limit: got %v", name, refused)
		}
	}
	if a := api.Stored(articles["third"]); a.Spec.Generate.Keyword == "winter huts" || a.Annotations[v1alpha1.RegenerateAnnotation] != "" || taken() != 2 {
		t.Errorf("refused requests change the article, or take credits: %d", taken())
	}
}
