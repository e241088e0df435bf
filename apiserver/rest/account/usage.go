package account

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// Usage is the answer of get-usage.
type Usage struct {
	operation.Envelope
	Account string      `json:"account" example:"acme"`
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
	Used   int     `json:"used"`
	Limit  int     `json:"limit" example:"60"`
	Left   int     `json:"left" minimum:"0"`
	FreeAt *string `json:"free_at" format:"date-time" doc:"When the first of them no longer counts; null if there are none."`
}

// DayUsage counts the articles of the UTC day.
type DayUsage struct {
	EndsAt string      `json:"ends_at" format:"date-time" doc:"When counting starts again."`
	Sites  []SiteUsage `json:"sites" maxItems:"500" doc:"The sites that the credential may see, the oldest first."`
}

// SiteUsage counts the articles that were generated for a site on this day.
type SiteUsage struct {
	SiteUID     string `json:"site_uid" format:"uuid"`
	WorkspaceID string `json:"workspace_id" example:"acme-blog"`
	Used        int32  `json:"used"`
	Limit       int32  `json:"limit" example:"50"`
	Left        int32  `json:"left" minimum:"0"`
}

func (s resource) usage(ctx context.Context, c *operation.Call, _ *struct{}) (*operation.Output[Usage], error) {
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
	out := Usage{
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
