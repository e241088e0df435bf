package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// commanded is something that a nonce asks for.
type commanded struct {
	annotation string
	object     metav1.Object
	asked      func() bool
	// act does what is asked for, with the nonce that the annotation has just now.
	act     func()
	earlier func() []string
}

func commandedObjects() map[string]commanded {
	by := lifecycle.Sender{ID: strings.Repeat("1", 36)}
	a := article(approvedAndAsked)
	lifecycle.BeginDelivery(a, by, true, now)
	d := &v1alpha1.EventDelivery{}
	deliver := func() {
		lifecycle.BeginEvent(d, by, true, now)
		lifecycle.EndEvent(d, ended(v1alpha1.AttemptAccepted), plain, now)
	}
	deliver()
	never := &v1alpha1.EventDelivery{}
	lifecycle.EndExpired(never, now)
	s, made := connected(""), article(generated)
	return map[string]commanded{
		"an article's redelivery": {
			v1alpha1.RedeliverAnnotation, a, func() bool { return lifecycle.RedeliveryAsked(a) },
			func() { lifecycle.BeginDelivery(a, by, true, now) }, func() []string { return a.Status.Publication.EarlierNonces },
		},
		"an event's redelivery": {
			v1alpha1.RedeliverAnnotation, d, func() bool { return lifecycle.EventOpen(d) }, deliver,
			func() []string { return d.Status.EarlierNonces },
		},
		"an event's redelivery that expires": {
			v1alpha1.RedeliverAnnotation, d, func() bool { return lifecycle.EventOpen(d) }, func() { lifecycle.EndExpired(d, now) },
			func() []string { return d.Status.EarlierNonces },
		},
		"the redelivery of an event that was never sent, and expires": {
			v1alpha1.RedeliverAnnotation, never, func() bool { return lifecycle.EventOpen(never) }, func() { lifecycle.EndExpired(never, now) },
			func() []string { return never.Status.EarlierNonces },
		},
		"a run": {
			v1alpha1.RegenerateAnnotation, made, func() bool { return lifecycle.RunWanted(made) }, func() {
				g := *made.Status.Generation
				lifecycle.TakeNonce(made, &g)
				made.Status.Generation = &g
			}, func() []string { return made.Status.Generation.EarlierNonces },
		},
		"a test of a connection": {
			v1alpha1.TestConnectionAnnotation, s, func() bool { return lifecycle.TestAsked(s) },
			func() {
				lifecycle.BeginTest(s, "hash", by, now)
				lifecycle.EndTest(s, ended(v1alpha1.AttemptAccepted))
			}, func() []string {
				if s.Status.ConnectionTest == nil {
					return nil
				}
				return s.Status.ConnectionTest.EarlierNonces
			},
		},
	}
}

// A manifest that holds a nonce, and is applied again after a person has asked with another, asks for nothing.
func TestANonceThatComesBackIsNotActedOn(t *testing.T) {
	for name, c := range commandedObjects() {
		t.Run(name, func(t *testing.T) {
			annotate := func(nonce string, want bool) {
				t.Helper()
				c.object.SetAnnotations(map[string]string{c.annotation: nonce})
				if c.asked() != want {
					t.Fatalf("after the nonce %.20q something is asked for: %t, want %t", nonce, c.asked(), want)
				}
				if want {
					c.act()
				}
			}
			long := strings.Repeat("long ", 1000)
			annotate("a", true)
			annotate("a", false)
			annotate(long, true)
			annotate("a", false)
			annotate(long, false)
			annotate("", false)
			annotate("a", false)
			annotate("b", true)
			annotate(long, false)
			annotate("a", false)
			for n := range v1alpha1.MaxEarlierNonces {
				annotate(fmt.Sprint("other-", n), true)
			}
			for n := range v1alpha1.MaxEarlierNonces {
				annotate(fmt.Sprint("other-", n), false)
			}
			if earlier := c.earlier(); len(earlier) > v1alpha1.MaxEarlierNonces || len(earlier[0]) != 16 {
				t.Errorf("remembered are %q", earlier)
			}
		})
	}
}

// A new revision is sent without being asked for, and its cycle has whatever nonce the annotation has by then: none, or one of
// before.
func TestACycleWithoutANonceForgetsNone(t *testing.T) {
	a := article(approvedAndAsked)
	begin := func(nonce string) {
		a.Annotations[v1alpha1.RedeliverAnnotation] = nonce
		lifecycle.BeginDelivery(a, lifecycle.Sender{ID: "1"}, true, now)
	}
	for _, nonce := range []string{"", "a", "", "b", "a", "a", ""} {
		begin(nonce)
	}
	for _, nonce := range []string{"a", "b", ""} {
		a.Annotations[v1alpha1.RedeliverAnnotation] = nonce
		if lifecycle.RedeliveryAsked(a) {
			t.Errorf("%q is acted on again", nonce)
		}
	}
	if got := a.Status.Publication.EarlierNonces; len(got) != 2 {
		t.Errorf("remembered are %q, want two", got)
	}
}

func TestAnArticleThatIsNotSentForgetsNoNonce(t *testing.T) {
	a := article(approvedAndAsked)
	for _, nonce := range []string{"a", "b"} {
		a.Annotations[v1alpha1.RedeliverAnnotation] = nonce
		lifecycle.BeginDelivery(a, lifecycle.Sender{ID: "1"}, true, now)
	}
	for range 2 {
		a.Status.Publication = lifecycle.Undelivered(a, v1alpha1.PublicationPublished)
	}
	for nonce, want := range map[string]bool{"a": false, "b": false, "c": true} {
		a.Annotations[v1alpha1.RedeliverAnnotation] = nonce
		if got := lifecycle.RedeliveryAsked(a); got != want {
			t.Errorf("%q asks for a redelivery: %t, want %t", nonce, got, want)
		}
	}
}
