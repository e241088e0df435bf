package post

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// maxRefused bounds how many numbers of a slug are passed over because posts of other people have them.
const maxRefused = 1000

// Propose sets the article's slug in memory if it needs one: one that no other article at the destination has in the cache, because a
// receiver upserts by slug, so that a shared slug would overwrite a customer's post. The final decision is the Post that the article
// creates before it is sent (Claim). The author may set another slug until something may have been written under it.
func (p *Store) Propose(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, doc content.Document) error {
	author := ""
	if a.Spec.Content != nil {
		author = a.Spec.Content.Slug
	}
	if a.Status.Slug != "" && (lifecycle.SlugUsed(a) || author == "" || author == a.Status.Slug) {
		return nil
	}
	return p.ProposeOther(ctx, a, site, doc, nil)
}

// ProposeNext sets the article's slug in memory to the first one behind the present one, which a post of other people has, that no other
// article has.
func (p *Store) ProposeNext(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, doc content.Document) error {
	first := firstSlug(a, doc)
	refused := []string{a.Status.Slug, first}
	for n := 2; len(refused) < maxRefused && refused[len(refused)-1] != a.Status.Slug; n++ {
		refused = append(refused, content.NumberedSlug(first, n))
	}
	return p.ProposeOther(ctx, a, site, doc, refused)
}

// ProposeOther sets the article's slug in memory to the first one that no other article has and that is not in refused.
func (p *Store) ProposeOther(
	ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, doc content.Document, refused []string,
) error {
	sites, err := p.sharing(ctx, site)
	if err != nil {
		return err
	}
	destination := base.DestinationOf(site)
	slug := content.UniqueSlug(firstSlug(a, doc), func(candidate string) bool {
		if err != nil || slices.Contains(refused, candidate) {
			return err == nil
		}
		var taken bool
		taken, err = p.taken(ctx, a, candidate, destination, sites)
		return taken && err == nil
	})
	if err != nil {
		return err
	}
	a.Status.Slug = slug
	return nil
}

// firstSlug returns the slug that the author asks for, or else one from the text, without a number.
func firstSlug(a *v1alpha1.Article, doc content.Document) string {
	switch {
	case a.Spec.Content != nil && a.Spec.Content.Slug != "":
		return a.Spec.Content.Slug
	case doc.Slug != "":
		return content.Slug(doc.Slug, doc.Language)
	default:
		return content.Slug(doc.Title, doc.Language)
	}
}

// taken reports whether another article has a slug at a destination, in its status or by a Post. sites are the names of the sites with
// this destination.
func (p *Store) taken(ctx context.Context, a *v1alpha1.Article, slug, destination string, sites []string) (bool, error) {
	var bucket v1alpha1.ArticleList
	err := p.Client.List(ctx, &bucket, client.InNamespace(a.Namespace), client.UnsafeDisableDeepCopy,
		client.MatchingFields{slugIndex: slugBucket(slug)})
	if err != nil {
		return false, fmt.Errorf("looking for the slug: %w", err)
	}
	if slices.ContainsFunc(bucket.Items, func(other v1alpha1.Article) bool {
		return other.Status.Slug == slug && other.Name != a.Name && slices.Contains(sites, other.Spec.SiteRef.Name)
	}) {
		return true, nil
	}
	return p.claimed(ctx, a, slug, destination)
}

// claimed reports whether another article has a slug at a destination by a Post.
func (p *Store) claimed(ctx context.Context, a *v1alpha1.Article, slug, destination string) (bool, error) {
	key := types.NamespacedName{Namespace: a.Namespace, Name: identity.PostName(destination, slug)}
	post, err := base.Read[v1alpha1.Post](ctx, p.Client, key)
	return post != nil && !isPostOf(post, a), err
}

// ClaimedNumbers returns the slugs that other articles have at a destination, among those that a CMS may make of the article's with a
// number.
func (p *Store) ClaimedNumbers(ctx context.Context, a *v1alpha1.Article, destination string) ([]string, error) {
	var found []string
	for n := 2; n <= publish.MaxSlugNumber; n++ {
		slug := content.NumberedSlug(a.Status.Slug, n)
		claimed, err := p.claimed(ctx, a, slug, destination)
		if err != nil {
			return nil, err
		}
		if claimed {
			found = append(found, slug)
		}
	}
	return found, nil
}

// ClaimedSince returns when the slug of a Post was claimed; zero if the Post does not exist. What a process that ended has sent under it
// was sent later.
func (p *Store) ClaimedSince(ctx context.Context, namespace, name string) (time.Time, error) {
	post, err := p.claimedPost(ctx, namespace, name)
	if post == nil {
		return time.Time{}, err
	}
	return post.CreationTimestamp.Time, nil
}

// sharing returns the names of the sites of a workspace that share a site's destination, that site included.
func (p *Store) sharing(ctx context.Context, site *v1alpha1.Site) ([]string, error) {
	names := []string{site.Name}
	var list v1alpha1.SiteList
	err := p.Client.List(ctx, &list, client.InNamespace(site.Namespace), client.UnsafeDisableDeepCopy,
		client.MatchingFields{base.DestinationIndex: base.DestinationOf(site)})
	if err != nil {
		return nil, fmt.Errorf("looking for sites of one destination: %w", err)
	}
	for i := range list.Items {
		if list.Items[i].Name != site.Name {
			names = append(names, list.Items[i].Name)
		}
	}
	return names, nil
}
