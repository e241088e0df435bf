package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/printers"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/listing"
	"github.com/pressroom-dev/pressroom/internal/manifest"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// exporter writes manifests of articles.
type exporter struct {
	*environment
	*session

	reviewers []string
	// write writes the manifest of an article.
	write func(a *v1alpha1.Article, data []byte) error
	// failed are the articles that could not be exported. The others are.
	failed []error
}

// run exports the articles that are named, or those that are selected.
func (x *exporter) run(ctx context.Context, names []string, selection []*client.ListOptions) error {
	for _, name := range names {
		a, err := x.article(ctx, name)
		if err != nil {
			x.failed = append(x.failed, err)
			continue
		}
		x.export(ctx, a)
	}
	for _, match := range selection {
		export := func(a *v1alpha1.Article) { x.export(ctx, a) }
		if err := listing.Each(ctx, x.session, &v1alpha1.ArticleList{}, export, client.InNamespace(x.namespace), match); err != nil {
			return errors.Join(append(x.failed, err)...)
		}
	}
	return errors.Join(x.failed...)
}

func (x *exporter) export(ctx context.Context, a *v1alpha1.Article) {
	data, err := x.manifestOf(ctx, a)
	if err == nil {
		err = x.write(a, data)
	}
	if err != nil {
		x.failed = append(x.failed, fmt.Errorf("article %s: %w", a.Name, err))
	}
}

// manifestOf returns the manifest of an article whose text may change and is finished.
func (x *exporter) manifestOf(ctx context.Context, a *v1alpha1.Article) ([]byte, error) {
	site, err := x.site(ctx, a)
	if err != nil {
		return nil, err
	}
	// An edit is what a merge is, and an approval what it is for: without a finished text, there is nothing to review.
	for _, action := range []lifecycle.ActionName{lifecycle.ActionEdit, lifecycle.ActionApprove} {
		if err := lifecycle.CheckAction(a, site, action, x.clock.Now()); err != nil {
			return nil, err
		}
	}
	r, err := x.revision(ctx, a)
	if err != nil {
		return nil, err
	}
	out := manifest.Article(a, r, x.reviewers...)
	data, err := manifest.Write(out, comments(a, r))
	if err != nil {
		return nil, err
	}
	x.warn(a, r, site)
	if err := manifest.CheckKustomize(data, out); err != nil {
		x.warningf(a, "neither Flux nor server-side apply takes the text, because of characters in it: %v", err)
	}
	return data, nil
}

// warningf says something about an article that is exported.
func (x *exporter) warningf(a *v1alpha1.Article, format string, args ...any) {
	fmt.Fprintf(x.ErrOut, "Warning: article %s: %s\n", a.Name, fmt.Sprintf(format, args...))
}

// revision reads the current revision of an article that has one.
func (s *session) revision(ctx context.Context, a *v1alpha1.Article) (*v1alpha1.ArticleRevision, error) {
	r := &v1alpha1.ArticleRevision{}
	current := a.Status.Revision
	if err := s.Get(ctx, client.ObjectKey{Namespace: a.Namespace, Name: current.Name}, r); err != nil {
		return nil, err
	}
	if !metav1.IsControlledBy(r, a) || r.Spec.Digest != current.Digest {
		return nil, fmt.Errorf("revision %s has been replaced: it is not the text with the digest %s", r.Name, current.Digest)
	}
	_, err := document(r)
	return r, err
}

// warn says what the manifest of a revision does not hold.
func (x *exporter) warn(a *v1alpha1.Article, r *v1alpha1.ArticleRevision, site *v1alpha1.Site) {
	if r.Spec.Image != nil && len(x.reviewers) > 0 {
		x.warningf(a, "the approval is also for the image that its URL leads to when it is applied; "+
			"the revision has the file with the SHA-256 %s",
			r.Spec.Image.SHA256)
	}
	if site == nil {
		return
	}
	if asked := max(1, int(site.Spec.Review.Approvals)); len(x.reviewers) > 0 && len(x.reviewers) < asked {
		x.warningf(a, "its site asks for %d approvals, and the manifest gives %d: name more people with --approve-as",
			asked, len(x.reviewers))
	}
	doc, err := revision.Compose(content.Document{}, manifest.Content(r), revision.Language(site))
	if err != nil {
		x.warningf(a, "the text is refused if it is applied: %v", err)
		return
	}
	if doc.Image != nil {
		doc.Image.ImageFile = r.Spec.Image.ImageFile
	}
	if digest := doc.Digest(); digest != r.Spec.Digest {
		x.warningf(a, "if the text is applied, its digest becomes %s: %s", digest, difference(doc, r))
	}
}

// difference says why a text that is applied has another digest than its revision.
func difference(doc content.Document, r *v1alpha1.ArticleRevision) string {
	if doc.Language != r.Spec.Language {
		return fmt.Sprintf("it is in the language of the site, %s, and the revision in %s", doc.Language, r.Spec.Language)
	}
	return "lines that repeat its title are removed"
}

// comments are what a reviewer has to know of a revision beside its text, a line each.
func comments(a *v1alpha1.Article, r *v1alpha1.ArticleRevision) []string {
	scores := make([]string, 0, len(check.Groups()))
	for _, s := range revision.GroupScores(&r.Spec.Scores) {
		scores = append(scores, fmt.Sprintf("%s %d", s.Group, s.Score))
	}
	lines := []string{
		fmt.Sprintf("Article %s, revision %d, %s", a.Name, r.Spec.Number, origin(r)),
		"Digest: " + r.Spec.Digest,
		"Scores, of 100: " + strings.Join(scores, ", "),
	}
	for _, f := range revision.Findings(&r.Spec.Scores) {
		if f.Must {
			lines = append(lines, "Failed gate: "+f.Check+": "+f.Message)
		}
	}
	lines = append(lines, claims(r)...)
	if r.Spec.Image != nil {
		lines = append(lines, "SHA-256 of the image: "+r.Spec.Image.SHA256)
	}
	lines = append(lines,
		"Once this is applied, the text is the one in this file: edits in the dashboard and over the REST API are refused.")
	if a.Spec.Generate != nil {
		lines = append(lines, "For another generated text, first take content, and review if there is one, out of this file.")
	}
	return lines
}

// writeDocuments writes manifests to the standard output, as one stream of YAML.
func (e *environment) writeDocuments() func(*v1alpha1.Article, []byte) error {
	first := true
	return func(_ *v1alpha1.Article, data []byte) error {
		if !first {
			data = append([]byte("---\n"), data...)
		}
		first = false
		_, err := e.Out.Write(data)
		return err
	}
}

// openFolder opens a folder, which it makes if it does not exist. Nothing outside of it is read or written, even if a link leads there.
func openFolder(path string) (*os.Root, error) {
	if err := os.MkdirAll(path, 0o777); err != nil { //nolint:gosec // the umask says who may read it, as of other files in Git
		return nil, err
	}
	return os.OpenRoot(path)
}

// writeFiles writes each manifest to a file of the folder, which it names.
func (x *exporter) writeFiles(folder *os.Root) func(*v1alpha1.Article, []byte) error {
	return func(a *v1alpha1.Article, data []byte) error {
		name := a.Name + ".yaml"
		did, err := replace(folder, name, a, data)
		if err != nil {
			return err
		}
		printer := &printers.NamePrinter{Operation: did + " " + filepath.Join(folder.Name(), name)}
		return printers.NewTypeSetter(x.Scheme()).ToPrinter(printer).PrintObj(a, x.Out)
	}
}

// replace writes the file of an article, unless there is a file with something else.
func replace(folder *os.Root, name string, a *v1alpha1.Article, data []byte) (string, error) {
	old, err := folder.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case bytes.Equal(old, data):
		return "unchanged in", nil
	default:
		if err := manifest.Holds(old, a); err != nil {
			return "", fmt.Errorf("%s stays as it is: %w", filepath.Join(folder.Name(), name), err)
		}
	}
	// A file is never half written.
	part := "." + name + ".part"
	if err := folder.WriteFile(part, data, 0o666); err != nil {
		return "", err
	}
	return "exported to", folder.Rename(part, name)
}
