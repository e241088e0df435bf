package key

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/grant"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// Activity is what is known of what somebody did with an API key, and through the apps that they let in with it.
type Activity struct {
	operation.Unlisted
	operation.Page

	Key APIKey
	// CreditsToday are those that it has taken today, of CreditsPerDay: nil without a limit, since they are not counted then.
	CreditsToday *int32
	// Workspaces are those that the key and the caller open, by name. Workspace is the one of Articles; empty if there is none.
	Workspaces []string
	Workspace  string
	// Articles that it has created, changed or decided on and that exist, the latest first.
	Articles []ArticleActivity
}

// ArticleActivity is what somebody did to an article.
type ArticleActivity struct {
	index.Deeds

	UID, Title, Status, CreatedAt, UpdatedAt string
}

// activityPage is how many articles a page has.
const activityPage = 50

// ActivityInput is the input of get-key-activity.
type ActivityInput struct {
	OnKey
	Workspace string `query:"workspace" maxLength:"63" doc:"The first of the key if absent."`
	Cursor    string `query:"cursor" pattern:"^[0-9a-f]{24}$" patternDescription:"the nextCursor of a page before" doc:"The nextCursor of the page before."`
}

// GetActivity returns what was done with an API key. It reads the articles of one workspace from memory.
var GetActivity = operation.Operation[ActivityInput, operation.Output[Activity]]{
	ID: "get-key-activity", Method: http.MethodGet, Path: keyPath + "/activity", Tag: operation.TagAccount, Scope: v1alpha1.ScopeManage,
	Unlisted: true,
}

func (s *service) getActivity(ctx context.Context, c *operation.Call, in *ActivityInput) (*operation.Output[Activity], error) {
	key, err := s.find(ctx, c, in.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.answer(ctx, c, key)
	if err != nil {
		return nil, err
	}
	out := Activity{Key: shown.Body.APIKey, Workspaces: s.workspacesOf(c, key)}
	if out.CreditsToday, err = s.creditsToday(ctx, c, key); err != nil {
		return nil, err
	}
	switch {
	case in.Workspace == "" && len(out.Workspaces) > 0:
		out.Workspace = out.Workspaces[0]
	case in.Workspace != "" && !slices.Contains(out.Workspaces, in.Workspace):
		return nil, problem.NotFound("workspace")
	default:
		out.Workspace = in.Workspace
	}
	if out.Workspace != "" && c.Principal.Has(v1alpha1.ScopeRead) {
		// A key that did nothing has every article looked at.
		end, err := c.Turn(ctx)
		if err != nil {
			return nil, err
		}
		defer end()
		out.Articles, out.Page = s.articlesOf(out.Workspace, grant.PersonOfKey(key.Name), in.Cursor)
	}
	return operation.Answer(out), nil
}

// workspacesOf returns the workspaces that both a caller and a key open, by name.
func (s *service) workspacesOf(c *operation.Call, key *v1alpha1.APIKey) []string {
	var names []string
	for _, w := range s.Index.Workspaces(c.Principal.Account) {
		if c.Opens(w.Name) && (len(key.Spec.Workspaces) == 0 || slices.Contains(key.Spec.Workspaces, w.Name)) {
			names = append(names, w.Name)
		}
	}
	slices.Sort(names)
	return names
}

// articlesOf returns a page of the articles of a workspace that a person has created, changed or decided on.
func (s *service) articlesOf(workspace, person, cursor string) ([]ArticleActivity, operation.Page) {
	found, more := s.Index.List(workspace, index.Query{Person: person}, cursor, activityPage)
	articles := make([]ArticleActivity, 0, len(found))
	for _, a := range found {
		articles = append(articles, ArticleActivity{
			Deeds: a.DeedsOf(person), UID: a.UID, Title: a.Title(), Status: strings.ToLower(string(a.Phase)),
			CreatedAt: operation.Milliseconds(identity.RecordTime(a.ID)), UpdatedAt: operation.Milliseconds(a.UpdatedAt()),
		})
	}
	if !more {
		return articles, operation.Page{}
	}
	return articles, operation.Next(found[len(found)-1].ID)
}

// creditsToday returns how many credits a key has taken today; nil if they are not limited.
func (s *service) creditsToday(ctx context.Context, c *operation.Call, key *v1alpha1.APIKey) (*int32, error) {
	if key.Spec.Limits.CreditsPerDay == nil {
		return nil, nil
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return nil, err
	}
	stored := &v1alpha1.AccountLedger{}
	if err := client.IgnoreNotFound(s.Client.Get(ctx, client.ObjectKey{Name: account.Name}, stored)); err != nil {
		return nil, err
	}
	taken := ledger.UsageOf(&stored.Spec, account.Spec, s.Clock.Now()).OfKey(key.Name)
	return &taken, nil
}
