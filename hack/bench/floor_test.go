//go:build e2e

package bench_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
)

// floorWorkspace has the objects of the floor.
const floorWorkspace = "floor"

// written are the objects of a published article, without what kube-apiserver sets.
type written struct {
	article  *v1alpha1.Article
	revision *v1alpha1.ArticleRevision
	post     *v1alpha1.Post
}

// floor returns how many articles a second a bare client makes the writes of, as the controller makes them for the articles of a burst:
// the same kinds, with the same bytes, as many at once. The controller is stopped meanwhile.
func (r *burst) floor(b *testing.B, name string) float64 {
	b.Helper()
	all := r.written(b, names(name, r.size))
	must(b, r.Controller.Stop())
	workspace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: floorWorkspace, Labels: map[string]string{v1alpha1.AccountLabel: "acme"},
	}}
	must(b, client.IgnoreAlreadyExists(r.api.Create(b.Context(), workspace)))
	created, errs := make(chan written, len(all)), make(chan error, article.Workers)
	var workers sync.WaitGroup
	start := time.Now()
	for range article.Workers {
		workers.Go(func() { errs <- r.writeEach(b.Context(), created) })
	}
	of := map[string]written{}
	var keys []string
	for _, w := range all {
		of[w.article.Name] = w
		keys = append(keys, w.article.Name)
	}
	inParallel(b, keys, func(name string) error {
		w := of[name]
		status := w.article.Status.DeepCopy()
		if err := r.api.Create(b.Context(), w.article); err != nil {
			return err
		}
		w.article.Status = *status
		created <- w
		return nil
	})
	close(created)
	workers.Wait()
	took := time.Since(start)
	for range article.Workers {
		must(b, <-errs)
	}
	for _, kind := range []client.Object{&v1alpha1.Article{}, &v1alpha1.ArticleRevision{}, &v1alpha1.Post{}} {
		must(b, r.api.DeleteAllOf(b.Context(), kind, client.InNamespace(floorWorkspace)))
	}
	must(b, r.StartController(b.Context()))
	return float64(len(all)) / took.Seconds()
}

// writeEach makes the writes of each article.
func (r *burst) writeEach(ctx context.Context, created <-chan written) error {
	var errs []error
	for w := range created {
		errs = append(errs, r.write(ctx, w))
	}
	return errors.Join(errs...)
}

// write creates the revision, claims the slug, writes the attempt ahead and then its outcome, and brings the Post up to date.
func (r *burst) write(ctx context.Context, w written) error {
	if err := r.api.Create(ctx, w.revision); err != nil {
		return err
	}
	published := w.post.Spec
	w.post.Spec.State, w.post.Spec.URL, w.post.Spec.PublishTime = v1alpha1.PostClaimed, "", nil
	if err := r.api.Create(ctx, w.post); err != nil {
		return err
	}
	outcome := w.article.Status.DeepCopy()
	publication := w.article.Status.Publication
	publication.Cycle.State, publication.Attempts[0].Outcome = v1alpha1.CycleInProgress, v1alpha1.AttemptInProgress
	publication.Post.State = v1alpha1.PostUncertain
	if err := r.api.Status().Update(ctx, w.article); err != nil {
		return err
	}
	w.article.Status = *outcome
	if err := r.api.Status().Update(ctx, w.article); err != nil {
		return err
	}
	claimed := w.post.DeepCopy()
	w.post.Spec = published
	return r.api.Patch(ctx, w.post, client.MergeFromWithOptions(claimed, client.MergeFromWithOptimisticLock{}))
}

// written returns what the controller has written of articles, for another workspace.
func (r *burst) written(b *testing.B, articles []string) []written {
	b.Helper()
	all := make([]written, len(articles))
	for i, name := range articles {
		w := written{&v1alpha1.Article{}, &v1alpha1.ArticleRevision{}, &v1alpha1.Post{}}
		must(b, r.api.Get(b.Context(), client.ObjectKey{Namespace: r.workspace, Name: name}, w.article))
		must(b, r.api.Get(b.Context(), client.ObjectKey{Namespace: r.workspace, Name: w.article.Status.Revision.Name}, w.revision))
		all[i] = w
	}
	var posts v1alpha1.PostList
	must(b, r.api.List(b.Context(), &posts, client.InNamespace(r.workspace)))
	byArticle := map[string]*v1alpha1.Post{}
	for i := range posts.Items {
		byArticle[posts.Items[i].Spec.ArticleRef.Name] = &posts.Items[i]
	}
	for i := range all {
		all[i].post = byArticle[all[i].article.Name]
		for _, o := range []client.Object{all[i].article, all[i].revision, all[i].post} {
			o.SetNamespace(floorWorkspace)
			o.SetResourceVersion("")
			o.SetUID("")
			o.SetOwnerReferences(nil)
			o.SetManagedFields(nil)
		}
	}
	return all
}
