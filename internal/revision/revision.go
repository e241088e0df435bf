// Package revision turns a document into an ArticleRevision and back.
package revision

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Origin names the revision of an article that a document becomes, and the source of its text.
type Origin struct {
	// Name of the revision.
	Name string
	// Number of the revision.
	Number int32
	// Source of the text.
	Source v1alpha1.RevisionSource
	// MadeBy is who wrote it or, for a generated text, asked for it; nil if that is not known.
	MadeBy *v1alpha1.RevisionMaker
	// Generator that wrote it; nil for an author's text.
	Generator *v1alpha1.GeneratorRecord
	// BasedOn is the revision with the generated text that an edited one comes from; nil for any other.
	BasedOn *v1alpha1.RevisionBase
	// Scores of the document; see Score and Scores.
	Scores v1alpha1.Scores
	// Brief that the document was checked against; nil if there was none.
	Brief *v1alpha1.RevisionBrief
	// Claims that the Brief does not support, a line each.
	Claims []string
}

// CheckedBy returns an origin with what the checks found in its document. used is the Brief whose material they had; nil if they had none.
func (o Origin) CheckedBy(report check.Report, used *v1alpha1.RevisionBrief) Origin {
	o.Scores, o.Brief = Scores(report), used
	if used != nil {
		o.Claims = ground.Lines(report.Claims, v1alpha1.MaxClaims)
	}
	return o
}

// Name returns the name of an article's revision of a number.
func Name(a *v1alpha1.Article, number int32) string {
	return identity.RevisionName(a.Name, identity.UID(identity.KindArticle, a.Namespace, a.Name), number)
}

// New makes a revision of an article from a document. The article owns it, so it is deleted with the article.
func New(a *v1alpha1.Article, doc content.Document, o Origin) *v1alpha1.ArticleRevision {
	return &v1alpha1.ArticleRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       a.Namespace,
			Name:            o.Name,
			OwnerReferences: []metav1.OwnerReference{Owner(a)},
		},
		Spec: v1alpha1.ArticleRevisionSpec{
			ArticleRef: v1alpha1.LocalReference{Name: a.Name},
			Number:     o.Number, Source: o.Source, Digest: doc.Digest(), Title: doc.Title, Slug: doc.Slug,
			MetaTitle: doc.MetaTitle, MetaDescription: doc.MetaDescription, Language: doc.Language,
			FAQ: doc.FAQ, Tags: doc.Tags, Category: doc.Category, Author: doc.Author, Image: doc.Image, Markdown: doc.Markdown,
			Scores: o.Scores, Brief: o.Brief, Claims: o.Claims, MadeBy: o.MadeBy, Generator: o.Generator,
			BasedOn: o.BasedOn,
		},
	}
}

// Owner returns the reference by which a revision is collected with its article.
func Owner(a *v1alpha1.Article) metav1.OwnerReference {
	controller := true
	return metav1.OwnerReference{
		APIVersion: v1alpha1.GroupVersion.String(), Kind: "Article", Name: a.Name, UID: a.UID, Controller: &controller,
	}
}

// Document returns the document of a revision.
func Document(rev *v1alpha1.ArticleRevision) content.Document {
	return content.Document{
		Title: rev.Spec.Title, Slug: rev.Spec.Slug, Markdown: rev.Spec.Markdown, MetaTitle: rev.Spec.MetaTitle,
		MetaDescription: rev.Spec.MetaDescription, Language: rev.Spec.Language, FAQ: rev.Spec.FAQ,
		Tags: rev.Spec.Tags, Category: rev.Spec.Category, Author: rev.Spec.Author, Image: rev.Spec.Image,
	}
}

// CheckFields returns an error if the author's fields cannot lie over any generated text, such as a title of blanks. A body of the
// author's own lies over none.
func CheckFields(c *v1alpha1.ArticleContent) error {
	if c == nil || c.HasBody() {
		return nil
	}
	_, err := Compose(content.Document{Title: "Title", Markdown: "Text."}, c, "en")
	return err
}

// Language of a site's texts as a BCP 47 tag, English if the site names none.
func Language(site *v1alpha1.Site) string {
	return cmp.Or(site.Spec.BrandVoice.Language, "en")
}

// WrittenInput returns the input of the checks for an author's text, apart from the document: the present requests of article and site.
// Either may be nil.
func WrittenInput(g *v1alpha1.GenerateRequest, site *v1alpha1.Site) check.Input {
	var in check.Input
	if g != nil {
		in.Keyword, in.SecondaryKeywords = g.Keyword, g.SecondaryKeywords
	}
	if site != nil {
		in.AvoidWords = site.Spec.BrandVoice.AvoidWords
		if site.Spec.Domain != "" {
			in.SiteURL = "https://" + site.Spec.Domain
		}
	}
	return in
}
