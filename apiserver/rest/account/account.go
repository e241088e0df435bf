// Package account has the operations on the account that a credential belongs to: its workspaces, its usage, and the credential itself.
package account

import (
	"context"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

type resource struct{ *operation.Core }

// Register adds the operations on the account of a credential.
func Register(core *operation.Core) {
	s := resource{core}
	ListWorkspaces.Handle(core, s.listWorkspaces)
	WhoAmI.Handle(core, s.whoami)
	GetUsage.Handle(core, s.usage)
}

// Workspace is a workspace that the API key opens.
type Workspace struct {
	WorkspaceID string `json:"workspace_id" doc:"Value for the header x-workspace-id." example:"acme-blog"`
	Account     string `json:"account" doc:"Account of the workspace." example:"acme"`
}

// WorkspaceList is the answer of list-workspaces.
type WorkspaceList struct {
	operation.Envelope
	Data []Workspace `json:"data" doc:"What the answer is about."`
}

// ListWorkspaces lists the workspaces that a credential opens.
var ListWorkspaces = operation.Operation[struct{}, operation.Output[WorkspaceList]]{
	ID: "list-workspaces", Method: http.MethodGet, Path: "/v1/api/workspaces", Tag: operation.TagSites, Scope: v1alpha1.ScopeRead,
}

func (s resource) listWorkspaces(_ context.Context, c *operation.Call, _ *struct{}) (*operation.Output[WorkspaceList], error) {
	out := operation.Answer(WorkspaceList{Envelope: operation.Succeeded, Data: []Workspace{}})
	for _, w := range s.Index.Workspaces(c.Principal.Account) {
		if c.Principal.Opens(w.Name) {
			out.Body.Data = append(out.Body.Data, Workspace{WorkspaceID: w.Name, Account: w.Account})
		}
	}
	return out, nil
}

// Whoami is the answer of whoami.
type Whoami struct {
	operation.Envelope
	Kind       string   `json:"kind" enum:"api_key,access_token" doc:"What the credential is."`
	ID         string   `json:"id" doc:"The part of the credential that is no secret." example:"aa3kq2vxw5ntb6ha"`
	Name       string   `json:"name" doc:"The name under which decisions are recorded." example:"Mara"`
	Account    string   `json:"account" doc:"Account of the credential." example:"acme"`
	Scopes     []string `json:"scopes" doc:"What it allows." example:"read,write"`
	ExpiresAt  *string  `json:"expires_at" format:"date-time" doc:"Null if it does not expire."`
	Workspaces []string `json:"workspaces" doc:"The workspaces that it opens now, by name." example:"acme-blog"`
	Limited    bool     `json:"limited" doc:"Whether it opens these workspaces alone; otherwise also those that the account gets later."`
}

// WhoAmI returns what a credential allows.
var WhoAmI = operation.Operation[struct{}, operation.Output[Whoami]]{
	ID: "whoami", Method: http.MethodGet, Path: "/v1/api/whoami", Tag: operation.TagAccount, Scope: operation.AnyScope,
}

func (s resource) whoami(_ context.Context, c *operation.Call, _ *struct{}) (*operation.Output[Whoami], error) {
	p := c.Principal
	out := Whoami{
		Envelope: operation.Succeeded, Kind: "api_key", ID: p.ID, Name: p.Name, Account: p.Account, Scopes: operation.ScopeNames(p.Scopes),
		Workspaces: []string{}, Limited: len(p.Workspaces) > 0, ExpiresAt: operation.TimeOrNull(p.ExpiresAt),
	}
	if p.Client != "" {
		out.Kind = "access_token"
	}
	for _, w := range s.Index.Workspaces(p.Account) {
		if c.Opens(w.Name) {
			out.Workspaces = append(out.Workspaces, w.Name)
		}
	}
	return operation.Answer(out), nil
}

// AccountUsage is the answer of get-usage.
type AccountUsage struct {
	operation.Envelope
	Account string      `json:"account" doc:"Account of the credential." example:"acme"`
	Credits CreditUsage `json:"credits"`
	Minute  MinuteUsage `json:"minute"`
	Day     DayUsage    `json:"day"`
}

// CreditUsage counts the credits of an account.
type CreditUsage struct {
	Used  int64  `json:"used" doc:"Credits charged so far, minus refunds."`
	Limit *int64 `json:"limit" doc:"Null without a limit."`
	Left  *int64 `json:"left" minimum:"0" doc:"Null without a limit."`
}

// MinuteUsage counts the accepted generate calls of the last 60 seconds.
type MinuteUsage struct {
	Used   int     `json:"used" doc:"How many are used."`
	Limit  int     `json:"limit" doc:"How many there may be." example:"60"`
	Left   int     `json:"left" minimum:"0" doc:"How many are left."`
	FreeAt *string `json:"free_at" format:"date-time" doc:"When the first of them no longer counts; null if there are none."`
}

// DayUsage counts the articles of the UTC day.
type DayUsage struct {
	EndsAt string      `json:"ends_at" format:"date-time" doc:"When counting starts again."`
	Sites  []SiteUsage `json:"sites" maxItems:"500" doc:"The sites that the credential may see, the oldest first."`
}

// SiteUsage counts the articles that were generated for a site on this day.
type SiteUsage struct {
	SiteUID     string `json:"site_uid" format:"uuid" doc:"uid of the site."`
	WorkspaceID string `json:"workspace_id" doc:"Workspace, for the header x-workspace-id." example:"acme-blog"`
	Used        int32  `json:"used" doc:"How many are used."`
	Limit       int32  `json:"limit" doc:"How many there may be." example:"50"`
	Left        int32  `json:"left" minimum:"0" doc:"How many are left."`
}

// GetUsage returns what the account has used.
var GetUsage = operation.Operation[struct{}, operation.Output[AccountUsage]]{
	ID: "get-usage", Method: http.MethodGet, Path: "/v1/api/usage", Tag: operation.TagAccount, Scope: v1alpha1.ScopeRead,
}

func (s resource) usage(ctx context.Context, c *operation.Call, _ *struct{}) (*operation.Output[AccountUsage], error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return nil, err
	}
	stored := &v1alpha1.AccountLedger{}
	err = s.Client.Get(ctx, client.ObjectKey{Name: account.Name}, stored)
	if apierrors.IsNotFound(err) {
		return nil, problem.LedgerMissing()
	}
	if err != nil {
		return nil, err
	}
	u := ledger.UsageOf(&stored.Spec, account.Spec, s.Clock.Now())
	out := AccountUsage{
		Envelope: operation.Succeeded, Account: account.Name,
		Credits: CreditUsage{Used: u.CreditsUsed, Limit: u.Credits},
		Minute: MinuteUsage{
			Used: u.MinuteUsed, Limit: ledger.MinuteLimit, Left: max(ledger.MinuteLimit-u.MinuteUsed, 0),
			FreeAt: operation.TimeOrNull(u.FreeAt),
		},
		Day: DayUsage{EndsAt: operation.Milliseconds(u.DayEnds), Sites: []SiteUsage{}},
	}
	if u.Credits != nil {
		out.Credits.Left = new(max(*u.Credits-u.CreditsUsed, 0))
	}
	for _, site := range s.Index.Sites(c.Principal.Account, c.Principal.Opens) {
		used, limit := u.Today(client.ObjectKeyFromObject(site.Object), site.Object.Spec.Limits.ArticlesPerDay)
		out.Day.Sites = append(out.Day.Sites, SiteUsage{
			SiteUID: site.UID, WorkspaceID: site.Workspace, Used: used, Limit: limit, Left: max(limit-used, 0),
		})
	}
	return operation.Answer(out), nil
}
