package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func (e *environment) newRegenerateCommand() *cobra.Command {
	return e.annotating(&cobra.Command{
		Use:   "regenerate NAME...",
		Short: "Ask for another text of generated articles; a credit each",
		Long: `Ask for another text of generated articles: set the annotation pressroom.dev/regenerate to a new nonce.

A run takes a credit. The new text is in review; if the run fails, the one before stays.`,
		Example: `  kubectl pressroom regenerate trail-shoes -n acme-blog`,
	}, "regeneration requested", lifecycle.ActionRegenerate, func() string { return v1alpha1.RegenerateAnnotation })
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
	return e.annotating(cmd, "redelivery requested", lifecycle.ActionRedeliver, func() string {
		if *overwrite {
			return v1alpha1.OverwriteAnnotation
		}
		return v1alpha1.RedeliverAnnotation
	})
}

// annotating completes a command that sets an annotation to a new nonce, which the controller acts on once.
func (e *environment) annotating(cmd *cobra.Command, did string, action lifecycle.ActionName, annotation func() string) *cobra.Command {
	return e.editing(cmd, func(context.Context, *session) (*edit, error) {
		nonce, err := e.nonce()
		if err != nil {
			return nil, err
		}
		verbs := []string{"patch", "create"}
		if annotation() == v1alpha1.OverwriteAnnotation {
			verbs = append(verbs, "approve")
		}
		return &edit{did: did, verbs: verbs, change: func(a *v1alpha1.Article) error {
			if err := lifecycle.CheckAction(a, action, e.clock.Now()); err != nil {
				return err
			}
			if a.Annotations == nil {
				a.Annotations = map[string]string{}
			}
			a.Annotations[annotation()] = nonce
			return nil
		}}, nil
	})
}
