package delivery

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// PostRecords are the records of one post.
type PostRecords struct {
	ArticleUID   string   `json:"article_uid" format:"uuid" doc:"The article, which may have been deleted."`
	SiteUID      string   `json:"site_uid" format:"uuid" doc:"The site, which may have been deleted."`
	Slug         string   `json:"slug" doc:"Part of the address of the post that names the article."`
	PublishedURL string   `json:"published_url" doc:"Last known URL of the post; empty if none is known."`
	Records      []Record `json:"records" maxItems:"20" doc:"One for each text that the site has accepted, oldest first: of the last 20, those that were decided in the time."`
}

// Record says where an accepted text comes from, and who approved it.
type Record struct {
	Digest        string           `json:"digest" doc:"Names the text, as revision_digest of an article."`
	Revision      int64            `json:"revision" minimum:"1" doc:"Number of the revision."`
	Disclosure    string           `json:"disclosure" enum:"human_only,ai_assisted,ai_autonomous" doc:"As of articles."`
	Decision      string           `json:"decision" enum:"approved,automatic" doc:"approved by a person, or automatic by the policy of the site."`
	DecidedBy     string           `json:"decided_by" doc:"Who approved; empty if the decision was automatic." example:"Mara (api-key:aa3kq2vxw5ntb6ha)"`
	Approvals     []RecordApproval `json:"approvals" maxItems:"5" doc:"Those of further people, if the site asked for more than one."`
	DecidedAt     string           `json:"decided_at" format:"date-time" doc:"When the decision was found."`
	Note          string           `json:"note" doc:"Of the approval; empty if there is none."`
	Source        string           `json:"source" doc:"generated, edited or written; empty if the text was deleted before the record was made." example:"edited"`
	Model         string           `json:"model" doc:"That wrote a generated text, also one that was edited since; empty without one."`
	PromptVersion string           `json:"prompt_version" doc:"The prompts that the model was given; empty without a model."`

	UnsupportedClaims *int32 `json:"unsupported_claims" minimum:"0" maximum:"1000" doc:"How many claims of the text its brief did not support; null without a brief."`
	BriefDigest       string `json:"brief_digest" doc:"Names what the brief said then; empty without one."`
}

// RecordApproval is the approval of a further person.
type RecordApproval struct {
	By   string `json:"decided_by" doc:"Who approved." example:"Jo (api-key:bb3kq2vxw5ntb6ha)"`
	Note string `json:"note" doc:"Of the approval; empty if there is none."`
}

// RecordPage is the answer of list-records.
type RecordPage struct {
	operation.Envelope
	Data []PostRecords `json:"data" maxItems:"100" doc:"What the answer is about."`
	operation.Page
}

// ListRecordsInput is the input of list-records.
type ListRecordsInput struct {
	operation.InWorkspace
	From   time.Time `query:"from" doc:"Only records that were decided at this time or later." example:"2026-11-01T00:00:00Z"`
	To     time.Time `query:"to" doc:"Only records that were decided before this time." example:"2026-12-01T00:00:00Z"`
	Limit  int       `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Posts on a page. A page may have fewer, or none, and hasMore."`
	Cursor string    `query:"cursor" maxLength:"2048" doc:"The nextCursor of the page before."`
}

// Resolve checks what the schema cannot express.
func (in *ListRecordsInput) Resolve(huma.Context) []error {
	if in.To.IsZero() || in.To.After(in.From) {
		return nil
	}
	return []error{&huma.ErrorDetail{Location: "query.to", Message: "must be after from"}}
}

// ListRecords lists the records of posts.
var ListRecords = operation.Operation[ListRecordsInput, operation.Output[RecordPage]]{
	ID: "list-records", Method: http.MethodGet, Path: "/v1/api/records", Tag: operation.TagEditorial, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

// listRecords lists the posts of a workspace with those of their records that were decided in a time. It reads them from kube-apiserver: no
// informer holds them.
func (s *Service) listRecords(ctx context.Context, c *operation.Call, in *ListRecordsInput) (*operation.Output[RecordPage], error) {
	posts, next, err := kube.Filter(ctx, s.Client, in.Cursor, in.Limit, func(page *v1alpha1.PostList) (chosen []PostRecords) {
		for i := range page.Items {
			if post := in.present(&page.Items[i]); len(post.Records) > 0 {
				chosen = append(chosen, post)
			}
		}
		return chosen
	}, client.InNamespace(c.Workspace))
	if err != nil {
		return nil, err
	}
	return operation.Answer(RecordPage{Envelope: operation.Succeeded, Data: posts, Page: operation.Next(next)}), nil
}

// present returns a post with those of its records that are asked for.
func (in *ListRecordsInput) present(p *v1alpha1.Post) PostRecords {
	out := PostRecords{
		ArticleUID: identity.UID(identity.KindArticle, p.Namespace, p.Spec.ArticleRef.Name),
		SiteUID:    identity.UID(identity.KindSite, p.Namespace, p.Spec.SiteRef.Name),
		Slug:       p.Spec.Slug, PublishedURL: p.Spec.URL,
	}
	for _, r := range p.Spec.Records {
		if r.DecisionTime.Time.Before(in.From) || !in.To.IsZero() && !r.DecisionTime.Time.Before(in.To) {
			continue
		}
		out.Records = append(out.Records, Record{
			Digest: r.Digest, Revision: int64(r.RevisionNumber), Disclosure: lifecycle.DisclosureNames[r.Disclosure],
			Decision: operation.SnakeCase(string(r.Decision)), DecidedBy: r.By, DecidedAt: operation.Milliseconds(r.DecisionTime.Time),
			Note: r.Note, Approvals: furtherApprovals(r.Approvals), Source: operation.SnakeCase(string(r.Source)),
			Model: r.Model, PromptVersion: r.PromptVersion,
			UnsupportedClaims: r.UnsupportedClaims, BriefDigest: r.BriefDigest,
		})
	}
	return out
}

func furtherApprovals(approvals []v1alpha1.ArticleApproval) []RecordApproval {
	out := make([]RecordApproval, 0, len(approvals))
	for _, a := range approvals {
		out = append(out, RecordApproval{By: a.By, Note: a.Note})
	}
	return out
}
