package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

type publishFlags struct{ at, digest string }

func (e *environment) newPublishCommand() *cobra.Command {
	f := &publishFlags{}
	cmd := &cobra.Command{
		Use:   "publish NAME... [--at TIME]",
		Short: "Ask for the publication of articles, now or at a time",
		Long: `Ask for the publication of articles: set spec.stage to Published, and spec.publishAfter to the time of --at or to none.

An article that is not approved yet is published once it is, and one that was unpublished comes back. Wait for the publication with
kubectl wait article/NAME --for=condition=Published.`,
		Example: `  kubectl pressroom publish trail-shoes -n acme-blog
  kubectl pressroom publish trail-shoes -n acme-blog --at 2026-12-01T09:00:00Z`,
	}
	digestFlag(cmd, &f.digest)
	cmd.Flags().StringVar(&f.at, "at", "", "not before this time, in the form of RFC 3339, such as 2026-12-01T09:00:00Z; now if unset")
	return e.editing(cmd, func(context.Context, *session) (*edit, error) { return f.edit(e) })
}

func (f *publishFlags) edit(e *environment) (*edit, error) {
	now := e.clock.Now()
	nonce := e.nonce()
	if err := checkDigest(f.digest); err != nil {
		return nil, err
	}
	at, err := f.time(now)
	if err != nil {
		return nil, err
	}
	did := "publication requested"
	if at != nil {
		did = "scheduled for " + at.UTC().Format(time.RFC3339)
	}
	return &edit{
		did: did, digest: f.digest,
		change: func(a *v1alpha1.Article, site *v1alpha1.Site) error {
			if err := lifecycle.CheckAction(a, site, lifecycle.ActionPublish, now); err != nil {
				return err
			}
			if lifecycle.HoldOf(a) != "" && a.Spec.Stage == v1alpha1.StagePublished {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RedeliverAnnotation, nonce)
			}
			a.Spec.Stage = v1alpha1.StagePublished
			// A published article has no time to come.
			if !lifecycle.NothingToReview(a, site) {
				a.Spec.PublishAfter = at
			}
			return nil
		},
	}, nil
}

// time reads --at. It is nil if the flag is not set.
func (f *publishFlags) time(now time.Time) (*v1alpha1.Time, error) {
	if f.at == "" {
		return nil, nil
	}
	at, err := time.Parse(time.RFC3339, f.at)
	if err != nil {
		return nil, fmt.Errorf("--at must be a time in the form of RFC 3339, such as 2026-12-01T09:00:00Z, not %q", f.at)
	}
	if !at.After(now) {
		return nil, fmt.Errorf("--at must be a time to come, not %s: leave it out to publish now", f.at)
	}
	return &v1alpha1.Time{Time: at.Truncate(time.Second)}, nil
}

func (e *environment) newCancelPublicationCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cancel-publication NAME...",
		Short: "Take the request to publish articles back, with its time",
		Long: `Take the request to publish articles back: set spec.stage from Published to Review, and remove spec.publishAfter.

The decision of the reviewer stays.`,
		Example: `  kubectl pressroom cancel-publication trail-shoes -n acme-blog`,
	}
	return e.editing(cmd, func(context.Context, *session) (*edit, error) {
		return &edit{did: "publication cancelled", change: func(a *v1alpha1.Article, site *v1alpha1.Site) error {
			return cancelPublication(a, site, e.clock.Now())
		}}, nil
	})
}

func cancelPublication(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) error {
	if err := lifecycle.CheckAction(a, site, lifecycle.ActionCancelPublication, now); err != nil {
		return err
	}
	if a.Spec.Stage == v1alpha1.StagePublished {
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StageReview, nil
	}
	return nil
}

func (e *environment) newRegenerateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "regenerate NAME... | -l SELECTOR",
		Short: "Ask for another text of generated articles; a credit each",
		Long: `Ask for another text of generated articles: set the annotation pressroom.dev/regenerate to a new nonce.

A run takes a credit. The new text is in review; if the run fails, the one before stays. Of the articles that -l selects, one whose text
cannot be generated is an error, and the others are done.`,
		Example: `  kubectl pressroom regenerate trail-shoes -n acme-blog
  kubectl pressroom regenerate -l season=winter -n acme-blog`,
	}
	selectorFlag(cmd)
	annotations := func() []string { return []string{v1alpha1.RegenerateAnnotation} }
	return e.annotating(cmd, "regeneration requested", lifecycle.ActionRegenerate, annotations)
}

func (e *environment) newUnpublishCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "unpublish NAME...",
		Short: "Take the posts of published articles back",
		Long: `Take the posts of published articles back: set the annotation pressroom.dev/unpublish to a new nonce, which needs the verb
approve on articles.

A WordPress post becomes a draft, a Webflow item is no longer live, a Shopify article is hidden, and a site that pulls sees the article
gone. kubectl pressroom publish brings it back. A post that somebody has changed in the CMS stays (ChangedAtSite), unless --overwrite is
set.`,
		Example: `  kubectl pressroom unpublish trail-shoes -n acme-blog`,
	}
	overwrite := cmd.Flags().Bool("overwrite", false, "take the post back even if somebody has changed it in the CMS")
	return e.annotating(cmd, "unpublishing requested", lifecycle.ActionUnpublish, func() []string {
		if *overwrite {
			return []string{v1alpha1.UnpublishAnnotation, v1alpha1.OverwriteAnnotation}
		}
		return []string{v1alpha1.UnpublishAnnotation}
	})
}

func (e *environment) newRedeliverCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "redeliver NAME...",
		Short: "Send articles again that are published or whose delivery failed",
		Long: `Send articles again that are published or whose delivery failed: set the annotation pressroom.dev/redeliver to a new nonce.

A new cycle begins: a first attempt and up to three retries. What somebody has changed of a post in the CMS stays, and nothing is sent
(ChangedAtSite). With --overwrite, which needs the verb approve on articles, it is overwritten: that sets pressroom.dev/overwrite.`,
		Example: `  kubectl pressroom redeliver trail-shoes -n acme-blog`,
	}
	overwrite := cmd.Flags().Bool("overwrite", false, "overwrite what somebody has changed of the post in the CMS")
	return e.annotating(cmd, "redelivery requested", lifecycle.ActionRedeliver, func() []string {
		if *overwrite {
			return []string{v1alpha1.OverwriteAnnotation}
		}
		return []string{v1alpha1.RedeliverAnnotation}
	})
}

// annotating completes a command that sets annotations to a new nonce, which the controller acts on once.
func (e *environment) annotating(cmd *cobra.Command, did string, action lifecycle.ActionName, annotations func() []string) *cobra.Command {
	return e.editing(cmd, func(context.Context, *session) (*edit, error) {
		nonce := e.nonce()
		return &edit{did: did, change: func(a *v1alpha1.Article, site *v1alpha1.Site) error {
			if err := lifecycle.CheckAction(a, site, action, e.clock.Now()); err != nil {
				return err
			}
			for _, annotation := range annotations() {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, nonce)
			}
			return nil
		}}, nil
	})
}
