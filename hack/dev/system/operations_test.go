//go:build e2e

package system_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// What the other specs of the suite do not do. Each operation needs rights that config/rbac must grant to the facade or the controller.
var _ = Describe("The rights of the ServiceAccounts", func() {
	It("let a client write an article, change it, have it written again, and delete it", func(ctx SpecContext) {
		body := fmt.Sprintf(`{"site_uid": %q, "title": "Written over REST", "content_markdown": "Text.\n\n## Why\n\nBecause."}`, whole.SiteUID())
		uid := ask(ctx, http.MethodPost, "/v1/api/blogs", body, http.StatusCreated, withKey("an-article")).text("uid")
		Expect(ask(ctx, http.MethodPost, "/v1/api/blogs", body, http.StatusCreated, withKey("an-article")).text("uid")).To(Equal(uid))
		// One more than are kept, so that the controller deletes the oldest.
		const kept = 4
		for i := range kept {
			written(ctx, uid, i+1)
			ask(ctx, http.MethodPatch, "/v1/api/blogs/"+uid, fmt.Sprintf(`{"title": "Changed over REST %d"}`, i), http.StatusOK)
		}
		written(ctx, uid, kept+1)
		ask(ctx, http.MethodPost, "/v1/api/blogs/"+uid+"/archive", "{}", http.StatusOK)
		await(ctx, uid, v1alpha1.PhaseArchived)
		ask(ctx, http.MethodDelete, "/v1/api/blogs/"+uid, "", http.StatusNoContent)
	}, NodeTimeout(patience))

	It("let a client write a brief, have an article rest on it, change it, and delete it", func(ctx SpecContext) {
		const briefs = "/v1/api/briefs"
		made := ask(ctx, http.MethodPost, briefs, `{"facts": ["Acme sells 42 trail models."]}`, http.StatusCreated).text("uid")
		again(ctx, http.MethodGet, briefs+"/"+made, "")
		body := fmt.Sprintf(`{"site_uid": %q, "keyword": "trail models", "brief_uid": %q}`, whole.SiteUID(), made)
		uid := ask(ctx, http.MethodPost, "/v1/api/generate", body, http.StatusAccepted).text("blog_uid")
		written(ctx, uid, 1)
		again(ctx, http.MethodPatch, briefs+"/"+made, `{"facts": ["Acme sells 43 trail models."]}`)
		ask(ctx, http.MethodGet, briefs, "", http.StatusOK)
		again(ctx, http.MethodDelete, "/v1/api/blogs/"+uid, "")
		again(ctx, http.MethodDelete, briefs+"/"+made, "")
	}, NodeTimeout(patience))

	It("let a client test a site's connection", func(ctx SpecContext) {
		ask(ctx, http.MethodPost, "/v1/api/sites/"+whole.SiteUID()+"/test", "", http.StatusAccepted)
	}, NodeTimeout(patience))

	It("let a client connect a site, change where it sends to, and remove it, and make a key and revoke it", func(ctx SpecContext) {
		body := fmt.Sprintf(`{"domain": "connected.acme.example", "cms_type": "headless", "connection": {"url": %q}}`, whole.ReceiverURL()+"/connected")
		site := "/v1/api/sites/" + ask(ctx, http.MethodPost, "/v1/api/sites", body, http.StatusCreated).text("uid")
		again(ctx, http.MethodPatch, site, fmt.Sprintf(`{"connection": {"url": %q}}`, whole.ReceiverURL()+"/elsewhere"))
		ask(ctx, http.MethodDelete, site, "", http.StatusNoContent)
		Eventually(ctx, func(g Gomega) {
			var secrets corev1.SecretList
			g.Expect(api.List(ctx, &secrets, client.InNamespace(system.Workspace))).To(Succeed())
			for _, s := range secrets.Items {
				g.Expect(s.Name).NotTo(HavePrefix("pressroom-site-"), "the Secrets of a site are deleted with it")
			}
		}).Should(Succeed())
		key := ask(ctx, http.MethodPost, "/v1/api/keys", `{"name": "made over REST", "scopes": ["read"]}`, http.StatusCreated).text("id")
		again(ctx, http.MethodPatch, "/v1/api/keys/"+key, `{"name": "changed over REST"}`)
		ask(ctx, http.MethodDelete, "/v1/api/keys/"+key, "", http.StatusNoContent)
	}, NodeTimeout(patience))

	It("let a client manage the subscriptions of its account", func(ctx SpecContext) {
		const subscriptions = "/v1/api/event-subscriptions"
		made := ask(ctx, http.MethodPost, subscriptions, fmt.Sprintf(`{"url": %q, "events": ["*"]}`, whole.ReceiverURL()+"/events"), http.StatusCreated)
		one := subscriptions + "/" + made.text("uid")
		// What is left would count the events of other specs.
		DeferCleanup(func(ctx SpecContext) { try(ctx, http.MethodDelete, one, "") })
		again(ctx, http.MethodPatch, one, `{"events": ["blog.published"]}`)
		// The second rotation ends the first secret.
		for range 2 {
			again(ctx, http.MethodPost, one+"/rotate-secret", "")
		}
		again(ctx, http.MethodPost, one+"/test", "")
		var delivery string
		Eventually(ctx, func(g Gomega) {
			list, _ := ask(ctx, http.MethodGet, one+"/deliveries", "", http.StatusOK)["data"].([]any)
			g.Expect(list).NotTo(BeEmpty())
			delivery = answer(list[0].(map[string]any)).text("uid")
		}).Should(Succeed())
		ask(ctx, http.MethodGet, one+"/deliveries/"+delivery, "", http.StatusOK)
		again(ctx, http.MethodPost, one+"/deliveries/"+delivery+"/redeliver", "")
		ask(ctx, http.MethodDelete, one, "", http.StatusNoContent)
	}, NodeTimeout(patience))

	It("let a person give an app access and take it back, and end what is over", func(ctx SpecContext) {
		const callback = "https://tool.example/callback"
		app := ask(ctx, http.MethodPost, "/v1/api/oauth/clients", `{"name": "Tool", "redirect_uris": ["`+callback+`"]}`, http.StatusCreated)
		id, secret := app.text("client_id"), app.text("client_secret")
		query := url.Values{"response_type": {"code"}, "client_id": {id}, "redirect_uri": {callback}, "state": {"s"}, "scope": {"read write"}}
		page := whole.APIURL() + "/oauth/consent?" + query.Encode()
		code := testkit.Consent(GinkgoTB(), page, whole.APIKey, "read", "write").Query().Get("code")
		form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {id}, "client_secret": {secret}, "redirect_uri": {callback}}
		token := answerOf(submit(ctx, "/v1/public/oauth/token", form)).text("access_token")
		withToken := func(q *http.Request) { q.Header.Set("x-api-key", token) }
		ask(ctx, http.MethodPost, "/v1/api/event-subscriptions", fmt.Sprintf(`{"url": %q, "events": ["*"]}`, whole.ReceiverURL()+"/events"),
			http.StatusCreated, withToken)
		revoked := submit(ctx, "/v1/public/oauth/revoke", url.Values{"token": {token}, "client_id": {id}, "client_secret": {secret}})
		defer revoked.Body.Close()
		Expect(revoked).To(HaveHTTPStatus(http.StatusOK))
		ask(ctx, http.MethodPost, "/v1/api/oauth/clients/"+id+"/rotate-secret", "", http.StatusOK)
		ask(ctx, http.MethodDelete, "/v1/api/oauth/clients/"+id, "", http.StatusNoContent)
		Eventually(ctx, func(g Gomega) {
			var grants v1alpha1.OAuthGrantList
			g.Expect(api.List(ctx, &grants)).To(Succeed())
			g.Expect(grants.Items).To(BeEmpty(), "the controller deletes what is over")
			var subscriptions v1alpha1.EventSubscriptionList
			g.Expect(api.List(ctx, &subscriptions, client.HasLabels{v1alpha1.GrantLabel})).To(Succeed())
			g.Expect(subscriptions.Items).To(BeEmpty(), "the subscriptions of an app end with its access")
		}).Should(Succeed())
	}, NodeTimeout(patience))

	It("let one of several controllers hold the lease", func(ctx SpecContext) {
		restart := func(args []string) {
			GinkgoHelper()
			Expect(whole.Controller.Stop()).To(Succeed())
			whole.ControllerArgs = args
			Expect(whole.StartController(context.WithoutCancel(ctx))).To(Succeed())
		}
		without := whole.ControllerArgs
		DeferCleanup(func() { restart(without) })
		restart(append(slices.Clone(without), "--leader-elect"))
		Eventually(ctx, func() (string, error) {
			return whole.Cluster.Kubectl(ctx, nil, "get", "lease", "controller.pressroom.dev", "-n", system.Namespace, "-o", "jsonpath={.spec.holderIdentity}")
		}).ShouldNot(BeEmpty())
	}, NodeTimeout(patience))

	It("let the controller keep what was published of an article whose author deletes it", func(ctx SpecContext) {
		site := &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: "kept"}, Spec: v1alpha1.SiteSpec{
			Domain: "kept.acme.example", Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic}, CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone},
		}}
		Expect(api.Create(ctx, site)).To(Succeed())
		article := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: "kept"}, Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: site.Name}, Generate: &v1alpha1.GenerateRequest{Keyword: "kept shoes"}, Stage: v1alpha1.StagePublished,
		}}
		Expect(api.Create(ctx, article)).To(Succeed())
		await(ctx, article.Name, v1alpha1.PhasePublished)
		Expect(api.Delete(ctx, article)).To(Succeed())
	}, NodeTimeout(patience))
})

// written waits until an article has its n-th revision.
func written(ctx context.Context, uid string, n int) {
	GinkgoHelper()
	Eventually(ctx, func(g Gomega) {
		var article v1alpha1.Article
		g.Expect(api.Get(ctx, client.ObjectKey{Namespace: system.Workspace, Name: uid}, &article)).To(Succeed())
		g.Expect(article.Status.Revision).NotTo(BeNil())
		g.Expect(article.Status.Revision.Name).To(HaveSuffix(fmt.Sprintf("-%d", n)))
	}).Should(Succeed())
}

// answer is the body of an answer.
type answer map[string]any

// text is a text at a path.
func (a answer) text(path ...string) string {
	GinkgoHelper()
	object := map[string]any(a)
	for _, field := range path[:len(path)-1] {
		object, _ = object[field].(map[string]any)
	}
	text, ok := object[path[len(path)-1]].(string)
	Expect(ok).To(BeTrue(), "%v in %v", path, a)
	return text
}

func withKey(key string) func(*http.Request) {
	return func(q *http.Request) { q.Header.Set("Idempotency-Key", key) }
}

// newRequest is a request of the client to the REST API.
func newRequest(ctx context.Context, method, path, body string) *http.Request {
	GinkgoHelper()
	request, err := http.NewRequestWithContext(ctx, method, whole.APIURL()+path, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("x-api-key", whole.APIKey)
	request.Header.Set("x-workspace-id", system.Workspace)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	return request
}

// try sends a request, and returns the status of the answer.
func try(ctx context.Context, method, path, body string) int {
	GinkgoHelper()
	response, err := http.DefaultClient.Do(newRequest(ctx, method, path, body))
	Expect(err).NotTo(HaveOccurred())
	response.Body.Close()
	return response.StatusCode
}

// again sends a request until it succeeds: the controller may write a status at the same time, which is a conflict.
func again(ctx context.Context, method, path, body string) {
	GinkgoHelper()
	Eventually(ctx, func() int { return try(ctx, method, path, body) }).Should(BeNumerically("<", http.StatusMultipleChoices))
}

// ask sends a request and returns the answer, which must have a status.
func ask(ctx context.Context, method, path, body string, wantStatus int, change ...func(*http.Request)) answer {
	GinkgoHelper()
	request := newRequest(ctx, method, path, body)
	for _, f := range change {
		f(request)
	}
	response, err := http.DefaultClient.Do(request)
	Expect(err).NotTo(HaveOccurred())
	Expect(response).To(HaveHTTPStatus(wantStatus))
	return answerOf(response)
}

func submit(ctx context.Context, path string, form url.Values) *http.Response {
	GinkgoHelper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, whole.APIURL()+path, strings.NewReader(form.Encode()))
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	Expect(err).NotTo(HaveOccurred())
	return response
}

// answerOf reads the body of an answer, which is empty or JSON.
func answerOf(response *http.Response) answer {
	GinkgoHelper()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	var a answer
	if len(text) > 0 {
		Expect(json.Unmarshal(text, &a)).To(Succeed(), "%s", text)
	}
	return a
}
