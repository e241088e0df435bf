// Package manifest writes an article with the whole text of one of its revisions as a manifest, so that people can review the text in Git.
package manifest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Article returns the article of a manifest: name, labels and annotations, what the author asks for, and the whole text of a revision in
// spec.content. It has an approval, without a digest, by each of the people that are named: by the last in spec.review, and by others in
// spec.approvals.
func Article(a *v1alpha1.Article, r *v1alpha1.ArticleRevision, by ...string) *v1alpha1.Article {
	out := &v1alpha1.Article{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Article"},
		ObjectMeta: metav1.ObjectMeta{
			Name: a.Name, Namespace: a.Namespace, Labels: ofPeople(a.Labels), Annotations: ofPeople(a.Annotations),
		},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: a.Spec.SiteRef, Generate: a.Spec.Generate, Stage: a.Spec.Stage, PublishAfter: a.Spec.PublishAfter, Content: Content(r),
		},
	}
	metav1.SetMetaDataAnnotation(&out.ObjectMeta, substitute, "disabled")
	for i, name := range by {
		if i < len(by)-1 {
			out.Spec.Approvals = append(out.Spec.Approvals, v1alpha1.ArticleApproval{By: name})
		} else {
			out.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: name}
		}
	}
	return out
}

// Content returns the content of an author who writes what a revision has. Its image has no file: the controller fetches it again.
func Content(r *v1alpha1.ArticleRevision) *v1alpha1.ArticleContent {
	c := &v1alpha1.ArticleContent{
		Title: r.Spec.Title, Slug: r.Spec.Slug, MetaTitle: r.Spec.MetaTitle, MetaDescription: r.Spec.MetaDescription,
		Tags: r.Spec.Tags, Category: r.Spec.Category, Author: r.Spec.Author, FAQ: r.Spec.FAQ, Markdown: r.Spec.Markdown,
	}
	if len(r.Spec.FAQ) == 0 {
		c.FAQPolicy = v1alpha1.FAQNone
	}
	if i := r.Spec.Image; i != nil {
		c.Image = &i.ArticleImage
	}
	return c
}

// substitute is the annotation that keeps postBuild of a Kustomization of Flux from replacing ${...} in a text.
const substitute = "kustomize.toolkit.fluxcd.io/substitute"

// settings are the annotations of Flux and Argo CD with which people say what becomes of an object. Without them, the manifest would not
// do what the one before it did.
var settings = []string{
	"kustomize.toolkit.fluxcd.io/force", "kustomize.toolkit.fluxcd.io/prune", "kustomize.toolkit.fluxcd.io/reconcile",
	"kustomize.toolkit.fluxcd.io/ssa", substitute,
	"argocd.argoproj.io/compare-options", "argocd.argoproj.io/sync-options", "argocd.argoproj.io/sync-wave",
}

// tools are the domains of what Pressroom, kubectl, Flux and Argo CD record.
var tools = []string{v1alpha1.GroupVersion.Group, "kubectl.kubernetes.io", "fluxcd.io", "argoproj.io"}

// ofPeople returns the labels or annotations that people have set: without commands to Pressroom, which are done, and without what
// Pressroom, kubectl, Flux and Argo CD record.
func ofPeople(all map[string]string) map[string]string {
	kept := maps.Clone(all)
	maps.DeleteFunc(kept, func(name, _ string) bool {
		domain, _, _ := strings.Cut(name, "/")
		return !slices.Contains(settings, name) &&
			slices.ContainsFunc(tools, func(tool string) bool {
				return domain == tool || strings.HasSuffix(domain, "."+tool)
			})
	})
	return kept
}

// Write spells an article as YAML, with comments for its reader above it. Fields are in an order for readers, and the Markdown comes last,
// line by line if kustomize then reads it. It returns an error if the parser of Kubernetes would not read the same article.
func Write(a *v1alpha1.Article, comments []string) ([]byte, error) {
	data, err := write(a, comments, true)
	if err != nil || CheckKustomize(data, a) == nil {
		return data, err
	}
	// kustomize cannot write a block that begins with a tab.
	if onOneLine, err := write(a, comments, false); err == nil && CheckKustomize(onOneLine, a) == nil {
		return onOneLine, nil
	}
	return data, nil
}

func write(a *v1alpha1.Article, comments []string, blocks bool) ([]byte, error) {
	data, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("writing the article: %w", err)
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		return nil, fmt.Errorf("writing the article: %w", err)
	}
	w := &writer{blocks: blocks}
	for _, c := range comments {
		w.comment(c)
	}
	w.fields(0, object)
	return w.Bytes(), checkSame(w.Bytes(), a)
}

// checkSame returns an error if the parser of Kubernetes does not read an article in a manifest.
func checkSame(data []byte, a *v1alpha1.Article) error {
	read := &v1alpha1.Article{}
	if err := yaml.UnmarshalStrict(data, read); err != nil {
		return fmt.Errorf("reading what was written: %w", err)
	}
	got, err := json.Marshal(read)
	if err != nil {
		return fmt.Errorf("reading what was written: %w", err)
	}
	want, err := json.Marshal(a)
	if err != nil || !bytes.Equal(got, want) {
		return errors.New("reading what was written: it is not the same article")
	}
	return nil
}

// CheckKustomize returns an error if kustomize, and so Flux, does not apply the article of a manifest. It does what kustomize does: it
// writes what it has read with another library, reads that, and writes it with the one of Kubernetes. Neither can write every text, such
// as one with U+FFFE, which server-side apply does not take either.
func CheckKustomize(data []byte, a *v1alpha1.Article) error {
	var node yamlv3.Node
	if err := yamlv3.Unmarshal(data, &node); err != nil {
		return fmt.Errorf("kustomize cannot read the manifest: %w", err)
	}
	var again bytes.Buffer
	encoder := yamlv3.NewEncoder(&again)
	encoder.SetIndent(2)
	if err := encoder.Encode(&node); err != nil {
		return fmt.Errorf("kustomize cannot write the manifest: %w", err)
	}
	var object map[string]any
	if err := yamlv3.Unmarshal(again.Bytes(), &object); err != nil {
		return fmt.Errorf("kustomize cannot read the manifest again: %w", err)
	}
	built, err := yaml.Marshal(object)
	if err != nil {
		return fmt.Errorf("kustomize cannot write the manifest: %w", err)
	}
	if checkSame(built, a) != nil {
		return errors.New("kustomize changes the text")
	}
	return nil
}

// Holds returns nil if a file holds the manifest of an article and nothing else, and otherwise an error that says what it holds. The
// namespace may be missing: a kustomization can set it.
func Holds(data []byte, a *v1alpha1.Article) error {
	var objects []*metav1.PartialObjectMetadata
	for docs := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
		doc, err := docs.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		// It stays nil for a document of comments.
		var o *metav1.PartialObjectMetadata
		if err == nil {
			err = yaml.Unmarshal(doc, &o)
		}
		if err != nil {
			return fmt.Errorf("it is no manifest: %w", err)
		}
		if o != nil {
			objects = append(objects, o)
		}
	}
	if len(objects) != 1 {
		return fmt.Errorf("it has %d objects", len(objects))
	}
	o := objects[0]
	if kind := o.GroupVersionKind().GroupKind(); kind != v1alpha1.GroupVersion.WithKind("Article").GroupKind() {
		return fmt.Errorf("it has an object of the kind %s", cmp.Or(kind.String(), "none"))
	}
	if o.Name != a.Name || o.Namespace != "" && o.Namespace != a.Namespace {
		return fmt.Errorf("it has the Article %s", strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"))
	}
	return nil
}
