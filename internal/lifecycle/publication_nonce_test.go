package lifecycle_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
)

// commanded is something that a nonce asks for.
type commanded struct {
	annotation string
	object     metav1.Object
	asked      func() bool
	handled    *[]v1alpha1.HandledRequest
	// act does what is asked for, with the nonce that the annotation has just now.
	act func()
}

func commandedObjects() map[string]commanded {
	by := cycles.AttemptID{ID: strings.Repeat("1", 36)}
	a := article(approvedAndAsked)
	begin(a, by, true, now)
	d := &v1alpha1.EventDelivery{}
	deliver := func() {
		eventdelivery.Begin(d, by, true, now)
		eventdelivery.End(d, ended(v1alpha1.AttemptAccepted), plain, now)
	}
	deliver()
	never := &v1alpha1.EventDelivery{}
	eventdelivery.EndExpired(never, now)
	s, made := &v1alpha1.Site{}, article(generated)
	return map[string]commanded{
		"an article's redelivery": {
			v1alpha1.RedeliverAnnotation, a, func() bool { return lifecycle.RedeliveryRequested(a) }, &a.Status.HandledRequests,
			func() { begin(a, by, true, now) },
		},
		"an event's redelivery": {
			v1alpha1.RedeliverAnnotation, d, func() bool { return eventdelivery.Unfinished(d) }, &d.Status.HandledRequests, deliver,
		},
		"an event's redelivery that expires": {
			v1alpha1.RedeliverAnnotation, d, func() bool { return eventdelivery.Unfinished(d) }, &d.Status.HandledRequests,
			func() { eventdelivery.EndExpired(d, now) },
		},
		"the redelivery of an event that was never sent, and expires": {
			v1alpha1.RedeliverAnnotation, never, func() bool { return eventdelivery.Unfinished(never) }, &never.Status.HandledRequests,
			func() { eventdelivery.EndExpired(never, now) },
		},
		"a run": {
			v1alpha1.RegenerateAnnotation, made, func() bool { return lifecycle.MakingOf(made, nil) == lifecycle.RunDue }, &made.Status.HandledRequests,
			func() { command.MarkHandled(made, &made.Status.HandledRequests, v1alpha1.RegenerateAnnotation) },
		},
		"a test of a connection": {
			v1alpha1.TestConnectionAnnotation, s, func() bool { return connectiontest.Requested(s) }, &s.Status.HandledRequests,
			func() {
				connectiontest.Begin(s, "hash", by, now)
				connectiontest.End(s, ended(v1alpha1.AttemptAccepted))
			},
		},
	}
}

// The last nonce that was handled stays handled, even if the annotation is taken away and comes back.
func TestANonceIsHandledOnce(t *testing.T) {
	for name, c := range commandedObjects() {
		t.Run(name, func(t *testing.T) {
			annotate := func(nonce string, want bool) {
				t.Helper()
				c.object.SetAnnotations(map[string]string{c.annotation: nonce})
				if c.asked() != want {
					t.Fatalf("after the nonce %.20q something is asked for: %t, want %t", nonce, c.asked(), want)
				}
				if !want {
					return
				}
				c.act()
				name := strings.TrimPrefix(c.annotation, "pressroom.dev/")
				echo := v1alpha1.HandledRequest{Name: name, Nonce: command.Nonce(c.object, c.annotation)}
				if len(*c.handled) != 1 || (*c.handled)[0] != echo {
					t.Fatalf("status has handled %v, want %v", *c.handled, echo)
				}
			}
			long := strings.Repeat("long ", 1000)
			annotate("a", true)
			annotate("a", false)
			annotate("", false)
			annotate("a", false)
			annotate(long, true)
			annotate(long, false)
			annotate("b", true)
			annotate("b", false)
		})
	}
}

// A new revision is sent without being asked for: its cycle keeps the last nonce that was handled.
func TestACycleWithoutANonceKeepsTheLastOne(t *testing.T) {
	a := article(approvedAndAsked)
	for _, nonce := range []string{"a", ""} {
		a.Annotations[v1alpha1.RedeliverAnnotation] = nonce
		begin(a, cycles.AttemptID{ID: "1"}, true, now)
	}
	for nonce, want := range map[string]bool{"": false, "a": false, "b": true} {
		a.Annotations[v1alpha1.RedeliverAnnotation] = nonce
		if got := lifecycle.RedeliveryRequested(a); got != want {
			t.Errorf("the nonce %q asks for a redelivery: %t, want %t", nonce, got, want)
		}
	}
}
