package index

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// CacheByObject configures a cache for the kinds that the index watches.
func (x *Index) CacheByObject() (map[client.Object]cache.ByObject, error) {
	isWorkspace, err := labels.NewRequirement(v1alpha1.AccountLabel, selection.Exists, nil)
	if err != nil {
		return nil, err
	}
	strip := lifecycle.StripObject
	return map[client.Object]cache.ByObject{
		&v1alpha1.Article{}: {Transform: x.Transform()},
		&v1alpha1.Site{}:    {Transform: stripSite},
		// Their metadata are watched, of which only the name and the age are used.
		&v1alpha1.EventSubscription{}: {Transform: strip},
		&v1alpha1.Brief{}:             {Transform: strip},
		// Those of deleted articles: sites that pull remove them.
		&v1alpha1.Post{}:    {Transform: stripPost, Field: fields.OneTermEqualSelector("spec.state", string(v1alpha1.PostRemoved))},
		&corev1.Namespace{}: {Transform: strip, Label: labels.NewSelector().Add(*isWorkspace)},
	}, nil
}

// stripPost bounds the metadata of a Post, and removes its records, which are read live.
func stripPost(o any) (any, error) {
	if post, ok := o.(*v1alpha1.Post); ok {
		post.Spec.Records = nil
	}
	return lifecycle.StripObject(o)
}

// stripSite bounds the metadata of a Site. It keeps the time of the last write.
func stripSite(o any) (any, error) {
	site, ok := o.(*v1alpha1.Site)
	if !ok {
		return o, nil
	}
	updated := metav1.NewTime((&Site{Object: site}).UpdatedAt())
	lifecycle.StripMetadata(site)
	site.ManagedFields = []metav1.ManagedFieldsEntry{{Time: &updated}}
	return site, nil
}

// Transform returns the function by which a cache removes from Articles what is large and not listed: what lifecycle.Strip removes,
// the transitions, and the attempts of deliveries but the last one's number, outcome and answer, with its message if it failed.
//
// A transformed Article differs from the stored one: status.phase is not the stored phase but the one that is derived here, from the
// whole article, since it depends on the attempts. Only this package reads its status.phase; everybody else uses Article.Phase.
func (x *Index) Transform() toolscache.TransformFunc {
	return func(o any) (any, error) {
		if a, ok := o.(*v1alpha1.Article); ok {
			x.arriving.receive(a, x.clock.Now())
			x.strip(a)
		}
		return o, nil
	}
}

func (x *Index) strip(a *v1alpha1.Article) {
	// A reflector that streams its first list transforms each object twice. The second time the attempts are missing, so the phase
	// of the first time must stay.
	if lifecycle.Stripped(a) {
		return
	}
	a.Status.Phase = lifecycle.Phase(a, nil, x.clock.Now())
	lifecycle.Strip(a)
	a.Status.Transitions = nil
	if a.Status.Revision != nil {
		a.Status.Revision.Terms = ""
	}
	if p := a.Status.Publication; p != nil {
		p.Attempts, p.LastAnswer = lastAttempt(p.Attempts), nil
	}
}

// lastAttempt returns what lists show of attempts.
func lastAttempt(attempts []v1alpha1.DeliveryAttempt) []v1alpha1.DeliveryAttempt {
	if len(attempts) == 0 {
		return nil
	}
	last := attempts[len(attempts)-1]
	shown := v1alpha1.AttemptResult{Outcome: last.Outcome, HTTPStatus: last.HTTPStatus}
	if last.Outcome != v1alpha1.AttemptAccepted {
		shown.Message = last.Message
	}
	return []v1alpha1.DeliveryAttempt{{Cycle: last.Cycle, Number: last.Number, AttemptResult: shown}}
}
