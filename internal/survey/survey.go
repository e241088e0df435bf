// Package survey finds out how an installation of Pressroom is: whether its programs are ready, which controller leads, which kinds a
// program cannot list, what waits in the queues, and which sites fail. It reads with the rights of the caller, and says what it could not
// read.
package survey

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/informers"
	"github.com/pressroom-dev/pressroom/internal/listing"
)

// LeaseName is the lease of the controllers, in the system namespace.
const LeaseName = "controller.pressroom.dev"

// Survey reads an installation.
type Survey struct {
	// Client reads with the rights of the caller.
	Client client.Reader
	// System is the namespace that Pressroom is installed in.
	System string
	// Namespace is the workspace whose queues and sites are read; empty means all.
	Namespace string
	Clock     clock.PassiveClock
}

// What a survey may not be able to read, as people read it.
const (
	programs         = "Programs"
	leaders          = "Leader"
	failingInformers = "Failing informers"
	articleQueues    = "Queues of articles"
	eventQueue       = "Queue of events"
	failingSites     = "Failing sites"
)

// Health reads whether the programs work. It needs rights in the system namespace alone: list on Deployments and Events, get on Leases.
func (s *Survey) Health(ctx context.Context) *Installation {
	i := &Installation{Programs: []Program{}, FailingInformers: []FailingInformer{}}
	i.note(programs, right{"list", "deployments.apps", s.System}, s.programs(ctx, i))
	i.note(leaders, right{"get", "leases.coordination.k8s.io", s.System}, s.leader(ctx, i))
	i.note(failingInformers, right{"list", "events", s.System}, s.informers(ctx, i))
	return i
}

// Everything reads Health, what waits in the queues, and which sites fail.
func (s *Survey) Everything(ctx context.Context) *Installation {
	i := s.Health(ctx)
	i.Queues, i.FailingSites = []Queue{}, []FailingSite{}
	i.note(articleQueues, right{"list", "articles.pressroom.dev", s.Namespace}, s.articles(ctx, i))
	i.note(eventQueue, right{"list", "eventdeliveries.pressroom.dev", s.Namespace}, s.events(ctx, i))
	i.note(failingSites, right{"list", "sites.pressroom.dev", s.Namespace}, s.sites(ctx, i))
	return i
}

// right is what reading something needs.
type right struct{ verb, resource, namespace string }

func (r right) String() string {
	where := "all namespaces"
	if r.namespace != "" {
		where = r.namespace
	}
	return fmt.Sprintf("needs %s on %s in %s", r.verb, r.resource, where)
}

// note records that something could not be read, if err says so.
func (i *Installation) note(what string, needed right, err error) {
	switch {
	case err == nil:
	case apierrors.IsForbidden(err):
		i.Unknown = append(i.Unknown, Gap{what, needed.String(), err})
	default:
		i.Unknown = append(i.Unknown, Gap{what, err.Error(), err})
	}
}

func (s *Survey) programs(ctx context.Context, found *Installation) error {
	var list appsv1.DeploymentList
	err := s.Client.List(ctx, &list, client.InNamespace(s.System), client.MatchingLabels{"app.kubernetes.io/name": "pressroom"})
	if err != nil {
		return err
	}
	for i := range list.Items {
		d := &list.Items[i]
		p := Program{Name: d.Name, Ready: d.Status.ReadyReplicas, Replicas: ptr.Deref(d.Spec.Replicas, 1)}
		for _, c := range d.Spec.Template.Spec.Containers {
			if c.Name == d.Labels["app.kubernetes.io/component"] {
				p.Image, p.Version = c.Image, tag(c.Image)
			}
		}
		found.Programs = append(found.Programs, p)
	}
	return nil
}

// tag returns the tag of an image, or its digest, or latest.
func tag(image string) string {
	name, digest, pinned := strings.Cut(image, "@")
	if _, tag, ok := strings.Cut(name[strings.LastIndex(name, "/")+1:], ":"); ok {
		return tag
	}
	if pinned {
		return digest
	}
	return "latest"
}

func (s *Survey) leader(ctx context.Context, found *Installation) error {
	lease := &coordinationv1.Lease{}
	if err := client.IgnoreNotFound(s.Client.Get(ctx, client.ObjectKey{Namespace: s.System, Name: LeaseName}, lease)); err != nil {
		return err
	}
	holder := ptr.Deref(lease.Spec.HolderIdentity, "")
	if holder == "" || lease.Spec.RenewTime == nil {
		return nil
	}
	l := &Leader{Holder: holder, RenewedAt: lease.Spec.RenewTime.UTC().Format(time.RFC3339), State: LeaderCurrent}
	if s.Clock.Now().After(lease.Spec.RenewTime.Add(time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second)) {
		l.State = LeaderExpired
	}
	found.Leader = l
	return nil
}

// stale is how long after a report of a failing informer no other one means that its Pod is gone.
const stale = 3 * informers.ReportPeriod

// informers finds the informers that fail, by the Events that the programs make.
func (s *Survey) informers(ctx context.Context, found *Installation) error {
	var events []*corev1.Event
	match := client.MatchingFields{"reportingComponent": informers.ReportingController}
	keep := func(e *corev1.Event) { events = append(events, e) }
	err := listing.Each(ctx, s.Client, &corev1.EventList{}, keep, client.InNamespace(s.System), match)
	slices.SortStableFunc(events, func(a, b *corev1.Event) int { return a.EventTime.Compare(b.EventTime.Time) })
	for _, e := range events {
		found.report(e)
	}
	found.FailingInformers = slices.DeleteFunc(found.FailingInformers, func(f FailingInformer) bool {
		return f.seen.Before(s.Clock.Now().Add(-stale))
	})
	return err
}

// report takes an Event into account that is newer than those before.
func (i *Installation) report(e *corev1.Event) {
	if e.Related == nil || e.Reason != informers.ReasonFailing && e.Reason != informers.ReasonRecovered {
		return
	}
	f := FailingInformer{
		Pod: e.InvolvedObject.Name, Kind: e.Related.Kind, Since: e.EventTime.UTC().Format(time.RFC3339), Message: e.Message,
		seen: e.EventTime.Time,
	}
	if e.Series != nil {
		f.seen = e.Series.LastObservedTime.Time
	}
	i.FailingInformers = slices.DeleteFunc(i.FailingInformers, func(old FailingInformer) bool {
		same := old.Pod == f.Pod && old.Kind == f.Kind
		if same && !old.seen.Before(e.EventTime.Add(-stale)) {
			// It failed before, for another cause.
			f.Since = old.Since
		}
		return same
	})
	if e.Reason == informers.ReasonFailing {
		i.FailingInformers = append(i.FailingInformers, f)
	}
}

// articles counts articles by what they wait for. Only those are read that are on their way, or have failed.
func (s *Survey) articles(ctx context.Context, found *Installation) error {
	counts := map[Queue]int{}
	for _, phase := range []v1alpha1.ArticlePhase{v1alpha1.PhaseGenerating, v1alpha1.PhaseApproved, v1alpha1.PhaseFailed} {
		match := client.MatchingFields{"status.phase": string(phase)}
		count := func(a *v1alpha1.Article) {
			if q, due := queueOf(a); due {
				counts[q]++
			}
		}
		if err := listing.Each(ctx, s.Client, &v1alpha1.ArticleList{}, count, client.InNamespace(s.Namespace), match); err != nil {
			return err
		}
	}
	found.add(counts)
	return nil
}

// queueOf returns where an article that is on its way or has failed waits, and why, if it does.
func queueOf(a *v1alpha1.Article) (Queue, bool) {
	name, kind := "generation", v1alpha1.ConditionGenerated
	ready := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady)
	if a.Status.Phase == v1alpha1.PhaseApproved || ready != nil && ready.Reason == v1alpha1.ReasonDeliveryFailed {
		name, kind = "publication", v1alpha1.ConditionPublished
	}
	c := meta.FindStatusCondition(a.Status.Conditions, kind)
	// An approved article of which nothing is asked waits for nothing, and neither does one that was taken back.
	if !isFalse(c) || c.Reason == v1alpha1.ReasonNotRequested || c.Reason == v1alpha1.ReasonUnpublished {
		return Queue{}, false
	}
	return Queue{Queue: name, Reason: c.Reason}, true
}

func isFalse(c *metav1.Condition) bool { return c != nil && c.Status == metav1.ConditionFalse }

// events counts deliveries of events that are not delivered.
func (s *Survey) events(ctx context.Context, found *Installation) error {
	counts := map[Queue]int{}
	count := func(d *v1alpha1.EventDelivery) {
		if c := meta.FindStatusCondition(d.Status.Conditions, v1alpha1.ConditionDelivered); isFalse(c) {
			counts[Queue{Queue: "events", Reason: c.Reason}]++
		}
	}
	err := listing.Each(ctx, s.Client, &v1alpha1.EventDeliveryList{}, count, client.InNamespace(s.Namespace))
	found.add(counts)
	return err
}

// add adds what was counted, in the order of the reasons.
func (i *Installation) add(counts map[Queue]int) {
	queues := make([]Queue, 0, len(counts))
	for q, n := range counts {
		q.Count = n
		queues = append(queues, q)
	}
	slices.SortFunc(queues, func(a, b Queue) int { return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Reason, b.Reason)) })
	i.Queues = append(i.Queues, queues...)
}

// sites finds the sites that are not ready, or whose last test of the connection failed.
func (s *Survey) sites(ctx context.Context, found *Installation) error {
	keep := func(site *v1alpha1.Site) {
		for _, kind := range []string{v1alpha1.ConditionReady, v1alpha1.ConditionConnected} {
			if c := meta.FindStatusCondition(site.Status.Conditions, kind); isFalse(c) {
				found.FailingSites = append(found.FailingSites, FailingSite{site.Namespace, site.Name, c.Reason, c.Message})
				return
			}
		}
	}
	return listing.Each(ctx, s.Client, &v1alpha1.SiteList{}, keep, client.InNamespace(s.Namespace))
}
