package article

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// material adds the site's other articles, and the number of tokens that the run has left, to the request of an attempt. The built-in
// outline needs neither.
func (g *Generation) material(ctx context.Context, t *task, backend Backend, request *generate.Request) error {
	if backend.Type == v1alpha1.GeneratorBuiltIn {
		return nil
	}
	if limit := t.site.Spec.Limits.TokensPerArticle; limit != nil {
		request.MaxTokens = tokensLeft(t.article, *limit)
	}
	others, err := siblings(ctx, g.Base, t.article)
	if err != nil {
		return err
	}
	addSiblings(g.Subjects, request, t.article, others)
	return nil
}

// tokensLeft returns how many tokens an attempt may take. The tokens of the run's earlier attempts count. An attempt that has none left
// ends before its first turn.
func tokensLeft(a *v1alpha1.Article, limit int64) int64 {
	run := a.Status.Run
	if run == nil || run.State != v1alpha1.RunRetryScheduled {
		return limit
	}
	return max(limit-run.InputTokens-run.OutputTokens, 1)
}

// siblings returns the other articles of an article's site that are not archived, from the cache. Callers must not change them.
func siblings(ctx context.Context, b *base.Base, a *v1alpha1.Article) ([]*v1alpha1.Article, error) {
	var list v1alpha1.ArticleList
	err := b.Client.List(ctx, &list, client.InNamespace(a.Namespace), client.UnsafeDisableDeepCopy,
		client.MatchingFields{siteIndex: a.Spec.SiteRef.Name})
	if err != nil {
		return nil, fmt.Errorf("looking for the site's articles: %w", err)
	}
	others := make([]*v1alpha1.Article, 0, len(list.Items))
	for i := range list.Items {
		if other := &list.Items[i]; other.Name != a.Name && other.Spec.Stage != v1alpha1.StageArchived {
			others = append(others, other)
		}
	}
	return others, nil
}

// addSiblings adds the site's other articles to the request.
func addSiblings(subjects *related.Memory, request *generate.Request, a *v1alpha1.Article, siblings []*v1alpha1.Article) {
	site := &generate.Site{Published: make([]generate.Published, 0, len(siblings))}
	others := make([]related.Article, 0, len(siblings))
	for _, other := range siblings {
		about := related.Article{Name: other.Name, Language: request.Language}
		if other.Spec.Generate != nil {
			about.Keyword = other.Spec.Generate.Keyword
		}
		if other.Status.Revision != nil {
			about.Title, about.Terms = other.Status.Revision.Title, other.Status.Revision.Terms
		}
		if url, ok := publishedAt(other); ok {
			about.URL = url
			if f, ok := related.ParseFingerprint(other.Status.Revision.Fingerprint); ok {
				site.Published = append(site.Published, generate.Published{Name: other.Name, Fingerprint: f})
			}
		}
		others = append(others, about)
	}
	of := related.Article{Name: a.Name, Title: request.Keyword, Keyword: request.Keyword, Language: request.Language}
	same, candidates := subjects.Compare(a.Namespace+"/"+a.Spec.SiteRef.Name, of, others, generate.MaxLinks)
	slices.Sort(same)
	site.SameKeyword, request.Site = same, site
	for _, c := range candidates {
		request.Links = append(request.Links, generate.Link{Title: c.Title, About: c.Keyword, URL: c.URL})
	}
}

// publishedAt returns the address of an article's live post, which may be empty, and whether it is published.
func publishedAt(a *v1alpha1.Article) (string, bool) {
	p := a.Status.Publication
	if p == nil || p.State != v1alpha1.PublicationPublished || a.Status.Revision == nil {
		return "", false
	}
	return p.URL, true
}

// warnOfSameKeyword makes a Kubernetes Event if other articles of the site have the keyword, because they would compete with this one.
func warnOfSameKeyword(t *task, site *generate.Site) {
	if site == nil || len(site.SameKeyword) == 0 {
		return
	}
	const named = 3
	names := strings.Join(site.SameKeyword[:min(len(site.SameKeyword), named)], ", ")
	t.event(corev1.EventTypeWarning, "SameKeyword", "Generate", "the site has articles with the same keyword: "+names)
}

// generateRequest returns the request of an article, in its site's voice.
func generateRequest(a *v1alpha1.Article, site *v1alpha1.Site) generate.Request {
	voice, name := site.Spec.BrandVoice, site.Spec.DisplayName
	if name == "" {
		name = site.Spec.Domain
	}
	request := generate.Request{
		Keyword: a.Spec.Generate.Keyword, SecondaryKeywords: a.Spec.Generate.SecondaryKeywords, Tone: voice.Tone,
		Language: revision.Language(site), Audience: voice.Audience, AvoidWords: voice.AvoidWords,
		SiteName: name, Domain: site.Spec.Domain, Guide: voice.Guide, Examples: voice.Examples, Length: a.Spec.Generate.Length,
	}
	if a.Spec.Generate.Tone != "" {
		request.Tone = a.Spec.Generate.Tone
	}
	return request
}
