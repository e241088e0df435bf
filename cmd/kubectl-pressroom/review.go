package main

import (
	"context"
	"fmt"
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
preview shows. An article that is published, or has this approval already, stays as it is.

If the Site asks for several approvals, each is of another person: the last is spec.review, and those before are spec.approvals. A second
approval of the same text by the same person changes nothing.`,
		Example: `  # Read a text, and approve it
  kubectl pressroom preview trail-shoes -n acme-blog
  kubectl pressroom approve trail-shoes -n acme-blog

  # Approve what was read, and nothing that came after it
  kubectl pressroom approve trail-shoes -n acme-blog --digest sha256:9f86d081...`,
	}
	digestFlag(cmd, &f.digest)
	cmd.Flags().StringVarP(&f.message, "message", "m", "", "a note to the decision, at most 2000 characters")
	return e.editing(cmd, func(ctx context.Context, s *session) (*edit, error) {
		decision, err := f.edit(ctx, s, lifecycle.ActionApprove, "approved", e.clock.Now(),
			func(a *v1alpha1.Article, site *v1alpha1.Site, by string) { lifecycle.Approve(a, site, by, f.message) })
		if err != nil {
			return nil, err
		}
		decision.adds = approvedBy
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
		return f.edit(ctx, s, lifecycle.ActionReject, "rejected", e.clock.Now(),
			func(a *v1alpha1.Article, _ *v1alpha1.Site, by string) { lifecycle.Reject(a, by, f.message) })
	})
	// The flag exists.
	_ = cmd.MarkFlagRequired("message")
	return cmd
}

// edit returns the edit that records a decision on the text that the article has when it is read.
func (f *reviewFlags) edit(
	ctx context.Context, s *session, action lifecycle.ActionName, did string, now time.Time,
	decide func(a *v1alpha1.Article, site *v1alpha1.Site, by string),
) (*edit, error) {
	if err := checkDigest(f.digest); err != nil {
		return nil, err
	}
	by, err := s.userName(ctx)
	if err != nil {
		return nil, err
	}
	return &edit{
		did: did, digest: f.digest, aboutText: true,
		change: func(a *v1alpha1.Article, site *v1alpha1.Site) error {
			if err := lifecycle.CheckAction(a, site, action, now); err != nil {
				return err
			}
			decide(a, site, by)
			return nil
		},
	}, nil
}

// approvedBy says who has approved a text whose Site asks for several approvals.
func approvedBy(a *v1alpha1.Article, site *v1alpha1.Site) string {
	approvals := lifecycle.ApprovalsOf(a, site)
	if approvals.Required == 1 {
		return ""
	}
	return ", " + approvals.String()
}
