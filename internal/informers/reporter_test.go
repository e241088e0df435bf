package informers_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/pressroom-dev/pressroom/internal/informers"
)

// observer looks at a time of its choice, and sees the Events that were made.
type observer struct {
	*testing.T

	clock *clocktesting.FakeClock
	api   client.Client
}

func observe(t *testing.T, h *informers.Health) *observer {
	t.Helper()
	o := &observer{t, clocktesting.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)), fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).Build()}
	reporter := &informers.Reporter{
		Health: h, Client: o.api, Clock: o.clock, Log: logr.Discard(),
		Pod: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "pressroom-system", Name: "pressroom-controller-0", UID: "1"},
	}
	go func() { _ = reporter.Start(t.Context()) }()
	o.await("the reporter waits", o.clock.HasWaiters)
	return o
}

func (o *observer) await(what string, happens func() bool) {
	o.Helper()
	err := wait.PollUntilContextTimeout(o.Context(), time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		return happens(), nil
	})
	if err != nil {
		o.Fatalf("%s: %v", what, err)
	}
}

// after a period, the Events are these: their reasons, each with how often it was seen.
func (o *observer) after(what string, want map[string]int32) {
	o.Helper()
	o.clock.Step(informers.ReportPeriod)
	o.await("the reporter has reported", o.clock.HasWaiters)
	var events eventsv1.EventList
	if err := o.api.List(o.Context(), &events, client.InNamespace("pressroom-system")); err != nil {
		o.Fatal(err)
	}
	if len(events.Items) != len(want) {
		o.Errorf("%s: %d Events, want %v", what, len(events.Items), want)
	}
	for _, e := range events.Items {
		seen := int32(1)
		if e.Series != nil {
			seen = e.Series.Count
			if !e.Series.LastObservedTime.Time.Equal(o.clock.Now()) && e.Reason == informers.ReasonFailing && len(want) == 1 {
				o.Errorf("%s: last seen at %s, want %s", what, e.Series.LastObservedTime, o.clock.Now())
			}
		}
		if want[e.Reason] != seen || e.Related.Kind != "Article" || e.Regarding.UID != "1" {
			o.Errorf("%s: %s of %s about %s %d times, want %v", what, e.Reason, e.Related.Kind, e.Regarding.UID, seen, want)
		}
	}
}

// failing reports whether the metric says that a kind fails.
func failing(t *testing.T, h *informers.Health) bool {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(h)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(families[0].GetMetric(), func(m *dto.Metric) bool { return m.GetGauge().GetValue() == 1 })
}

func TestAnEventSaysThatAKindFailsAsLongAsItDoes(t *testing.T) {
	h := informers.NewHealth()
	articles, keys := start(t, h, "Article"), start(t, h, "APIKey")
	o := observe(t, h)
	keys.fails <- false
	articles.fails <- true
	o.await("the kind fails", func() bool { return failing(t, h) })

	o.after("the first look", nil)
	o.after("the second look", map[string]int32{informers.ReasonFailing: 1})
	o.after("the third look", map[string]int32{informers.ReasonFailing: 2})
	o.after("the fourth look", map[string]int32{informers.ReasonFailing: 3})
	articles.fails <- false
	o.await("the kind is listed", h.HasSynced)
	o.after("the kind is listed", map[string]int32{informers.ReasonFailing: 3, informers.ReasonRecovered: 1})
	o.after("nothing happens", map[string]int32{informers.ReasonFailing: 3, informers.ReasonRecovered: 1})
}

func TestAnEventThatIsGoneIsMadeAgain(t *testing.T) {
	h := informers.NewHealth()
	start(t, h, "Article").fails <- true
	o := observe(t, h)
	o.await("the kind fails", func() bool { return failing(t, h) })
	o.after("the first look", nil)
	o.after("the second look", map[string]int32{informers.ReasonFailing: 1})
	if err := o.api.DeleteAllOf(t.Context(), &eventsv1.Event{}, client.InNamespace("pressroom-system")); err != nil {
		t.Fatal(err)
	}
	o.after("it is deleted", map[string]int32{informers.ReasonFailing: 1})
}
