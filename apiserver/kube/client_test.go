package kube_test

import (
	"context"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// silent does not answer.
type silent struct{ client.Client }

func (silent) Get(ctx context.Context, _ client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

var _ = Describe("A call to kube-apiserver", func() {
	DescribeTable("about what does not exist says what the REST API calls that", func(o client.Object, want string) {
		key := client.ObjectKey{Name: "nothing"}
		switch o.(type) {
		case *v1alpha1.APIKey, *v1alpha1.OAuthClient, *v1alpha1.OAuthGrant, *v1alpha1.Account:
		default:
			key.Namespace = "default"
		}
		o.SetNamespace(key.Namespace)
		o.SetName(key.Name)
		c, ctx := kube.NewClient(api, 0), context.Background()
		for what, err := range map[string]error{
			"get":    c.Get(ctx, key, o),
			"delete": c.Delete(ctx, o),
			"patch":  c.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(`{}`))),
		} {
			Expect(apierrors.IsNotFound(err)).To(BeTrue(), what)
			Expect(problem.FromKubernetes(err).Problem.Message).To(Equal("there is no such "+want), what)
		}
	},
		Entry("a site", &v1alpha1.Site{}, "site"),
		Entry("a key", &v1alpha1.APIKey{}, "API key"),
		Entry("a subscription", &v1alpha1.EventSubscription{}, "event subscription"),
		Entry("a delivery", &v1alpha1.EventDelivery{}, "delivery"),
		Entry("a client", &v1alpha1.OAuthClient{}, "app"),
		Entry("a grant", &v1alpha1.OAuthGrant{}, "grant"),
		Entry("an account", &v1alpha1.Account{}, "account"),
		Entry("a Secret", &corev1.Secret{}, "secret"),
		Entry("an article", &v1alpha1.Article{}, "article"),
		Entry("a revision", &v1alpha1.ArticleRevision{}, "article"),
	)

	It("about a status says so too", func() {
		grant := &v1alpha1.OAuthGrant{}
		grant.Name = "nothing"
		err := kube.NewClient(api, 0).Status().Patch(context.Background(), grant, client.MergeFrom(&v1alpha1.OAuthGrant{}))
		Expect(problem.FromKubernetes(err).Problem.Message).To(Equal("there is no such grant"))
	})

	It("ends after its time, and counts as not answered", func() {
		err := kube.NewClient(silent{api}, time.Millisecond).Get(context.Background(), client.ObjectKey{Name: "a"}, &v1alpha1.Site{})
		Expect(err).To(MatchError(context.DeadlineExceeded))
		Expect(problem.FromKubernetes(err).GetStatus()).To(Equal(http.StatusServiceUnavailable))
	})
})
