package main

import (
	"fmt"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func (e *environment) newDiffCommand() *cobra.Command {
	var from int32
	cmd := &cobra.Command{
		Use:   "diff NAME",
		Short: "Show what has changed in a text since the last decision on it",
		Long: `Show what has changed in the text of an article since a reviewer last decided on it.

The exit code is 0 if nothing has changed, 1 if something has, and more than 1 if the comparison failed.`,
		Example: `  kubectl pressroom diff trail-shoes -n acme-blog
  kubectl pressroom diff trail-shoes -n acme-blog --from 1`,
		ValidArgsFunction: e.completeArticle,
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error { return diffFailed(cobra.ExactArgs(1)(cmd, args)) }
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return diffFailed(err) })
	cmd.Flags().Int32Var(&from, "from", 0, "number of the revision to compare with; the one that was decided on if unset")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		changes, err := e.diff(cmd, args[0], from)
		if err != nil {
			return diffFailed(err)
		}
		if changes == "" {
			return nil
		}
		if err := write(e.Out, changes); err != nil {
			return diffFailed(err)
		}
		return &exitError{code: exitDiffers}
	}
	return cmd
}

// diffFailed marks an error with the exit code that says so.
func diffFailed(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code: exitDiffFailed, cause: err}
}

// diff reads an article and returns what has changed in it.
func (e *environment) diff(cmd *cobra.Command, name string, from int32) (string, error) {
	s, err := e.connect()
	if err != nil {
		return "", err
	}
	f, err := s.texts(cmd.Context(), name)
	if err != nil {
		return "", err
	}
	if err := e.warnOutdated(cmd.Context(), s, f.article); err != nil {
		return "", err
	}
	return f.changes(from)
}

// changes returns a unified diff between a revision and the current one.
func (f *family) changes(from int32) (string, error) {
	after, err := f.current()
	if err != nil {
		return "", err
	}
	before, label, err := f.base(from)
	if err != nil {
		return "", err
	}
	old, err := document(before)
	if err != nil {
		return "", err
	}
	text, err := document(after)
	if err != nil {
		return "", err
	}
	return udiff.Unified(label, fmt.Sprintf("%s revision %d", f.article.Name, after.Spec.Number), plain(old), plain(text)), nil
}

// base returns the revision to compare with, and what it is called: the one with a number, or, for 0, the one that the last decision
// was about.
func (f *family) base(from int32) (*v1alpha1.ArticleRevision, string, error) {
	name, review := f.article.Name, f.article.Spec.Review
	if from != 0 {
		r, err := f.numbered(from)
		return r, fmt.Sprintf("%s revision %d", name, from), err
	}
	if review == nil {
		return nil, "", fmt.Errorf("nobody has decided on article %s yet: name a revision with --from, of %s", name, f.numbers())
	}
	for i := range f.revisions {
		r := &f.revisions[i]
		// A decision without a digest is about whatever text the article has.
		if r.Spec.Digest == review.Digest || review.Digest == "" && r.Name == f.article.Status.Revision.Name {
			return r, fmt.Sprintf("%s revision %d (%s by %s)", name, r.Spec.Number, review.Decision, review.By), nil
		}
	}
	return nil, "", fmt.Errorf("the text of article %s that %s has decided on is not kept any more: name a revision with --from, of %s",
		name, review.By, f.numbers())
}
