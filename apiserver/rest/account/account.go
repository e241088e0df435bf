// Package account has the operations on the account that a credential belongs to: its workspaces, its usage, and the credential itself.
package account

import (
	"context"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/money"
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
	Limits     Limits   `json:"limits"`
}

// Limits are what a credential may use.
type Limits struct {
	CreditsPerDay *int32 `json:"credits_per_day" doc:"Credits that the API key may take in a UTC day, with all that was signed in or granted with it; null without a limit of its own." example:"20"`
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
		Limits: Limits{CreditsPerDay: p.CreditsPerDay},
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
	Month   MonthUsage  `json:"month"`
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

// MonthUsage is what models have used in the month, UTC. It lags by 10 seconds at most.
type MonthUsage struct {
	EndsAt string       `json:"ends_at" format:"date-time" doc:"When counting starts again."`
	Tokens TokenUsage   `json:"tokens"`
	Spend  []SpendUsage `json:"spend" maxItems:"5" doc:"What the tokens cost, by currency: of models whose prices are known."`
}

// TokenUsage counts the tokens of a month.
type TokenUsage struct {
	Used  int64  `json:"used" doc:"Tokens that models took and made; estimated for models that do not count them."`
	Limit *int64 `json:"limit" doc:"The account's budget; null without one."`
	Left  *int64 `json:"left" minimum:"0" doc:"Null without a limit."`
}

// SpendUsage is what the tokens of a month cost in a currency.
type SpendUsage struct {
	Currency string  `json:"currency" doc:"ISO 4217 code." example:"USD"`
	Used     string  `json:"used" doc:"Decimal number." example:"4.210000"`
	Limit    *string `json:"limit" doc:"The account's budget; null if it is not in this currency." example:"50.000000"`
	Left     *string `json:"left" doc:"Null without a limit." example:"45.790000"`
}

// monthOf presents what an account has used of its budget.
func monthOf(left ledger.Left, budget *v1alpha1.AccountBudget) MonthUsage {
	m := MonthUsage{
		EndsAt: operation.Milliseconds(left.Ends), Tokens: TokenUsage{Used: left.Used.Tokens}, Spend: []SpendUsage{},
	}
	for _, spent := range left.Used.Spend {
		m.Spend = append(m.Spend, SpendUsage{Currency: spent.Currency, Used: spent.Amount})
	}
	if budget == nil {
		return m
	}
	if limit := budget.TokensPerMonth; limit != nil {
		m.Tokens.Limit, m.Tokens.Left = new(*limit), new(max(left.Tokens, 0))
	}
	if own := budget.SpendPerMonth; own != nil {
		i := slices.IndexFunc(m.Spend, func(s SpendUsage) bool { return s.Currency == own.Currency })
		if i < 0 {
			i, m.Spend = len(m.Spend), append(m.Spend, SpendUsage{Currency: own.Currency, Used: money.Format(0)})
		}
		limit, _ := money.Parse(own.Amount)
		m.Spend[i].Limit, m.Spend[i].Left = new(money.Format(limit)), new(money.Format(max(left.Micros, 0)))
	}
	return m
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
		Day:   DayUsage{EndsAt: operation.Milliseconds(u.DayEnds), Sites: []SiteUsage{}},
		Month: monthOf(u.Budget, account.Spec.Budget),
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
