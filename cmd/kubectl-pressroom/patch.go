package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/listing"
)

// fieldManager owns the fields that the plugin writes. It updates them, as kubectl patch and annotate do, and applies nothing. Its name
// must not begin with kubectl: Flux takes over, and so removes, what such managers wrote.
const fieldManager = "pressroom-plugin"

// maxConflicts bounds how often an edit begins again because the article was written at the same time.
const maxConflicts = 8

// edit is a change of an article by a command.
type edit struct {
	// did says what was done, as kubectl's "patched" does.
	did string
	// digest of the text that the article must have. If it is empty and the edit is about a text, it is the text that the article has
	// when it is first read.
	digest string
	// aboutText says that the edit is about the text.
	aboutText bool
	// change makes the edit in memory, or returns why it is not possible.
	change func(a *v1alpha1.Article, site *v1alpha1.Site) error
	// adds says more of what was done, once change has made the edit; nil if there is nothing more to say.
	adds func(a *v1alpha1.Article, site *v1alpha1.Site) string
}

// selectorFlag adds the flag that selects the articles of an editing command in place of their names.
func selectorFlag(cmd *cobra.Command) {
	cmd.Flags().StringP("selector", "l", "", "articles with these labels, such as team=shoes, in place of names")
}

// selectorOf returns the selector of a command; empty if it has none.
func selectorOf(cmd *cobra.Command) string {
	if flag := cmd.Flag("selector"); flag != nil {
		return flag.Value.String()
	}
	return ""
}

// namesOrSelector has an editing command name articles, or select them if it can. An empty selector selects none: it may be a variable that
// is not set.
func namesOrSelector(cmd *cobra.Command, names []string) error {
	switch selects := selectorOf(cmd) != ""; {
	case selects && len(names) > 0:
		return errors.New("name articles, or select them with -l, and not both")
	case !selects && len(names) == 0 && cmd.Flag("selector") != nil:
		return errors.New("name articles, or select them with -l")
	case selects:
		return nil
	default:
		return cobra.MinimumNArgs(1)(cmd, names)
	}
}

// selected returns the names of the articles of the namespace that have the labels of a selector. If there are none, it says so as kubectl
// does, which is no error.
func (e *environment) selected(ctx context.Context, s *session, selector string) ([]string, error) {
	matching, err := labels.Parse(selector)
	if err != nil {
		return nil, fmt.Errorf("--selector: %w", err)
	}
	var names []string
	keep := func(a *v1alpha1.Article) { names = append(names, a.Name) }
	err = listing.Each(ctx, s, &v1alpha1.ArticleList{}, keep, client.InNamespace(s.namespace),
		client.MatchingLabelsSelector{Selector: matching})
	if err == nil && len(names) == 0 {
		_, err = fmt.Fprintf(e.ErrOut, "No resources found in %s namespace.\n", s.namespace)
	}
	return names, err
}

// editing completes a command that edits the articles it names. begin returns the edit once the flags are read.
func (e *environment) editing(cmd *cobra.Command, begin func(ctx context.Context, s *session) (*edit, error)) *cobra.Command {
	out, dry := newOutput(cmd), newDryRun(cmd)
	cmd.Args = namesOrSelector
	cmd.ValidArgsFunction = e.completeArticles
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if digest := cmd.Flag("digest"); digest != nil && digest.Changed && len(names) > 1 {
			return errors.New("--digest names one text: give one article with it")
		}
		if err := dry.check(); err != nil {
			return err
		}
		s, err := e.connect()
		if err != nil {
			return err
		}
		change, err := begin(cmd.Context(), s)
		if err != nil {
			return err
		}
		if selector := selectorOf(cmd); selector != "" {
			if names, err = e.selected(cmd.Context(), s, selector); err != nil {
				return err
			}
		}
		var failed []error
		for _, name := range names {
			a, did, err := change.apply(cmd.Context(), s, name, *dry)
			if err == nil {
				err = out.did(a, dry.said(did), s.Scheme(), e.Out)
			}
			failed = append(failed, err)
		}
		return errors.Join(failed...)
	}
	return cmd
}

// apply makes the edit on the newest state of an article, and returns the article after it and what was done.
func (c *edit) apply(ctx context.Context, s *session, name string, dry dryRun) (*v1alpha1.Article, string, error) {
	digest := c.digest
	var last error
	for range maxConflicts {
		a, err := s.article(ctx, name)
		if err != nil {
			return nil, "", err
		}
		if digest == "" && c.aboutText && a.Status.Revision != nil {
			digest = a.Status.Revision.Digest
		}
		site, err := s.site(ctx, a)
		if err != nil {
			return nil, "", err
		}
		old := a.DeepCopy()
		if err := c.make(a, site, digest); err != nil {
			return nil, "", fmt.Errorf("article %s: %w", name, err)
		}
		did := c.did
		if c.adds != nil {
			did += c.adds(a, site)
		}
		if equality.Semantic.DeepEqual(old, a) {
			return a, did + " (no change)", nil
		}
		if dry == dryRunClient {
			return a, did, nil
		}
		patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
		last = s.Patch(ctx, a, patch, dry.patchOptions()...)
		if !apierrors.IsConflict(last) {
			return a, did, last
		}
	}
	return nil, "", last
}

// make makes the edit in memory if the article has the text with this digest. It is empty if any text will do.
func (c *edit) make(a *v1alpha1.Article, site *v1alpha1.Site, digest string) error {
	if digest != "" {
		if err := sameText(a, site, digest); err != nil {
			return err
		}
	}
	return c.change(a, site)
}

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// digestFlag adds the flag that names the text a decision is about.
func digestFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "digest", "",
		"digest of the text that you read, as the command preview shows it; another text is left as it is")
}

// checkDigest returns an error if the flag's value is no digest.
func checkDigest(given string) error {
	if given != "" && !digestForm.MatchString(given) {
		return fmt.Errorf("--digest must be sha256: and 64 hexadecimal digits, not %q", given)
	}
	return nil
}

// sameText returns an error if the text of an article is not, or not yet, the one with this digest.
func sameText(a *v1alpha1.Article, site *v1alpha1.Site, digest string) error {
	current := a.Status.Revision
	switch {
	case current == nil:
		return errors.New("there is no text with a digest yet")
	case digest != current.Digest:
		return fmt.Errorf("the text has changed, its digest is now %s: read it with kubectl pressroom preview %s", current.Digest, a.Name)
	case lifecycle.Outdated(a, site):
		return errors.New("the text was edited, and there is no revision of it yet")
	}
	return nil
}

// dryRun is the flag --dry-run: none, client or server.
type dryRun string

const (
	dryRunNone   dryRun = "none"
	dryRunClient dryRun = "client"
	dryRunServer dryRun = "server"
)

func newDryRun(cmd *cobra.Command) *dryRun {
	d := dryRunNone
	cmd.Flags().StringVar((*string)(&d), "dry-run", string(d), `Must be "none", "server", or "client". `+
		`If client strategy, only print the object that would be sent, without sending it. `+
		`If server strategy, submit the request without persisting the resource.`)
	complete(cmd, "dry-run", func(string) []string { return []string{string(dryRunClient), string(dryRunNone), string(dryRunServer)} })
	return &d
}

func (d dryRun) check() error {
	if d == dryRunNone || d == dryRunClient || d == dryRunServer {
		return nil
	}
	return errors.New(`--dry-run must be "none", "server" or "client"`)
}

func (d dryRun) patchOptions() []client.PatchOption {
	options := []client.PatchOption{client.FieldOwner(fieldManager), client.FieldValidation("Strict")}
	if d == dryRunServer {
		options = append(options, client.DryRunAll)
	}
	return options
}

// said adds to what was done that it was not, in the words of kubectl.
func (d dryRun) said(what string) string {
	switch d {
	case dryRunClient:
		return what + " (dry run)"
	case dryRunServer:
		return what + " (server dry run)"
	}
	return what
}
