package controllers

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// announce lists what is about to be sent, or to be readable, unless the article has a Post under its slug. The article's status in
// memory has the attempt already.
func (p *Posts) announce(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	want, ok := lifecycle.PostOfDeleted(a)
	if !ok || p.hasWritten(client.ObjectKeyFromObject(a), want.Slug) {
		return nil
	}
	want.Destination = destinationOf(site)
	stored, err := p.find(ctx, a.Namespace, want)
	if err != nil || stored != nil && stored.Spec.ArticleRef == want.ArticleRef {
		return err
	}
	return p.outgoing.add(ctx, a.UID, outgoingPost{Namespace: a.Namespace, Post: want})
}

// destination returns where the posts of an article are, and reports whether that is known: its Site may be gone.
func (p *Posts) destination(a *v1alpha1.Article, site *v1alpha1.Site) (string, bool) {
	if site != nil {
		return destinationOf(site), true
	}
	listed, ok := p.outgoing.of(a.UID)
	return listed.Post.Destination, ok
}

// Recover makes the Posts of articles that were being sent when an earlier process ended, and that have been deleted since. It does so
// once, before any slug is given away.
func (p *Posts) Recover(ctx context.Context) error {
	if p.recovered.Load() {
		return nil
	}
	p.recovering <- struct{}{}
	defer func() { <-p.recovering }()
	if p.recovered.Load() {
		return nil
	}
	posts, err := p.outgoing.load(ctx)
	if err != nil {
		return err
	}
	for uid, post := range posts {
		if err := p.recoverOne(ctx, uid, post); err != nil {
			return err
		}
	}
	p.recovered.Store(true)
	return nil
}

// recoverOne makes one such Post. The status of an article that exists says what became of it.
func (p *Posts) recoverOne(ctx context.Context, uid types.UID, post outgoingPost) error {
	found, err := article(ctx, p.Live, post.Namespace, post.Post.ArticleRef.Name)
	if err != nil || found != nil && found.UID == uid {
		return err
	}
	made := &v1alpha1.Post{
		ObjectMeta: metav1.ObjectMeta{Namespace: post.Namespace, Name: identity.PostName(post.Post.Destination, post.Post.Slug)},
		Spec:       post.Post,
	}
	err = p.Client.Create(ctx, made)
	if err != nil && !apierrors.IsAlreadyExists(err) && !gone(err) {
		return fmt.Errorf("recording the post of a deleted article: %w", err)
	}
	// The cache may not show it yet.
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: post.Namespace, Name: post.Post.ArticleRef.Name}}
	a.Status.Slug = post.Post.Slug
	p.Slugs.Keep(a, post.Post.Destination)
	_, err = p.outgoing.end(ctx, uid)
	return err
}

// gone reports whether a write failed because the workspace goes, with everything in it.
func gone(err error) bool {
	return apierrors.IsNotFound(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)
}
