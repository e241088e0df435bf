package controllers

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

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
