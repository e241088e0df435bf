package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// exportFlags are the flags of export.
type exportFlags struct {
	selector, directory string

	phases, reviewers []string
}

// phases are those that articles can be selected by.
var phases = []string{
	string(v1alpha1.PhaseDraft), string(v1alpha1.PhaseGenerating), string(v1alpha1.PhaseReview), string(v1alpha1.PhaseApproved),
	string(v1alpha1.PhaseRejected), string(v1alpha1.PhaseScheduled), string(v1alpha1.PhasePublished), string(v1alpha1.PhaseFailed),
	string(v1alpha1.PhaseArchived),
}

// maxReviewerBytes is the longest spec.review.by.
const maxReviewerBytes = 253

func (e *environment) newExportCommand() *cobra.Command {
	f := &exportFlags{}
	cmd := &cobra.Command{
		Use:   "export [NAME...] [-l SELECTOR] [--phase PHASE,...]",
		Short: "Write articles with their current texts as manifests, to be reviewed in Git",
		Long: `Write articles with their current texts as manifests, to be reviewed in Git: spec.content has the whole text of the current
revision, also of one that was generated.

If such a manifest is applied, the text, its digest and spec.generate stay the same: nothing is generated, and no credit is taken. It needs
the verb get on articles and articlerevisions.pressroom.dev, and list on articles to select them. An article whose text may not change is
refused: one that is published, unless its Site updates posts.`,
		Example: `  # Read the manifest of an article
  kubectl pressroom export trail-shoes -n acme-blog

  # Write a file for each article that waits for a reviewer, whose approval is the merge
  kubectl pressroom export --phase Review -d articles --approve-as editors@acme.example -n acme-blog

  # Write one for a site that asks for two approvals
  kubectl pressroom export trail-shoes --approve-as mara@acme.example --approve-as jo@acme.example -n acme-blog`,
		ValidArgsFunction: e.completeArticles,
	}
	cmd.Flags().StringVarP(&f.selector, "selector", "l", "", "articles with these labels, such as team=shoes")
	cmd.Flags().StringSliceVar(&f.phases, "phase", nil, "articles in one of these phases, such as Review")
	cmd.Flags().StringVarP(&f.directory, "directory", "d", "",
		"folder for a file NAME.yaml for each article, which replaces one that has this article and nothing else; standard output if unset")
	cmd.Flags().StringArrayVar(&f.reviewers, "approve-as", nil,
		"have the manifest approve its text, in the name of this reviewer, and of others if it is repeated; "+
			"applying it needs the verbs approve and attest on articles")
	complete(cmd, "phase", func(string) []string { return slices.Clone(phases) })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		selection, err := f.selection(args)
		if err != nil {
			return err
		}
		s, err := e.connect()
		if err != nil {
			return err
		}
		x := &exporter{environment: e, session: s, reviewers: f.reviewers, write: e.writeDocuments()}
		if f.directory != "" {
			folder, err := openFolder(f.directory)
			if err != nil {
				return err
			}
			defer func() { _ = folder.Close() }()
			x.write = x.writeFiles(folder)
		}
		return x.run(cmd.Context(), args, selection)
	}
	return cmd
}

// checkReviewers returns an error if a manifest cannot have the approvals of these people.
func checkReviewers(names []string) error {
	if len(names) > v1alpha1.MaxApprovals {
		return fmt.Errorf("--approve-as may be given %d times", v1alpha1.MaxApprovals)
	}
	for i, name := range names {
		switch {
		case name == "" || len(name) > maxReviewerBytes:
			return fmt.Errorf("--approve-as must have 1 to %d bytes", maxReviewerBytes)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("--approve-as names %s twice", name)
		}
	}
	return nil
}

// selection returns the options of the lists that select articles, one for each phase, and none if articles are named.
func (f *exportFlags) selection(names []string) ([]*client.ListOptions, error) {
	if err := checkReviewers(f.reviewers); err != nil {
		return nil, err
	}
	selected := f.selector != "" || len(f.phases) > 0
	switch {
	case len(names) == 0 && !selected:
		return nil, errors.New("name articles, or select them with -l or --phase")
	case len(names) > 0 && selected:
		return nil, errors.New("name articles, or select them with -l and --phase, and not both")
	case len(names) > 0:
		return nil, nil
	}
	matching, err := labels.Parse(f.selector)
	if err != nil {
		return nil, fmt.Errorf("--selector: %w", err)
	}
	if len(f.phases) == 0 {
		return []*client.ListOptions{{LabelSelector: matching}}, nil
	}
	all := make([]*client.ListOptions, 0, len(f.phases))
	for _, phase := range slices.Compact(slices.Sorted(slices.Values(f.phases))) {
		if !slices.Contains(phases, phase) {
			return nil, fmt.Errorf("--phase must be one of %s, not %q", strings.Join(phases, ", "), phase)
		}
		all = append(all, &client.ListOptions{LabelSelector: matching, FieldSelector: fields.OneTermEqualSelector("status.phase", phase)})
	}
	return all, nil
}
