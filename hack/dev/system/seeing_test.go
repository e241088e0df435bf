//go:build e2e

package system_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// transitions is the part of what kubectl describe prints that has them, and kinds their types in it.
var (
	transitions = regexp.MustCompile(`\n  Transitions:\n(?:    .*\n)*`)
	kinds       = regexp.MustCompile(`(?m)^\s+Type:\s+(\w+)$`)
)

var _ = Describe("What operators see", func() {
	It("is the story of an article in kubectl describe, in order", func(ctx SpecContext) {
		review(ctx, v1alpha1.ReviewManual)
		uid := generate(ctx, "shoes with a story")
		ask := func(operation, body string) { again(ctx, http.MethodPost, "/v1/api/blogs/"+uid+"/"+operation, body) }
		await(ctx, uid, v1alpha1.PhaseReview)
		ask("reject", `{"note": "Say something about rock."}`)
		await(ctx, uid, v1alpha1.PhaseRejected)
		// The built-in generator would write the rejected text again.
		again(ctx, http.MethodPatch, "/v1/api/blogs/"+uid, `{"title": "Shoes that went over rock"}`)
		await(ctx, uid, v1alpha1.PhaseReview)
		ask("approve", "{}")
		await(ctx, uid, v1alpha1.PhaseApproved)
		publish(ctx, uid)
		await(ctx, uid, v1alpha1.PhasePublished)

		text, err := whole.Cluster.Kubectl(ctx, nil, "describe", "articles.pressroom.dev", uid, "-n", system.Workspace)
		Expect(err).NotTo(HaveOccurred())
		var story []string
		for _, found := range kinds.FindAllStringSubmatch(transitions.FindString(text), -1) {
			story = append(story, found[1])
		}
		Expect(story).To(HaveExactElements("ReadyForReview", "Rejected", "ReadyForReview", "Approved", "Published"), "%s", text)
		Expect(text).To(ContainSubstring("Say something about rock."))
	}, NodeTimeout(patience))

	It("is there for each query of the dashboard and of the alerts", func(ctx SpecContext) {
		review(ctx, v1alpha1.ReviewAutomatic)
		// Other specs expect a reviewer.
		DeferCleanup(func(ctx SpecContext) { review(ctx, v1alpha1.ReviewManual) })
		uid := generate(ctx, "shoes in a dashboard")
		publish(ctx, uid)
		await(ctx, uid, v1alpha1.PhasePublished)
		ask(ctx, http.MethodPost, "/v1/api/sites/"+whole.SiteUID()+"/test", "", http.StatusAccepted)
		subscription := ask(ctx, http.MethodPost, "/v1/api/event-subscriptions",
			fmt.Sprintf(`{"url": %q, "events": ["*"]}`, whole.ReceiverURL()+"/events"), http.StatusCreated)
		DeferCleanup(func(ctx SpecContext) {
			try(ctx, http.MethodDelete, "/v1/api/event-subscriptions/"+subscription.text("uid"), "")
		})
		again(ctx, http.MethodPost, "/v1/api/event-subscriptions/"+subscription.text("uid")+"/test", "")

		Eventually(ctx, func() error {
			exported := &scrapes{values: map[string][]string{}}
			// A rate is between two scrapes that both have a series.
			exported.add(ctx)
			exported.add(ctx)
			return errors.Join(exported.findEach(ctx, dashboardQueries()), exported.haveAll(alertSeries()))
		}).WithTimeout(time.Minute).Should(Succeed(), "what was done is counted a moment later")
	}, NodeTimeout(patience))
})

// review sets the policy of the site of the samples.
func review(ctx context.Context, policy v1alpha1.ReviewPolicy) {
	GinkgoHelper()
	site := &v1alpha1.Site{}
	site.Namespace, site.Name = system.Workspace, system.SiteName
	patch := fmt.Sprintf(`{"spec": {"review": {"policy": %q}}}`, policy)
	Expect(api.Patch(ctx, site, client.RawPatch(mergePatch, []byte(patch)))).To(Succeed())
}
