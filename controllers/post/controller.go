// Package post gives articles their slugs at a destination, and records what sites have of articles. Store proposes a slug and claims it
// with the creation of a Post, and the Reconciler brings Posts up to date with the status of their articles.
package post

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

const (
	// postWorkers is how many articles have their Posts brought up to date at once.
	postWorkers = 4
	// removedRetention is how long the Post of a site that pulls stays after its article was deleted.
	removedRetention = 90 * 24 * time.Hour
)

// Reconciler brings the Posts of articles up to date with their status. It claims no slugs: the Post that claims a slug is created
// before the first attempt, and everything after that may be written later.
type Reconciler struct{ Store }

// Reconcile brings the Posts of one article up to date.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	a := &v1alpha1.Article{}
	err := r.Client.Get(ctx, req.NamespacedName, a)
	if apierrors.IsNotFound(err) {
		return r.articleDeleted(ctx, req.NamespacedName)
	}
	if err != nil || !a.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, err
	}
	return base.Finish(ctrl.Result{}, r.BringUpToDate(ctx, a), unsaid)
}

// unsaid leaves it to the next attempt of the article to say that its Post is refused.
func unsaid(*lifecycle.BlockedError) error { return nil }

// BringUpToDate writes to the Posts of an article what its attempts that have ended say. It makes no request if the cache has that.
func (p *Store) BringUpToDate(ctx context.Context, a *v1alpha1.Article) error {
	for name, want := range lifecycle.PostsOf(a) {
		if err := p.update(ctx, a, name, want); err != nil {
			return err
		}
	}
	return nil
}

// Begin writes to the Post of an article that it is being updated or taken back, before the request that does it: if the article is deleted
// meanwhile, its status is lost, and with it the attempt. It does nothing for a Post that was never accepted.
func (p *Store) Begin(ctx context.Context, namespace, name string, purpose v1alpha1.DeliveryPurpose) error {
	state := v1alpha1.PostUpdating
	if purpose == v1alpha1.PurposeRemove {
		state = v1alpha1.PostUnpublishing
	}
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		post, err := base.Read[v1alpha1.Post](ctx, p.Live, types.NamespacedName{Namespace: namespace, Name: name})
		if post == nil || !post.Spec.State.Accepted() || post.Spec.State == state {
			return err
		}
		return p.patch(ctx, post, func(spec *v1alpha1.PostSpec) { spec.State = state })
	})
}

// strippedKeyword stands in a Post from the cache, which is without keywords, for one that an update removes.
const strippedKeyword = "-"

// update writes what the site has of an article to the Post of a name. It creates a Post again that somebody deleted, and does nothing if
// another article has the Post.
func (p *Store) update(ctx context.Context, a *v1alpha1.Article, name string, want v1alpha1.PostSpec) error {
	listed, err := p.current(ctx, a, name)
	if err != nil || listed == nil || samePost(listed.Spec, want) || listed.Spec.State.Accepted() && !want.State.Accepted() {
		return err
	}
	post, err := p.latest(ctx, listed, want)
	if post == nil || err != nil {
		return err
	}
	if err := p.requireLatest(ctx, a, post); err != nil {
		return err
	}
	if want.Records, err = p.records(ctx, a, post, want.State); err != nil {
		return err
	}
	return p.patch(ctx, post, func(spec *v1alpha1.PostSpec) {
		want.Destination, want.SiteRef = spec.Destination, spec.SiteRef
		if want.Revision.Digest == "" || want.Revision.Digest == spec.Revision.Digest && want.Revision.Source == "" {
			want.Revision = spec.Revision
		}
		*spec = want
	})
}

// latest returns a Post that was listed, as it is now; nil if it was deleted or says what it should. The list may be without the last write
// of this process, which Get waits for. The cache is without the records, and without the revision: it is enough for a post that was never
// accepted, and whose revision is written as a whole.
func (p *Store) latest(ctx context.Context, listed *v1alpha1.Post, want v1alpha1.PostSpec) (*v1alpha1.Post, error) {
	post := &v1alpha1.Post{}
	for _, reader := range []client.Reader{p.Client, p.Live} {
		post = &v1alpha1.Post{}
		err := client.IgnoreNotFound(reader.Get(ctx, client.ObjectKeyFromObject(listed), post))
		if err != nil || post.UID == "" || samePost(post.Spec, want) {
			return nil, err
		}
		if post.Spec.PublishTime == nil && want.Revision.Source != "" {
			post.Spec.Keyword = strippedKeyword
			break
		}
	}
	return post, nil
}

// requireLatest returns a conflict if a site has accepted a Post, and the article has been written since it was read: the Post may say what
// an attempt after that has done, or is about to do. The first acceptance needs no such request, because nothing is lost then.
func (p *Store) requireLatest(ctx context.Context, a *v1alpha1.Article, post *v1alpha1.Post) error {
	if !post.Spec.State.Accepted() {
		return nil
	}
	return p.RequireLatest(ctx, a)
}

// records returns the records of a Post, with that of the revision that the site has accepted, if it has. The revision says which model has
// written it, and which Brief it was checked against; of the author's own text without a Brief, status says all.
func (p *Store) records(
	ctx context.Context, a *v1alpha1.Article, post *v1alpha1.Post, state v1alpha1.PostState,
) ([]v1alpha1.PostRecord, error) {
	records, live := post.Spec.Records, lifecycle.Have(a).Revision
	if !state.Accepted() || live == nil || lifecycle.Recorded(records, *live) {
		return records, nil
	}
	sent := *live
	var rev *v1alpha1.ArticleRevision
	var err error
	current := a.Status.Revision
	if current == nil || current.Digest != sent.Digest || current.Source != v1alpha1.SourceWritten || current.UnsupportedClaims != nil {
		key := types.NamespacedName{Namespace: a.Namespace, Name: lifecycle.NameOfRevision(a, sent)}
		rev, err = base.Read[v1alpha1.ArticleRevision](ctx, p.Live, key)
	}
	if err != nil {
		return records, err
	}
	site, err := p.siteOf(ctx, a)
	return lifecycle.AddRecord(records, lifecycle.RecordOf(a, site, sent, rev, p.Clock.Now())), err
}

// samePost compares the fields that may change, among those that the cache has.
func samePost(a, b v1alpha1.PostSpec) bool {
	return a.ArticleUID == b.ArticleUID && a.State == b.State && a.Reason == b.Reason && a.URL == b.URL && a.ContentHash == b.ContentHash &&
		a.UpdateTime.Equal(b.UpdateTime) && a.RemovalTime.Equal(b.RemovalTime)
}

// current returns the Post of a name from the cache if it is the article's. It creates the Post at the Site's present address again if
// somebody deleted it. It returns nil if there is none, or if another article has it.
func (p *Store) current(ctx context.Context, a *v1alpha1.Article, name string) (*v1alpha1.Post, error) {
	own, err := p.own(ctx, a)
	if err != nil {
		return nil, err
	}
	for _, post := range own {
		if post.Name == name {
			return post, nil
		}
	}
	site, err := p.siteOf(ctx, a)
	if err != nil || site == nil || identity.PostName(base.DestinationOf(site), a.Status.Slug) != name {
		return nil, err
	}
	return nil, p.restore(ctx, a, site)
}

// siteOf returns the Site of an article from the cache; nil if it does not exist.
func (p *Store) siteOf(ctx context.Context, a *v1alpha1.Article) (*v1alpha1.Site, error) {
	return base.Read[v1alpha1.Site](ctx, p.Client, types.NamespacedName{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name})
}

// restore creates a deleted Post again. The watch of Posts leads to its update.
func (p *Store) restore(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	if err := p.RequireLatest(ctx, a); err != nil {
		return err
	}
	_, err := p.Claim(ctx, a, base.DestinationOf(site))
	if base.IsBlocked(err) {
		return nil // The article's next attempt needs the Post, and says so.
	}
	return err
}

// articleDeleted marks the Posts of sites that pull as removed, and deletes them when pullers have had the time to see that.
func (r *Reconciler) articleDeleted(ctx context.Context, article types.NamespacedName) (ctrl.Result, error) {
	posts, err := r.named(ctx, article)
	var next ctrl.Result
	for _, post := range posts {
		if err != nil {
			break
		}
		if !strings.HasPrefix(post.Spec.Destination, pullPrefix) {
			continue
		}
		var after time.Duration
		after, err = r.remove(ctx, article, post)
		if after > 0 && (next.RequeueAfter == 0 || after < next.RequeueAfter) {
			next.RequeueAfter = after
		}
	}
	return base.Finish(next, client.IgnoreNotFound(err), unsaid)
}

// remove does the next step for the Post of a deleted article, and returns the time until the one after that.
func (r *Reconciler) remove(ctx context.Context, article types.NamespacedName, post *v1alpha1.Post) (time.Duration, error) {
	removed := post.Spec.State == v1alpha1.PostRemoved
	if at := post.Spec.RemovalTime; removed && at != nil {
		if left := removedRetention - r.Clock.Since(at.Time); left > 0 {
			return left, nil
		}
	}
	err := r.Live.Get(ctx, article, &v1alpha1.Article{})
	if err == nil || !apierrors.IsNotFound(err) {
		return 0, err
	}
	if removed {
		return 0, r.Client.Delete(ctx, post.DeepCopy(), client.Preconditions{UID: &post.UID, ResourceVersion: &post.ResourceVersion})
	}
	return removedRetention, r.patch(ctx, post, func(spec *v1alpha1.PostSpec) {
		now := r.Now()
		spec.State, spec.RemovalTime = v1alpha1.PostRemoved, &now
	})
}

// RecordDeleted records the outcome of an attempt during which the article was deleted, or deleted and created again.
func (p *Store) RecordDeleted(ctx context.Context, article types.NamespacedName, o publish.Outcome) error {
	if o.Post == "" || lifecycle.WroteNothing(o.AttemptResult) {
		return nil
	}
	post := &v1alpha1.Post{}
	if err := p.Live.Get(ctx, types.NamespacedName{Namespace: article.Namespace, Name: o.Post}, post); err != nil {
		return client.IgnoreNotFound(err)
	}
	there := post.Spec.State.Accepted() && post.Spec.State != v1alpha1.PostUnpublished
	if post.Spec.ArticleRef.Name != article.Name || there && o.Outcome != v1alpha1.AttemptAccepted || says(post.Spec, o) {
		return nil
	}
	return p.patch(ctx, post, func(spec *v1alpha1.PostSpec) {
		if o.Outcome != v1alpha1.AttemptAccepted {
			spec.State = v1alpha1.PostSent
			return
		}
		now := p.Now()
		if spec.Revision.Digest != o.Revision.Digest {
			spec.Revision = v1alpha1.PostRevision{Name: o.Revision.Name, Number: o.Revision.Number, Digest: o.Revision.Digest}
		}
		if o.Revision.Digest != "" && !lifecycle.Recorded(spec.Records, o.Revision) {
			spec.Records = lifecycle.AddRecord(spec.Records, o.Record)
		}
		if o.Unpublished {
			spec.State, spec.ContentHash, spec.RemovalTime = v1alpha1.PostUnpublished, o.Hash, &now
			return
		}
		spec.State, spec.URL, spec.ExternalID, spec.ContentHash = v1alpha1.PostPublished, o.URL, o.ID, o.Hash
		if spec.PublishTime != nil {
			spec.UpdateTime = &now
		} else {
			spec.PublishTime = &now
		}
	})
}

// says reports whether a Post says already that the site has what an attempt sent.
func says(post v1alpha1.PostSpec, o publish.Outcome) bool {
	return post.State == v1alpha1.PostPublished && post.Revision.Digest == o.Revision.Digest && !o.Unpublished
}

// patch changes a Post, unless the Post was changed since it was read. It ignores that the Post was deleted.
func (p *Store) patch(ctx context.Context, post *v1alpha1.Post, change func(*v1alpha1.PostSpec)) error {
	changed := post.DeepCopy()
	change(&changed.Spec)
	err := p.Client.Patch(ctx, changed, client.MergeFromWithOptions(post, client.MergeFromWithOptimisticLock{}))
	if client.IgnoreNotFound(err) != nil {
		return p.refused(fmt.Errorf("bringing a post up to date: %w", err))
	}
	return nil
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	article := func(_ context.Context, obj client.Object) []ctrl.Request {
		post, ok := obj.(*v1alpha1.Post)
		if !ok || post.Spec.ArticleRef.Name == "" {
			return nil
		}
		return []ctrl.Request{{NamespacedName: types.NamespacedName{Namespace: post.Namespace, Name: post.Spec.ArticleRef.Name}}}
	}
	published := base.Only(func(a *v1alpha1.Article) bool { return a.Status.Publication != nil })
	return r.NewController(mgr, "post", postWorkers).
		For(&v1alpha1.Article{}, published).
		Watches(&v1alpha1.Post{}, handler.EnqueueRequestsFromMapFunc(article)).
		Complete(r)
}
