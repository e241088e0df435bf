//go:build e2e

package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// channel is one of the two channels, publishing or events, with receivers and deliveries of a benchmark's own.
type channel interface {
	// target makes a receiver known under a name.
	target(ctx context.Context, name, url string) error
	// create makes a delivery to a target, which starts at once.
	create(ctx context.Context, name, target string) error
	// object is what carries a delivery.
	object(name string) client.Object
	// records returns what status says of each delivery.
	records(ctx context.Context) (map[string]v1alpha1.DeliveryRecord, error)
	// nameIn finds the delivery's name in a request.
	nameIn(r *http.Request, body []byte) string
}

func channels(w *bench) map[string]channel {
	return map[string]channel{"publishing": publishing{w, system.Workspace}, "events": events{w}}
}

// again asks for a new cycle of a delivery that has ended: it is due when this returns, and starts maybe before.
func (w *bench) again(ctx context.Context, l channel, name, nonce string) error {
	patch := fmt.Sprintf(`{"metadata": {"annotations": {%q: %q}}}`, v1alpha1.RedeliverAnnotation, nonce)
	return w.api.Patch(ctx, l.object(name), client.RawPatch(types.MergePatchType, []byte(patch)))
}

// awaitCycles waits until the cycles of all these deliveries are so.
func awaitCycles(b *testing.B, l channel, names []string, what string, is func(*v1alpha1.DeliveryCycle) bool) {
	b.Helper()
	await(b, what, func() bool {
		records, err := l.records(b.Context())
		must(b, err)
		for _, name := range names {
			if c := records[name].Cycle; c == nil || !is(c) {
				return false
			}
		}
		return true
	})
}

func delivered(c *v1alpha1.DeliveryCycle) bool { return c.State == v1alpha1.CycleDelivered }

// names are so many of one kind.
func names(kind string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s-%d", kind, i)
	}
	return all
}

// publishing has a Site for each receiver and an Article for each delivery.
type publishing struct {
	*bench
	workspace string
}

func (p publishing) target(ctx context.Context, name, url string) error {
	return p.api.Create(ctx, &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: p.workspace, Name: name},
		Spec: v1alpha1.SiteSpec{
			Domain: name + ".acme.example",
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
				URL: url, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "acme-webhook", Key: "signingSecret"},
			}},
		},
	})
}

func (p publishing) create(ctx context.Context, name, target string) error {
	return p.api.Create(ctx, p.article(name, target))
}

// article is a hand-written one that is approved in its manifest.
func (p publishing) article(name, target string) *v1alpha1.Article {
	return &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: p.workspace, Name: name},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: target}, Stage: v1alpha1.StagePublished,
			Content: &v1alpha1.ArticleContent{Title: name, Markdown: "Text."},
			Review:  &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara@acme.example"},
		},
	}
}

func (p publishing) object(name string) client.Object {
	return &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: p.workspace, Name: name}}
}

func (p publishing) records(ctx context.Context) (map[string]v1alpha1.DeliveryRecord, error) {
	var list v1alpha1.ArticleList
	records := map[string]v1alpha1.DeliveryRecord{}
	err := p.api.List(ctx, &list, client.InNamespace(p.workspace))
	for i := range list.Items {
		if of := list.Items[i].Status.Publication; of != nil {
			records[list.Items[i].Name] = of.DeliveryRecord
		}
	}
	return records, err
}

func (publishing) nameIn(_ *http.Request, body []byte) string {
	var article struct {
		Slug string `json:"slug"`
	}
	if json.Unmarshal(body, &article) != nil {
		return ""
	}
	return article.Slug // the title is the name
}

// events has an EventSubscription for each receiver and an EventDelivery for each delivery.
type events struct{ *bench }

func (t events) target(ctx context.Context, name, url string) error {
	return t.api.Create(ctx, &v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: name},
		Spec: v1alpha1.EventSubscriptionSpec{
			// No article of the benchmarks is rejected: all events are made by create.
			URL: url, Events: []v1alpha1.EventSelector{v1alpha1.EventSelector(v1alpha1.EventRejected)},
			SigningSecretRef: v1alpha1.SecretKeyReference{Name: secretName, Key: secretKey},
		},
	})
}

func (t events) create(ctx context.Context, name, target string) error {
	s := &v1alpha1.EventSubscription{}
	if err := t.api.Get(ctx, client.ObjectKey{Namespace: system.Workspace, Name: target}, s); err != nil {
		return err
	}
	return t.api.Create(ctx, &v1alpha1.EventDelivery{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: system.Workspace, Name: name,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(s, v1alpha1.GroupVersion.WithKind("EventSubscription"))},
		},
		Spec: v1alpha1.EventDeliverySpec{
			SubscriptionRef: v1alpha1.LocalReference{Name: target}, ArticleRef: v1alpha1.LocalReference{Name: "welcome"},
			Type: v1alpha1.EventRejected, Time: metav1.NewMicroTime(time.Now()), Body: fmt.Sprintf(`{"name": %q}`, name),
		},
	})
}

func (events) object(name string) client.Object {
	return &v1alpha1.EventDelivery{ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: name}}
}

func (t events) records(ctx context.Context) (map[string]v1alpha1.DeliveryRecord, error) {
	var list v1alpha1.EventDeliveryList
	records := map[string]v1alpha1.DeliveryRecord{}
	err := t.api.List(ctx, &list, client.InNamespace(system.Workspace))
	for i := range list.Items {
		records[list.Items[i].Name] = list.Items[i].Status.DeliveryRecord
	}
	return records, err
}

func (events) nameIn(r *http.Request, _ []byte) string { return r.Header.Get("Webhook-Id") }
