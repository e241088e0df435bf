package kinds

import (
	"cmp"
	"context"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// table asks for a list as kubectl get does.
func table(ctx context.Context, resource, namespace string) *metav1.Table {
	GinkgoHelper()
	cfg := rest.CopyConfig(cluster.Config)
	cfg.APIPath = "/apis"
	cfg.GroupVersion = &api.GroupVersion
	cfg.NegotiatedSerializer = serializer.NewCodecFactory(clientgoscheme.Scheme).WithoutConversion()
	c, err := rest.RESTClientFor(cfg)
	Expect(err).NotTo(HaveOccurred())
	t := &metav1.Table{}
	Expect(c.Get().Resource(resource).Namespace(namespace).
		SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(ctx).Into(t)).To(Succeed())
	return t
}

// shown returns what the columns that kubectl shows without -o wide hold, Name and Age aside.
func shown(t *metav1.Table) map[string]any {
	GinkgoHelper()
	Expect(t.Rows).To(HaveLen(1))
	cells := map[string]any{}
	for i, column := range t.ColumnDefinitions {
		if column.Priority == 0 && column.Name != "Name" && column.Name != "Age" {
			cells[column.Name] = t.Rows[0].Cells[i]
		}
	}
	return cells
}

// liveArticle returns an article that its site has accepted.
func liveArticle(namespace string) *api.Article {
	article := newArticle(namespace)
	article.Status = api.ArticleStatus{
		Observed: api.Observed{
			ObservedGeneration: 1,
			Conditions:         []metav1.Condition{condition(api.ConditionReady, metav1.ConditionTrue, api.ReasonDelivered)},
		},
		Phase: api.PhasePublished,
		Revision: &api.CurrentRevision{
			Name: "r", Number: 1, Digest: digest, Title: "Trail shoes that last", Source: api.SourceWritten, SEOScore: 83,
			CreationTime: api.NewMicroTime(now),
		},
		Publication: &api.Publication{
			Post: api.SitePost{
				State: api.PostPresent, Revision: &api.PublicationRevision{Name: "r", Number: 1, Digest: digest}, URL: "https://blog.acme.example/trail-shoes",
			},
		},
	}
	return article
}

func createLive(ctx context.Context, namespace string) *api.Article {
	GinkgoHelper()
	article := liveArticle(namespace)
	Expect(admin.Create(ctx, article)).To(Succeed())
	setStatus(ctx, article, liveArticle(namespace).Status)
	return article
}

var _ = Describe("kubectl get articles", func() {
	It("says which site, which phase and why, and the score", func(ctx SpecContext) {
		namespace := newNamespace(ctx)
		createLive(ctx, namespace)
		Expect(shown(table(ctx, "articles", namespace))).To(Equal(map[string]any{
			"Site": "acme", "Phase": "Published", "Reason": "Delivered", "Score": int64(83),
		}))
	})

	It("says with -o wide the live URL, the title, what came back last, and when the next try is", func(ctx SpecContext) {
		namespace := newNamespace(ctx)
		article := createLive(ctx, namespace)
		at := api.NewMicroTime(now)
		status := article.Status
		status.Conditions = []metav1.Condition{condition(api.ConditionPublished, metav1.ConditionFalse, api.ReasonRetryScheduled)}
		status.Publication.Post.State = api.PostUncertain
		status.Publication.Cycle = &api.DeliveryCycle{Number: 1, State: api.CycleRetryScheduled, NextAttemptTime: &at}
		for number, httpStatus := range []int32{500, 503} {
			status.Publication.Attempts = append(status.Publication.Attempts, api.DeliveryAttempt{
				ID: "0198f0a1-b2c3-5d4e-95f6-a7b8c9d0e1f2", Cycle: 1, Number: int32(number + 1), StartTime: at,
				AttemptResult: api.AttemptResult{Outcome: api.AttemptRejected, ErrorClass: api.ErrorServer, HTTPStatus: httpStatus},
			})
		}
		setStatus(ctx, article, status)
		got := table(ctx, "articles", namespace)
		cells := map[string]any{}
		for i, column := range got.ColumnDefinitions {
			cells[column.Name] = got.Rows[0].Cells[i]
		}
		Expect(cells).To(And(HaveKeyWithValue("Title", "Trail shoes that last"),
			HaveKeyWithValue("URL", "https://blog.acme.example/trail-shoes"), HaveKeyWithValue("Published", "RetryScheduled"), HaveKeyWithValue("HTTP", int64(503)),
			HaveKeyWithValue("Next", at.UTC().Format(metav1.RFC3339Micro))))
	})

	It("selects by site and by phase", func(ctx SpecContext) {
		namespace := newNamespace(ctx)
		live := createLive(ctx, namespace)
		other := newArticle(namespace)
		other.Spec.SiteRef.Name = "other"
		Expect(admin.Create(ctx, other)).To(Succeed())

		for want, fields := range map[string]client.MatchingFields{
			other.Name: {"spec.siteRef.name": "other"}, live.Name: {"status.phase": "Published"},
		} {
			list := &api.ArticleList{}
			Expect(admin.List(ctx, list, client.InNamespace(namespace), fields)).To(Succeed())
			Expect(list.Items).To(HaveExactElements(HaveField("Name", want)))
		}
	})
})

var _ = Describe("kubectl get sites", func() {
	It("says where a site is, what it is and whether it is connected", func(ctx SpecContext) {
		namespace := newNamespace(ctx)
		site := newSite(namespace)
		Expect(admin.Create(ctx, site)).To(Succeed())
		site.Status.ObservedGeneration = 1
		site.Status.Conditions = []metav1.Condition{
			condition(api.ConditionConnected, metav1.ConditionTrue, api.ReasonPulled),
			condition(api.ConditionReady, metav1.ConditionTrue, api.ReasonPulled),
		}
		Expect(admin.Status().Update(ctx, site)).To(Succeed())
		Expect(shown(table(ctx, "sites", namespace))).To(Equal(map[string]any{
			"Domain": "blog.acme.example", "CMS": "None", "Connected": "True", "Reason": "Pulled", "Ready": "True",
		}))
	})
})

// widest are the longest values that are usual in the columns: names as the REST API gives them, and the longest words.
var widest = map[string]string{
	"Account": "acme-publishing", "Brief Source": "Trail survey 2026", "Client": "newsletter-tool", "CMS": "WordPress", "Connected": "Unknown", "Credits": "1000000", "Day": "2026-11-20",
	"Delivered": "False", "Display Name": "Acme newsletter tool", "Domain": "blog.acme.example", "Event": "ReadyForReview", "Last Call": "59m",
	"Last Used": "364d", "Number": "12", "Object": uuidName, "OAuthGrant Reason": "MembershipEnded", "Operation": "rotate-secret", "Person": "mara@acme.example", "Phase": "Generating",
	"Published": "364d", "Ready": "Unknown", "Reason": "SubscriptionNotFound", "Score": "100", "Site": "acme-outdoor", "Source": "Generated",
	"State": "Published", "Type": "Confidential", "UID": uuidName, "URL": "https://hooks.acme.example/pressroom", "Used": "1000000",
}

const uuidName = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"

// A terminal of 120 columns shows a row of each kind in one line.
func TestTheColumnsFitATerminal(t *testing.T) {
	crds, err := generatedCRDs()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{
		"Account": "acme-publishing", "AccountLedger": "acme-publishing", "APIKey": "aa3kq2vxw5ntb6ha", "OAuthClient": "newsletter-tool", "OAuthGrant": "aa3kq2vxw5ntb6ha",
		"ArticleRevision": uuidName + "-0a1b2c3d-12", "Post": "how-to-choose-trail-running-shoes-that-last-0a1b2c3d4e5f6a7b",
	}
	for _, c := range crds {
		name := names[c.Spec.Names.Kind]
		if name == "" {
			name = uuidName
		}
		width := len(name)
		for _, column := range c.Spec.Versions[0].AdditionalPrinterColumns {
			value := "364d"
			if column.Name != "Age" {
				value = cmp.Or(widest[c.Spec.Names.Kind+" "+column.Name], widest[column.Name])
			}
			if column.Priority > 0 {
				continue
			}
			if value == "" {
				t.Errorf("%s: the column %s needs a usual value here", c.Spec.Names.Kind, column.Name)
			}
			width += len("   ") + max(len(column.Name), len(value))
		}
		if width > 120 && c.Spec.Names.Kind != "IdempotencyRecord" {
			t.Errorf("kubectl get shows %d columns of %s", width, c.Spec.Names.Plural)
		}
	}
}
