//go:build e2e

package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// again asks for a new cycle of a delivery that has ended: it is due when this returns, and starts maybe before.
func (p publishing) again(ctx context.Context, name, nonce string) error {
	patch := fmt.Sprintf(`{"metadata": {"annotations": {%q: %q}}}`, v1alpha1.RedeliverAnnotation, nonce)
	return p.api.Patch(ctx, p.object(name), client.RawPatch(types.MergePatchType, []byte(patch)))
}

// awaitDelivered waits until all these deliveries have arrived.
func awaitDelivered(b *testing.B, p publishing, names []string, what string) {
	b.Helper()
	await(b, what, func() bool {
		records, err := p.records(b.Context())
		must(b, err)
		for _, name := range names {
			if c := records[name].Cycle; c == nil || c.State != v1alpha1.CycleAccepted {
				return false
			}
		}
		return true
	})
}

// names are so many of one kind.
func names(kind string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s-%d", kind, i)
	}
	return all
}

// webhookSecret is the Secret that requests are signed with.
const webhookSecret = "acme-webhook"

// publishing has a Site for each receiver and an Article for each delivery, of a benchmark's own.
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
				URL: url, SigningSecretRef: v1alpha1.SecretKeyReference{Name: webhookSecret, Key: "signingSecret"},
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
