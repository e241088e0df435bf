// Command kinds has an article written, approves it, and waits until it is published: kinds NAME.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	scheme := runtime.NewScheme()
	must(errors.Join(v1alpha1.AddToScheme(scheme), authenticationv1.AddToScheme(scheme)))
	c, err := client.New(config.GetConfigOrDie(), client.Options{Scheme: scheme})
	must(err)
	article := client.ObjectKey{Namespace: "acme-blog", Name: os.Args[1]}

	// The author asks for a text.
	apply(ctx, c, "newsroom", article, v1alpha1.ArticleSpec{
		SiteRef: v1alpha1.LocalReference{Name: "acme"}, Generate: &v1alpha1.GenerateRequest{Keyword: "trail running shoes"},
	})
	digest := await(ctx, c, article, v1alpha1.ConditionReady).Status.Revision.Digest

	// The reviewer approves the text that was read, and no other.
	me := &authenticationv1.SelfSubjectReview{}
	must(c.Create(ctx, me))
	apply(ctx, c, "pressroom-review", article, v1alpha1.ArticleSpec{Stage: v1alpha1.StagePublished, Review: &v1alpha1.ArticleReview{
		Decision: v1alpha1.DecisionApproved, Digest: digest, By: me.Status.UserInfo.Username,
	}})
	fmt.Println("published", await(ctx, c, article, v1alpha1.ConditionPublished).Status.Revision.Title)
}

// apply sends the fields of the spec that are set, which the field manager owns from then on.
func apply(ctx context.Context, c client.Client, manager client.FieldOwner, article client.ObjectKey, spec v1alpha1.ArticleSpec) {
	must(c.Patch(ctx, &v1alpha1.Article{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Article"},
		ObjectMeta: metav1.ObjectMeta{Namespace: article.Namespace, Name: article.Name},
		Spec:       spec,
	}, client.Apply, manager))
}

// await returns the article once a condition is true for its current spec. An article that is stalled waits for a person.
func await(ctx context.Context, c client.Client, article client.ObjectKey, condition string) *v1alpha1.Article {
	a := &v1alpha1.Article{}
	must(wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		if err := c.Get(ctx, article, a); err != nil || a.Status.ObservedGeneration != a.Generation {
			return false, err
		}
		if stalled := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionStalled); stalled != nil && stalled.Status == metav1.ConditionTrue {
			return false, errors.New(stalled.Message)
		}
		return meta.IsStatusConditionTrue(a.Status.Conditions, condition), nil
	}))
	return a
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
