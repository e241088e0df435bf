package article_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// limitedAgent has a key that may take two credits a day.
func limitedAgent() auth.Principal {
	return auth.Principal{
		ID: "k9", LimitedKey: "k9", Account: "acme", Name: "agent", CreditsPerDay: new(int32(2)),
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
	}
}

// Whatever has another text generated counts among the credits of the key, also what the controller charges.
func TestAChangeThatAsksForARunTakesACreditOfTheKey(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Local = &operation.Local{}
	api.Do(operationtest.Request{Path: "/v1/api/whoami"})
	agent := limitedAgent()
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

// What kube-apiserver refuses has no run; what it may have done has one.
func TestACreditIsGivenBackForAChangeThatWasRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		want int32
	}{
		"refused":                    {operationtest.Invalid("spec.generate.keyword", "no"), 0},
		"not known":                  {context.DeadlineExceeded, 1},
		"refused, and perhaps later": {apierrors.NewServerTimeout(schema.GroupResource{Resource: "articles"}, "patch", 1), 1},
	} {
		t.Run(name, func(t *testing.T) {
			api, agent := operationtest.New(t), limitedAgent()
			api.Deps.Local = &operation.Local{}
			api.Do(operationtest.Request{Path: "/v1/api/whoami"})
			a := api.WithPending()
			a.Spec.Content = nil
			api.Indexed(a)
			api.Objects.OnPatch = func() { api.Objects.Err = tt.err }
			keyword := "winter huts"
			in := restarticle.UpdateInput{
				OnArticle: restarticle.OnArticle{InWorkspace: operation.InWorkspace{Workspace: operationtest.Workspace}, UID: a.Name},
				Body:      restarticle.UpdateArticleRequest{TargetKeyword: &keyword},
			}
			if _, err := restarticle.Update.Call(t.Context(), api.Deps.Local, agent, in); err == nil {
				t.Fatal("the change was made")
			}
			if got := ledger.UsageOf(&api.Ledger.Usage, v1alpha1.AccountSpec{}, operationtest.Began).OfKey("k9"); got != tt.want {
				t.Errorf("%d credits of the key are taken, want %d", got, tt.want)
			}
		})
	}
}
