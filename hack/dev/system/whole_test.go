//go:build e2e

package system_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/demo"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

var _ = Describe("The whole system", Ordered, func() {
	It("takes a keyword to a published article over REST, with a signature that the receiver verifies", func(ctx SpecContext) {
		review(ctx, v1alpha1.ReviewManual)
		Expect(demo.Run(ctx, demo.Options{
			URL: whole.APIURL(), APIKey: whole.APIKey, Workspace: system.Workspace, ReceiverURL: whole.ReceiverURL(), Say: whole.Say,
		})).To(Succeed())
	}, NodeTimeout(patience))

	It("stops the controller in order when it is asked to", func(ctx SpecContext) {
		Expect(whole.Controller.Stop()).To(Succeed(), "the race detector, or a failing shutdown, would say so here")
		Expect(whole.StartController(context.WithoutCancel(ctx))).To(Succeed())
	}, NodeTimeout(patience))
})

// generate asks for an article over REST and returns its uid.
func generate(ctx context.Context, keyword string) string {
	GinkgoHelper()
	var answer struct {
		BlogUID string `json:"blog_uid"`
	}
	post(ctx, "/v1/api/generate", fmt.Sprintf(`{"site_uid": %q, "keyword": %q}`, whole.SiteUID(), keyword), http.StatusAccepted, &answer)
	return answer.BlogUID
}

// publish asks for publishing, which waits for the approval.
func publish(ctx context.Context, uid string) {
	GinkgoHelper()
	post(ctx, "/v1/api/blogs/"+uid+"/publish", "{}", http.StatusOK, &struct{}{})
}

func post(ctx context.Context, path, body string, wantStatus int, answer any) {
	GinkgoHelper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, whole.APIURL()+path, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("x-api-key", whole.APIKey)
	request.Header.Set("x-workspace-id", system.Workspace)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	Expect(response).To(HaveHTTPStatus(wantStatus))
	Expect(json.NewDecoder(response.Body).Decode(answer)).To(Succeed())
}

// await watches an article until it has a phase.
func await(ctx context.Context, name string, phase v1alpha1.ArticlePhase) *v1alpha1.Article {
	GinkgoHelper()
	watch, err := api.Watch(ctx, &v1alpha1.ArticleList{}, client.InNamespace(system.Workspace), client.MatchingFields{"metadata.name": name})
	Expect(err).NotTo(HaveOccurred())
	defer watch.Stop()
	last := &v1alpha1.Article{}
	for event := range watch.ResultChan() {
		a, ok := event.Object.(*v1alpha1.Article)
		if !ok {
			continue
		}
		if last = a; a.Status.Phase == phase {
			return a
		}
	}
	Fail(fmt.Sprintf("the article did not come to %s: %+v", phase, last.Status))
	return nil
}

// revisionsOf returns the revisions that an article owns.
func revisionsOf(ctx context.Context, a *v1alpha1.Article) []v1alpha1.ArticleRevision {
	GinkgoHelper()
	var list v1alpha1.ArticleRevisionList
	Expect(api.List(ctx, &list, client.InNamespace(a.Namespace))).To(Succeed())
	return slices.DeleteFunc(list.Items, func(r v1alpha1.ArticleRevision) bool { return !metav1.IsControlledBy(&r, a) })
}
