package article

import (
	"context"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

type (
	// Command is embedded in the input of every operation that the controller does once.
	Command struct {
		OnArticle
		operation.IfMatch
		operation.Idempotent
	}
	// RegenerateInput is the input of regenerate-article.
	RegenerateInput struct {
		Command
		Body *RegenerateRequest
	}
	// RegenerateRequest is the body of regenerate-article. What is absent stays as the article asks for it.
	RegenerateRequest struct {
		BriefUID     patch.Member[*operation.BriefUID] `json:"brief_uid,omitzero" doc:"Brief that the text is to rest on, from list-briefs; null for that of the site."`
		Instructions patch.Member[string]              `json:"instructions,omitzero" maxLength:"2000" doc:"For this article, beside those of its brief; null for none."`
	}
	// RedeliverInput is the input of redeliver-article.
	RedeliverInput struct {
		Command
		Body *RedeliverRequest
	}
	// RedeliverRequest is the body of redeliver-article.
	RedeliverRequest struct {
		Overwrite bool `json:"overwrite,omitempty" doc:"Overwrite what somebody has changed of the post in the CMS, which needs the scope approve. Without it, such a change stays, and the delivery fails with changed_at_site."`
	}
	// UnpublishInput is the input of unpublish-article.
	UnpublishInput struct {
		Command
		Body *UnpublishRequest
	}
	// UnpublishRequest is the body of unpublish-article.
	UnpublishRequest struct {
		Overwrite bool `json:"overwrite,omitempty" doc:"Take the post back even if somebody has changed it in the CMS, which needs the scope approve. Without it, such a post stays, and status_detail has changed_at_site."`
	}
)

// Regenerate asks for another text.
var Regenerate = operation.Operation[RegenerateInput, Output]{
	ID: "regenerate-article", Method: http.MethodPost, Path: articlePath + "/regenerate", Tag: operation.TagArticles,
	Scope: v1alpha1.ScopeWrite, Errors: append([]int{http.StatusPaymentRequired}, operation.EditErrors...),
}

// Regenerate asks for another text, unless the account's budget of the month is used up. The controller takes the credit.
func (s *Articles) Regenerate(ctx context.Context, c *operation.Call, in *RegenerateInput) (*Output, error) {
	asked := ptr.Deref(in.Body, RegenerateRequest{})
	return s.command(ctx, c, in.Command, lifecycle.ActionRegenerate, asked.about(), func(a *v1alpha1.Article) (err error) {
		// The action is only possible for an article that asks for a text.
		if asked.BriefUID.Given {
			a.Spec.Generate.BriefRef, err = s.BriefRef(ctx, c.Workspace, string(ptr.Deref(asked.BriefUID.Value, "")))
		}
		asked.Instructions.Change(&a.Spec.Generate.Instructions)
		return err
	}, v1alpha1.RegenerateAnnotation)
}

// about is what the request says beside the article; empty if it says nothing.
func (r RegenerateRequest) about() (said []string) {
	if r.BriefUID.Given {
		said = append(said, "brief_uid", string(ptr.Deref(r.BriefUID.Value, "")))
	}
	if r.Instructions.Given {
		said = append(said, "instructions", r.Instructions.Value)
	}
	return said
}

// withinBudget returns an error if the account's budget of the month is used up.
func (s *Articles) withinBudget(ctx context.Context, c *operation.Call) error {
	account, err := s.Account(ctx, c)
	if err != nil || account.Spec.Budget == nil {
		return err
	}
	stored := &v1alpha1.AccountLedger{}
	err = s.Client.Get(ctx, client.ObjectKey{Name: account.Name}, stored)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	return problem.FromLedger(ledger.CheckBudget(&stored.Spec, account.Spec.Budget, s.Clock.Now()))
}

// Redeliver asks for another delivery.
var Redeliver = operation.Operation[RedeliverInput, Output]{
	ID: "redeliver-article", Method: http.MethodPost, Path: articlePath + "/redeliver", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// Redeliver asks for another delivery.
func (s *Articles) Redeliver(ctx context.Context, c *operation.Call, in *RedeliverInput) (*Output, error) {
	annotation := v1alpha1.RedeliverAnnotation
	if in.Body != nil && in.Body.Overwrite {
		if !c.Principal.Has(v1alpha1.ScopeApprove) {
			return nil, problem.InsufficientScope("approve")
		}
		annotation = v1alpha1.OverwriteAnnotation
	}
	return s.command(ctx, c, in.Command, lifecycle.ActionRedeliver, nil, nil, annotation)
}

// Unpublish takes the post of an article back.
var Unpublish = operation.Operation[UnpublishInput, Output]{
	ID: "unpublish-article", Method: http.MethodPost, Path: articlePath + "/unpublish", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// Unpublish takes the post of an article back.
func (s *Articles) Unpublish(ctx context.Context, c *operation.Call, in *UnpublishInput) (*Output, error) {
	found, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	overwrite := in.Body != nil && in.Body.Overwrite
	if !mayUnpublish(c, found.Object) || overwrite && !c.Principal.Has(v1alpha1.ScopeApprove) {
		return nil, problem.InsufficientScope("approve")
	}
	annotations := []string{v1alpha1.UnpublishAnnotation}
	if overwrite {
		annotations = append(annotations, v1alpha1.OverwriteAnnotation)
	}
	return s.command(ctx, c, in.Command, lifecycle.ActionUnpublish, nil, nil, annotations...)
}

// mayUnpublish reports whether a credential may take the post of an article back, if it may write: where reviewers approve, they also
// decide about that.
func mayUnpublish(c *operation.Call, a *v1alpha1.Article) bool {
	site, ok := SiteOf(c.Core, a)
	return c.Principal.Has(v1alpha1.ScopeApprove) || ok && site.Spec.Review.Policy == v1alpha1.ReviewAutomatic
}

// SiteOf returns the Site of an article.
func SiteOf(core *operation.Core, a *v1alpha1.Article) (*v1alpha1.Site, bool) {
	site, ok := core.Index.Site(a.Namespace, identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name))
	return site.Object, ok
}

// siteOrNil returns the Site of an article; nil if it does not exist.
func siteOrNil(core *operation.Core, a *v1alpha1.Article) *v1alpha1.Site {
	site, _ := SiteOf(core, a)
	return site
}

// command sets annotations to a nonce, which the controller handles once. about is what else the request says, and change, which may be
// nil, does it.
func (s *Articles) command(
	ctx context.Context, c *operation.Call, in Command, action lifecycle.ActionName, about []string, change func(*v1alpha1.Article) error,
	annotations ...string,
) (*Output, error) {
	return operation.Command[Output]{
		Operation: string(action), About: slices.Concat([]string{in.UID}, annotations, about),
		Do: func(ctx context.Context, nonce string) (*Output, error) {
			return s.Change(ctx, c, in.UID, Guard{IfMatch: in.IfMatch}, func(a *v1alpha1.Article) error {
				if a.Annotations[annotations[0]] == nonce {
					return nil
				}
				if err := s.Possible(a, action); err != nil {
					return err
				}
				if action == lifecycle.ActionRegenerate {
					if err := s.withinBudget(ctx, c); err != nil {
						return err
					}
				}
				if change != nil {
					if err := change(a); err != nil {
						return err
					}
				}
				for _, annotation := range annotations {
					metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, nonce)
				}
				return nil
			})
		},
		Again: func(ctx context.Context) (*Output, error) {
			return s.getArticle(ctx, c, &GetInput{OnArticle: in.OnArticle, Text: TextPending})
		},
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}
