package article

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/grant"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// ArticleAction is something that the credential may do with an article, now or soon.
type ArticleAction struct {
	Name    string `json:"name" doc:"Of the operation, as in bulk-articles; edit is update-article." example:"approve"`
	Allowed bool   `json:"allowed" doc:"Whether it would succeed now."`
	Reason  string `json:"reason" doc:"Why not, as error.reason of the operation; empty if it is allowed." example:"not_ready"`
	Message string `json:"message" doc:"Why not, or what to do first, for people; empty if it is allowed."`
}

// presentActions returns what a person would choose to do with an article now, and what they could do once something has happened. What
// makes no sense in its state is left out, as is what the credential may not do.
func presentActions(c *operation.Call, a *v1alpha1.Article) []ArticleAction {
	out, site := []ArticleAction{}, siteOrNil(c.Core, a)
	for _, action := range lifecycle.Actions(a, site, c.Core.Clock.Now()) {
		switch {
		case !c.Principal.Has(action.Scope), action.Name == lifecycle.ActionUnpublish && !mayUnpublish(c, a):
		case action.Name == lifecycle.ActionApprove && waitsForOthers(c, a, site):
		case action.Offered:
			out = append(out, ArticleAction{Name: string(action.Name), Allowed: true})
		case action.Refused != nil && action.Refused.Near():
			out = append(out, ArticleAction{
				Name: string(action.Name), Reason: string(reasonOf(action.Refused)), Message: action.Refused.Message,
			})
		}
	}
	return out
}

// waitsForOthers reports whether the caller has approved a text that waits for approvals of other people: another one changes nothing.
func waitsForOthers(c *operation.Call, a *v1alpha1.Article, site *v1alpha1.Site) bool {
	approvals := lifecycle.ApprovalsOf(a, site)
	return approvals.Missing() > 0 && slices.Contains(approvals.Given, Approver(c, approvals))
}

// Approver returns the name under which the caller approves a text: the one under which they have approved it already, if it is another,
// as that of one of their apps. Each person counts once where several must approve.
func Approver(c *operation.Call, approvals lifecycle.Approvals) string {
	person := grant.PersonBehind(c.Principal.Name)
	for _, name := range approvals.Given {
		if approvals.Required > 1 && grant.PersonBehind(name) == person {
			return name
		}
	}
	return c.Principal.Name
}

// ArticleStatusDetail is the reason for the status of an article, as data.
type ArticleStatusDetail struct {
	Summary      string  `json:"summary" doc:"status_message without the other members of this object; empty if status_message is." example:"delivering the article failed: all attempts are used up"`
	Cause        string  `json:"cause" doc:"The reason behind status_reason, such as exhausted or content_changed; empty if there is none." example:"exhausted"`
	Text         string  `json:"text" doc:"What an external endpoint answered, or what the reviewer wrote; empty if there is nothing."`
	DueAt        *string `json:"due_at" format:"date-time" doc:"The time that is waited for; null if none is."`
	Attempt      int32   `json:"attempt" doc:"Attempt that is in progress or was made last; 0 if it is about none."`
	MaxAttempts  int32   `json:"max_attempts" doc:"Most attempts; 0 if it is about none."`
	DecidedBy    string  `json:"decided_by" doc:"Who decided; empty if nobody did."`
	OtherArticle string  `json:"article_uid" doc:"uid of the other article that it is about, such as the one that has the slug; empty if it is about none."`
}

func presentDetail(c *operation.Call, i index.Article, e lifecycle.Explanation) ArticleStatusDetail {
	return ArticleStatusDetail{
		Summary: summary(e), Cause: operation.SnakeCase(e.Cause), Text: e.Detail, DueAt: operation.TimeOrNull(e.Time),
		Attempt: e.Attempt, MaxAttempts: e.MaxAttempts,
		DecidedBy: e.By, OtherArticle: slugOwner(c, i, e),
	}
}

// slugOwner returns the article that has the slug which another one wants.
func slugOwner(c *operation.Call, i index.Article, e lifecycle.Explanation) string {
	if e.Reason != v1alpha1.ReasonSlugClaimed {
		return ""
	}
	same, _ := c.Core.Index.List(i.Object.Namespace, index.Query{SiteUID: i.SiteUID, Slug: i.Slug()}, "", 2)
	for _, other := range same {
		if other.UID != i.UID {
			return other.UID
		}
	}
	return ""
}
