package controllers

import (
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestASlugIsFreeOnlyAfterAWriteThatIsRefusedForGood(t *testing.T) {
	articles := schema.GroupResource{Resource: "articles"}
	for name, tt := range map[string]struct {
		err      error
		wantFree bool
	}{
		"the article is gone":                         {apierrors.NewNotFound(articles, "shoes"), true},
		"a conflict, after a write that was not seen": {apierrors.NewConflict(articles, "shoes", errors.New("stale")), false},
		"the answer was lost":                         {errors.New("connection reset"), false},
	} {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "w", Name: "shoes"}}
		a.Spec.SiteRef.Name, a.Status.Slug = "acme", "shoes"
		slugs := NewSlugs(nil)
		article, key := client.ObjectKeyFromObject(a), slugKey{"w", "acme.example:443", "shoes"}
		slugs.reserved[key], slugs.byArticle[article] = reservation{article: article}, []slugKey{key}
		(&task{slugs: slugs, article: a, reserved: true}).releaseSlug(tt.err)
		if _, reserved := slugs.reserved[key]; reserved == tt.wantFree {
			t.Errorf("%s: the slug is reserved: %t, want %t", name, reserved, !tt.wantFree)
		}
	}
}

// An article at rest is looked at and not written: nothing of it may stay in memory.
func TestALookThatWritesNothingIsNotRemembered(t *testing.T) {
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "w", Name: "shoes", ResourceVersion: "7"}}
	base := &Base{Clock: testclock.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))}
	lifecycle.Summarize(a, nil, base.Clock.Now(), lifecycle.Blockers{})
	look := &task{base: base, writes: newOwnWrites(), article: a, stored: a.DeepCopy()}
	if err := look.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(look.writes.versions); n != 0 {
		t.Errorf("%d articles are remembered, want none", n)
	}
}
