package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// reviewFlags are the flags of approve and reject.
type reviewFlags struct{ digest, message string }

func (e *environment) newApproveCommand() *cobra.Command {
	f := &reviewFlags{}
	cmd := &cobra.Command{
		Use:   "approve NAME...",
		Short: "Approve the current text of articles",
		Long: `Approve the current text of articles, in your own name. Another text will be in review again.

It needs the verbs patch and approve on articles.pressroom.dev. To approve what you have read and nothing else, name its digest, which
preview shows. An article that is published, or has this approval already, stays as it is.`,
		Example: `  # Read a text, and approve it
  kubectl pressroom preview trail-shoes -n acme-blog
  kubectl pressroom approve trail-shoes -n acme-blog

  # Approve what was read, and nothing that came after it
  kubectl pressroom approve trail-shoes -n acme-blog --digest sha256:9f86d081...`,
	}
	digestFlag(cmd, &f.digest)
	cmd.Flags().StringVarP(&f.message, "message", "m", "", "a note to the decision, at most 2000 characters")
	return e.editing(cmd, func(ctx context.Context, s *session) (*edit, error) {
		decision, err := f.edit(ctx, s, lifecycle.ActionApprove, v1alpha1.DecisionApproved, e.clock.Now())
		if err != nil {
			return nil, err
		}
		approve := decision.change
		decision.change = func(a *v1alpha1.Article, site *v1alpha1.Site) error {
			if err := approve(a, site); err != nil {
				return err
			}
			if n := ptr.Deref(a.Status.Revision.UnsupportedClaims, 0); n > 0 && f.message == "" {
				fmt.Fprintf(e.ErrOut,
					"Warning: article %s: its brief does not support %s, which preview shows; say with -m why you approve it\n",
					a.Name, counted(int(n), "claim"))
			}
			return nil
		}
		return decision, nil
	})
}

func (e *environment) newRejectCommand() *cobra.Command {
	f := &reviewFlags{}
	cmd := &cobra.Command{
		Use:   "reject NAME... -m MESSAGE",
		Short: "Reject the current text of articles, and say why",
		Long: `Reject the current text of articles, in your own name. Another text will be in review again.

It needs the verbs patch and approve on articles.pressroom.dev.`,
		Example: `  kubectl pressroom reject trail-shoes -n acme-blog -m "The second section has no sources."`,
	}
	digestFlag(cmd, &f.digest)
	cmd.Flags().StringVarP(&f.message, "message", "m", "", "why, at most 2000 characters; required")
	cmd = e.editing(cmd, func(ctx context.Context, s *session) (*edit, error) {
		return f.edit(ctx, s, lifecycle.ActionReject, v1alpha1.DecisionRejected, e.clock.Now())
	})
	// The flag exists.
	_ = cmd.MarkFlagRequired("message")
	return cmd
}

// edit returns the edit that records a decision on the text that the article has when it is read.
func (f *reviewFlags) edit(
	ctx context.Context, s *session, action lifecycle.ActionName, decision v1alpha1.ReviewDecision, now time.Time,
) (*edit, error) {
	if err := checkDigest(f.digest); err != nil {
		return nil, err
	}
	by, err := s.userName(ctx)
	if err != nil {
		return nil, err
	}
	return &edit{
		did: strings.ToLower(string(decision)), digest: f.digest, aboutText: true,
		change: func(a *v1alpha1.Article, site *v1alpha1.Site) error {
			if err := lifecycle.CheckAction(a, site, action, now); err != nil {
				return err
			}
			review := v1alpha1.ArticleReview{Decision: decision, Digest: a.Status.Revision.Digest, By: by, Note: f.message}
			if !lifecycle.NothingToReview(a, site) && !decided(a, review) {
				a.Spec.Review = &review
			}
			return nil
		},
	}, nil
}

// decided reports whether the same decision was made already. The person who made it stays recorded.
func decided(a *v1alpha1.Article, review v1alpha1.ArticleReview) bool {
	r := a.Spec.Review
	return r != nil && r.Decision == review.Decision && r.Digest == review.Digest && r.Note == review.Note
}
