package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/informers"
)

// leaseName is the lease of the controllers, in the system namespace.
const leaseName = "controller.pressroom.dev"

// survey reads an installation.
type survey struct {
	*session

	// system is the namespace that Pressroom is installed in.
	system string
	now    time.Time
}

// program is a Deployment of Pressroom.
type program struct {
	Name     string `json:"name"`
	Image    string `json:"image"`
	Version  string `json:"version"`
	Ready    int32  `json:"ready"`
	Replicas int32  `json:"replicas"`
}

// leader is the controller process that holds the lease.
type leader struct {
	Holder    string `json:"holder"`
	RenewedAt string `json:"renewedAt"`
	// State is Current, or Expired if the holder has not renewed the lease in time.
	State string `json:"state"`
}

// failingInformer is a kind that a Pod of Pressroom cannot list or watch.
type failingInformer struct {
	Pod     string `json:"pod"`
	Kind    string `json:"kind"`
	Since   string `json:"since"`
	Message string `json:"message"`

	seen time.Time
}

// queue counts objects for the same reason.
type queue struct {
	// Queue is generation, publication or events.
	Queue  string `json:"queue"`
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// failingSite is a Site with the condition that says why.
type failingSite struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
}

func (s *survey) programs(ctx context.Context, found *installation) error {
	var list appsv1.DeploymentList
	err := s.List(ctx, &list, client.InNamespace(s.system), client.MatchingLabels{"app.kubernetes.io/name": "pressroom"})
	if err != nil {
		return err
	}
	for i := range list.Items {
		d := &list.Items[i]
		p := program{Name: d.Name, Ready: d.Status.ReadyReplicas, Replicas: ptr.Deref(d.Spec.Replicas, 1)}
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

func (s *survey) leader(ctx context.Context, found *installation) error {
	lease := &coordinationv1.Lease{}
	if err := client.IgnoreNotFound(s.Get(ctx, client.ObjectKey{Namespace: s.system, Name: leaseName}, lease)); err != nil {
		return err
	}
	holder := ptr.Deref(lease.Spec.HolderIdentity, "")
	if holder == "" || lease.Spec.RenewTime == nil {
		return nil
	}
	l := &leader{Holder: holder, RenewedAt: lease.Spec.RenewTime.UTC().Format(time.RFC3339), State: "Current"}
	if s.now.After(lease.Spec.RenewTime.Add(time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second)) {
		l.State = "Expired"
	}
	found.Leader = l
	return nil
}

// stale is how long after a report of a failing informer no other one means that its Pod is gone.
const stale = 3 * informers.ReportPeriod

// informers finds the informers that fail, by the Events that the programs make.
func (s *survey) informers(ctx context.Context, found *installation) error {
	var events []*corev1.Event
	match := client.MatchingFields{"reportingComponent": informers.ReportingController}
	err := each(ctx, s.session, s.system, &corev1.EventList{}, match, func(e *corev1.Event) { events = append(events, e) })
	slices.SortStableFunc(events, func(a, b *corev1.Event) int { return a.EventTime.Compare(b.EventTime.Time) })
	for _, e := range events {
		found.report(e)
	}
	found.FailingInformers = slices.DeleteFunc(found.FailingInformers, func(f failingInformer) bool {
		return f.seen.Before(s.now.Add(-stale))
	})
	return err
}

// report takes an Event into account that is newer than those before.
func (i *installation) report(e *corev1.Event) {
	if e.Related == nil || e.Reason != informers.ReasonFailing && e.Reason != informers.ReasonRecovered {
		return
	}
	f := failingInformer{
		Pod: e.InvolvedObject.Name, Kind: e.Related.Kind, Since: e.EventTime.UTC().Format(time.RFC3339), Message: e.Message,
		seen: e.EventTime.Time,
	}
	if e.Series != nil {
		f.seen = e.Series.LastObservedTime.Time
	}
	i.FailingInformers = slices.DeleteFunc(i.FailingInformers, func(old failingInformer) bool {
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
func (s *survey) articles(ctx context.Context, found *installation) error {
	counts := map[queue]int{}
	for _, phase := range []v1alpha1.ArticlePhase{v1alpha1.PhaseGenerating, v1alpha1.PhaseApproved, v1alpha1.PhaseFailed} {
		match := client.MatchingFields{"status.phase": string(phase)}
		err := each(ctx, s.session, s.namespace, &v1alpha1.ArticleList{}, match, func(a *v1alpha1.Article) {
			if q, due := queueOf(a); due {
				counts[q]++
			}
		})
		if err != nil {
			return err
		}
	}
	found.add(counts)
	return nil
}

// queueOf returns where an article that is on its way or has failed waits, and why, if it does.
func queueOf(a *v1alpha1.Article) (queue, bool) {
	name, kind := "generation", v1alpha1.ConditionGenerated
	if a.Status.Phase == v1alpha1.PhaseApproved || verdict(a.Status.Conditions, v1alpha1.ConditionReady) == v1alpha1.ReasonDeliveryFailed {
		name, kind = "publication", v1alpha1.ConditionPublished
	}
	c := meta.FindStatusCondition(a.Status.Conditions, kind)
	// An approved article of which nothing is asked waits for nothing.
	if !isFalse(c) || c.Reason == v1alpha1.ReasonNotRequested {
		return queue{}, false
	}
	return queue{Queue: name, Reason: c.Reason}, true
}

func isFalse(c *metav1.Condition) bool { return c != nil && c.Status == metav1.ConditionFalse }

// events counts deliveries of events that are not delivered.
func (s *survey) events(ctx context.Context, found *installation) error {
	counts := map[queue]int{}
	err := each(ctx, s.session, s.namespace, &v1alpha1.EventDeliveryList{}, nil, func(d *v1alpha1.EventDelivery) {
		if c := meta.FindStatusCondition(d.Status.Conditions, v1alpha1.ConditionDelivered); isFalse(c) {
			counts[queue{Queue: "events", Reason: c.Reason}]++
		}
	})
	found.add(counts)
	return err
}

// add adds what was counted, in the order of the reasons.
func (i *installation) add(counts map[queue]int) {
	queues := make([]queue, 0, len(counts))
	for q, n := range counts {
		q.Count = n
		queues = append(queues, q)
	}
	slices.SortFunc(queues, func(a, b queue) int { return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Reason, b.Reason)) })
	i.Queues = append(i.Queues, queues...)
}

// sites finds the sites that are not ready, or whose last test of the connection failed.
func (s *survey) sites(ctx context.Context, found *installation) error {
	return each(ctx, s.session, s.namespace, &v1alpha1.SiteList{}, nil, func(site *v1alpha1.Site) {
		for _, kind := range []string{v1alpha1.ConditionReady, v1alpha1.ConditionConnected} {
			if c := meta.FindStatusCondition(site.Status.Conditions, kind); isFalse(c) {
				found.FailingSites = append(found.FailingSites, failingSite{site.Namespace, site.Name, c.Reason, c.Message})
				return
			}
		}
	})
}
