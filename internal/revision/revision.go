// Package revision turns a document into an ArticleRevision and back.
package revision

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Origin names the revision of an article that a document becomes, and the source of its text.
type Origin struct {
	// Name of the revision.
	Name string
	// Number of the revision.
	Number int64
	// Source of the text.
	Source v1alpha1.RevisionSource
	// Generator that wrote it; nil for an author's text.
	Generator *v1alpha1.GeneratorRecord
	// Scores of the document; see Score and Scores.
	Scores v1alpha1.Scores
	// Encoding of the body.
	Encoding v1alpha1.BodyEncoding
}

// Name returns the name of an article's revision of a number.
func Name(a *v1alpha1.Article, number int64) string {
	return identity.RevisionName(a.Name, identity.UID(identity.KindArticle, a.Namespace, a.Name), number)
}

// New makes a revision of an article from a document. The article owns it, so it is deleted with the article.
func New(a *v1alpha1.Article, doc content.Document, o Origin) (*v1alpha1.ArticleRevision, error) {
	rev := &v1alpha1.ArticleRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       a.Namespace,
			Name:            o.Name,
			OwnerReferences: []metav1.OwnerReference{Owner(a)},
		},
		Spec: v1alpha1.ArticleRevisionSpec{
			ArticleRef: v1alpha1.LocalReference{Name: a.Name},
			Number:     o.Number, Source: o.Source, Digest: doc.Digest(), Title: doc.Title, Slug: doc.Slug,
			MetaTitle: doc.MetaTitle, MetaDescription: doc.MetaDescription, Language: doc.Language,
			FAQ: doc.FAQ, Encoding: o.Encoding, Scores: o.Scores,
			Generator: o.Generator,
		},
	}
	return rev, encode(&rev.Spec, doc.Markdown)
}

// Owner returns the reference by which a revision is collected with its article.
func Owner(a *v1alpha1.Article) metav1.OwnerReference {
	controller := true
	return metav1.OwnerReference{
		APIVersion: v1alpha1.GroupVersion.String(), Kind: "Article", Name: a.Name, UID: a.UID, Controller: &controller,
	}
}

func encode(spec *v1alpha1.ArticleRevisionSpec, markdown string) error {
	if spec.Encoding == v1alpha1.EncodingPlain {
		spec.Markdown = markdown
		return nil
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		return fmt.Errorf("compressing the body: %w", err)
	}
	spec.Compressed = w.EncodeAll([]byte(markdown), nil)
	return w.Close()
}

// Document returns the document of a revision.
func Document(rev *v1alpha1.ArticleRevision) (content.Document, error) {
	body, err := decode(&rev.Spec)
	if err != nil {
		return content.Document{}, fmt.Errorf("reading revision %s: %w", rev.Name, err)
	}
	return content.Document{
		Title: rev.Spec.Title, Slug: rev.Spec.Slug, Markdown: body, MetaTitle: rev.Spec.MetaTitle,
		MetaDescription: rev.Spec.MetaDescription, Language: rev.Spec.Language, FAQ: rev.Spec.FAQ,
	}, nil
}

func decode(spec *v1alpha1.ArticleRevisionSpec) (string, error) {
	if spec.Encoding == v1alpha1.EncodingPlain {
		return spec.Markdown, nil
	}
	// The bound keeps a forged revision from growing in memory.
	r, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(4*v1alpha1.MaxMarkdownBytes), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return "", err
	}
	defer r.Close()
	body, err := r.DecodeAll(spec.Compressed, nil)
	return string(body), err
}
