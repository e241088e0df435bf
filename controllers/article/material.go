package article

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// refresh has a run keep what is good of the generated text of a published article.
func refresh(ctx context.Context, t *task, request *generate.Request) error {
	if !lifecycle.Published(t.article) {
		return nil
	}
	live := lifecycle.Have(t.article).Revision
	rev, err := readRevision(ctx, t.base, t.article, lifecycle.NameOfRevision(t.article, *live))
	if err != nil || rev == nil || rev.Spec.Digest != live.Digest || rev.Spec.Source == v1alpha1.SourceWritten {
		return err
	}
	request.Refresh = new(revision.Document(rev))
	return nil
}

// addSiblings compares an article with the other articles of its site, and adds what it finds to the request.
func addSiblings(ctx context.Context, b *base.Base, index *related.Index, request *generate.Request, a *v1alpha1.Article) error {
	site, err := index.Site(a.Namespace, a.Spec.SiteRef.Name, request.Language, func() ([]related.Article, error) {
		return articlesOf(ctx, b, a.Namespace, a.Spec.SiteRef.Name, request.Language)
	})
	if err != nil {
		return err
	}
	of := related.Article{Name: a.Name, Title: request.Keyword, Keyword: request.Keyword, Language: request.Language}
	same, candidates := site.Compare(of, generate.MaxLinks)
	request.Site = &generate.Site{
		SameKeyword: same, Near: func(f related.Fingerprint) []string { return site.Near(f, a.Name) },
	}
	for _, c := range candidates {
		request.Links = append(request.Links, generate.Link{Title: c.Title, About: c.Keyword, URL: c.URL})
	}
	return nil
}

// articlesOf returns the subjects of a site's articles that are not archived, from the cache.
func articlesOf(ctx context.Context, b *base.Base, namespace, site, language string) ([]related.Article, error) {
	var list v1alpha1.ArticleList
	err := b.Client.List(ctx, &list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy, client.MatchingFields{siteIndex: site})
	if err != nil {
		return nil, fmt.Errorf("looking for the site's articles: %w", err)
	}
	articles := make([]related.Article, 0, len(list.Items))
	for i := range list.Items {
		if a := &list.Items[i]; a.Spec.Stage != v1alpha1.StageArchived {
			about := aboutOf(a)
			about.Language = language
			articles = append(articles, about)
		}
	}
	return articles, nil
}

// remember brings an article up to date in the index of its site.
func remember(index *related.Index, a *v1alpha1.Article) {
	if a.Spec.Stage == v1alpha1.StageArchived {
		index.Remove(a.Namespace, a.Name)
		return
	}
	index.Set(a.Namespace, a.Spec.SiteRef.Name, aboutOf(a))
}

// aboutOf returns an article as the index of related articles holds it.
func aboutOf(a *v1alpha1.Article) related.Article {
	about := related.Article{Name: a.Name, Keyword: requestedKeyword(a)}
	if r := a.Status.Revision; r != nil {
		about.Title, about.Terms = r.Title, r.Terms
		if lifecycle.Published(a) {
			about.Published, about.URL, about.Fingerprint = true, lifecycle.Have(a).URL, r.Fingerprint
		}
	}
	return about
}

// warnOfSameKeyword makes a Kubernetes Event if other articles of the site have the keyword, because they would compete with this one.
func warnOfSameKeyword(t *task, site *generate.Site) {
	if site == nil || len(site.SameKeyword) == 0 {
		return
	}
	const named = 3
	names := strings.Join(site.SameKeyword[:min(len(site.SameKeyword), named)], ", ")
	t.event(corev1.EventTypeWarning, base.ReasonSameKeyword, "Generate", "the site has articles with the same keyword: "+names)
}

// generateRequest returns the request of an article, in its site's voice. It has no keyword if the article asks for no generated text.
func generateRequest(a *v1alpha1.Article, site *v1alpha1.Site) generate.Request {
	voice, asked := site.Spec.BrandVoice, cmp.Or(a.Spec.Generate, &v1alpha1.GenerateRequest{})
	request := generate.Request{
		Keyword: asked.Keyword, SecondaryKeywords: asked.SecondaryKeywords, Tone: cmp.Or(asked.Tone, voice.Tone),
		Language: revision.Language(site), Audience: voice.Audience, AvoidWords: voice.AvoidWords,
		SiteName: cmp.Or(content.Label(site.Spec.DisplayName), site.Spec.Domain), Domain: site.Spec.Domain,
		Guide: voice.Guide, Examples: voice.Examples, Length: asked.Length,
		Citations: site.Spec.Publishing.Citations, Instructions: asked.Instructions,
	}
	if r := a.Spec.Review; r != nil && r.Decision == v1alpha1.DecisionRejected {
		request.Rejected = r.Note
	}
	return request
}
