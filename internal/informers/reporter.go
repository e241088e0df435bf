package informers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// The Events of a Reporter. Their related object has the kind.
const (
	// ReportingController is the one of the Events.
	ReportingController = "pressroom"
	// ReasonFailing is the reason of an Event about a kind that cannot be listed or watched.
	ReasonFailing = "InformerFailing"
	// ReasonRecovered is the reason of an Event about one that can be listed and watched again.
	ReasonRecovered = "InformerRecovered"
	// ReportPeriod is how often the Event of a kind that fails is made current.
	ReportPeriod = 30 * time.Second

	// maxNote is what kube-apiserver takes, in bytes.
	maxNote = 1024
	// reportTimeout is for the requests of one report. They may not last into the next one.
	reportTimeout = 20 * time.Second
)

// Reporter makes a Kubernetes Event about a Pod of each kind that its program cannot list or watch, makes it current while that lasts, and
// makes another Event afterwards. No informer has a part in that.
type Reporter struct {
	Health *Health
	// Client has no cache.
	Client client.Client
	// Pod is the one of this process.
	Pod   corev1.ObjectReference
	Clock clock.Clock
	Log   logr.Logger

	// suspected are the kinds that failed at the last look.
	suspected map[string]error
	// made are the current Events, by kind.
	made map[string]*eventsv1.Event
}

// Start reports until ctx ends.
func (r *Reporter) Start(ctx context.Context) error {
	for {
		timer := r.Clock.NewTimer(ReportPeriod)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C():
		}
		if err := r.report(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error(err, "reporting informers that fail, in Kubernetes Events")
		}
	}
}

// report makes the Events of this moment. A kind must have failed at the last look too: while kube-apiserver restarts, all kinds fail
// for a moment.
func (r *Reporter) report(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	if r.made == nil {
		r.made = map[string]*eventsv1.Event{}
	}
	failing, suspected := r.Health.failures(), r.suspected
	r.suspected = failing
	var errs []error
	for _, kind := range slices.Sorted(maps.Keys(failing)) {
		if suspected[kind] != nil {
			errs = append(errs, r.reportFailing(ctx, kind, failing[kind]))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(r.made)) {
		if failing[kind] == nil {
			errs = append(errs, r.reportRecovered(ctx, kind))
		}
	}
	return errors.Join(errs...)
}

// reportFailing makes an Event, or makes current the one that says the same.
func (r *Reporter) reportFailing(ctx context.Context, kind string, cause error) error {
	e := r.event(kind, corev1.EventTypeWarning, ReasonFailing,
		fmt.Sprintf("Objects of the kind %s cannot be listed or watched, and no change of them is seen: %v", kind, cause))
	if made := r.made[kind]; made != nil && made.Note == e.Note {
		err := r.repeat(ctx, made)
		if !apierrors.IsNotFound(err) {
			return err
		}
		// Somebody has deleted it, or kube-apiserver, which keeps Events for an hour.
	}
	if err := r.Client.Create(ctx, e); err != nil {
		return fmt.Errorf("making the Event of the kind %s: %w", kind, err)
	}
	r.made[kind] = e
	return nil
}

func (r *Reporter) repeat(ctx context.Context, e *eventsv1.Event) error {
	old, count := e.DeepCopy(), int32(2)
	if e.Series != nil {
		count = e.Series.Count + 1
	}
	e.Series = &eventsv1.EventSeries{Count: count, LastObservedTime: metav1.NewMicroTime(r.Clock.Now())}
	if err := r.Client.Patch(ctx, e, client.MergeFrom(old)); err != nil {
		return fmt.Errorf("making the Event %s current: %w", e.Name, err)
	}
	return nil
}

func (r *Reporter) reportRecovered(ctx context.Context, kind string) error {
	e := r.event(kind, corev1.EventTypeNormal, ReasonRecovered,
		fmt.Sprintf("Objects of the kind %s can be listed and watched again.", kind))
	if err := r.Client.Create(ctx, e); err != nil {
		return fmt.Errorf("making the Event of the kind %s: %w", kind, err)
	}
	delete(r.made, kind)
	return nil
}

func (r *Reporter) event(kind, severity, reason, note string) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: r.Pod.Namespace, GenerateName: "pressroom-informer-"},
		EventTime:           metav1.NewMicroTime(r.Clock.Now()),
		ReportingController: ReportingController, ReportingInstance: r.Pod.Name,
		Type: severity, Reason: reason, Action: "List", Note: bounds.Cut(note, maxNote),
		Regarding: r.Pod, Related: &corev1.ObjectReference{Kind: kind},
	}
}
