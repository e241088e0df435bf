//go:build e2e

package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/test/browsertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// beacon is a server that nobody may call.
type beacon struct {
	*httptest.Server

	mu    sync.Mutex
	calls []string
}

func newBeacon() *beacon {
	b := &beacon{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.calls = append(b.calls, q.URL.String())
	}))
	DeferCleanup(b.Close)
	return b
}

func (b *beacon) called() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls
}

// watched is a script that runs before all others, and notes what must not happen.
const watched = `
window.happened = [];
for (const name of ["ran", "alert", "confirm", "prompt", "print"]) window[name] = (...args) => { window.happened.push(name + "(" + args + ")") };
document.addEventListener("securitypolicyviolation", e => window.happened.push(e.violatedDirective + " " + e.blockedURI + " " + e.sample));
`

// watchedWindow is a window whose pages note what must not happen.
func watchedWindow(t *dashboardtest.Tenant) *window {
	GinkgoHelper()
	w := &window{Window: browsertest.Open()}
	w.Visit(facades.URLs[0]+t.In("sites"), "#key")
	w.SignIn(t.NewKey("Mara", v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove, v1alpha1.ScopeManage), "tbody")
	w.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(watched).Do(ctx)
		return err
	}))
	return w
}

// foreign finds what no page of the facade has. CodeMirror has styles with the nonce of the page, and places its parts by their own styles.
const foreign = `[...document.querySelectorAll("*")].filter(e =>
  [...e.attributes].some(a => /^on/i.test(a.name) || a.name === "style" && !e.closest(".cm-editor") || /^\s*(javascript|data:text)/i.test(a.value) && ["href", "src", "action", "formaction"].includes(a.name)) ||
  e.matches("script:not([src^='/app/static/']), style:not([nonce]), object, embed, base, meta[http-equiv], link:not([href^='/app/static/'], [href='data:,']), svg [href], math, video, audio, marquee, img[src^='http']") ||
  e.matches("iframe:not([sandbox='allow-same-origin'])")).map(e => e.outerHTML.slice(0, 200))`

// short cuts a text to the length of the message of an attempt.
func short(text string) string { return text[:min(len(text), 128)] }

// hostileSite makes a site with a vector in every field that others fill.
func hostileSite(t *dashboardtest.Tenant, name, vector string) string {
	GinkgoHelper()
	ctx := GinkgoT().Context()
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{
		Domain: "blog.example.com", DisplayName: vector, BrandVoice: v1alpha1.BrandVoice{
			Tone: vector, Audience: vector, Guide: vector, AvoidWords: []string{bounds.Cut(vector, 100)}, Examples: []string{vector},
		},
		CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
			URL: "https://hooks.example.com/x", SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
		}},
	}}
	site.Namespace, site.Name = t.Workspace, name
	Expect(facades.API.Create(ctx, site)).To(Succeed())
	site.Status = v1alpha1.SiteStatus{
		Observed: v1alpha1.Observed{ObservedGeneration: site.Generation, Conditions: []metav1.Condition{{
			Type: v1alpha1.ConditionConnected, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonReceiverRejected, Message: vector,
			ObservedGeneration: site.Generation, LastTransitionTime: metav1.Now(),
		}}},
		ConnectionTest: &v1alpha1.ConnectionTest{
			ConnectionHash: strings.Repeat("0", 64), ID: "0198f0a1-0000-7000-8000-000000000001", StartTime: v1alpha1.NewMicroTime(time.Now()),
			Snippet: vector, AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptRejected, HTTPStatus: 500, Message: short(vector)},
		},
	}
	Expect(facades.API.Status().Update(ctx, site)).To(Succeed())
	return identity.UID(identity.KindSite, t.Workspace, name)
}

// hostileArticle makes an article with a vector in its text and in the answer of its receiver.
func hostileArticle(t *dashboardtest.Tenant, site, name, vector string) string {
	GinkgoHelper()
	ctx := GinkgoT().Context()
	a := &v1alpha1.Article{Spec: v1alpha1.ArticleSpec{
		SiteRef: v1alpha1.LocalReference{Name: site}, Stage: v1alpha1.StagePublished, Generate: &v1alpha1.GenerateRequest{Keyword: vector},
		Content: &v1alpha1.ArticleContent{
			Title: vector, Markdown: vector + "\n\n## " + vector + "\n\n" + vector, MetaTitle: vector, MetaDescription: vector,
			FAQ: []v1alpha1.FAQ{{Question: vector, Answer: vector}},
		},
	}}
	// They stand in the calendar of the day.
	a.Spec.PublishAfter = &v1alpha1.Time{Time: time.Now()}
	a.Namespace, a.Name = t.Workspace, name
	Expect(facades.API.Create(ctx, a)).To(Succeed())
	now, id := v1alpha1.NewMicroTime(time.Now()), "0198f0a1-0000-7000-8000-000000000002"
	a.Status.Publication = &v1alpha1.Publication{
		Post: v1alpha1.SitePost{State: v1alpha1.PostUncertain}, DeliveryRecord: v1alpha1.DeliveryRecord{
			Cycle: &v1alpha1.DeliveryCycle{
				Number: 1, State: v1alpha1.CycleFailed, Reason: v1alpha1.ReasonExhausted, Purpose: v1alpha1.PurposePut,
				Revision: &v1alpha1.PublicationRevision{Name: "gone", Number: 1, Digest: "sha256:" + strings.Repeat("0", 64)},
			},
			Attempts: []v1alpha1.DeliveryAttempt{{ID: id, Cycle: 1, Number: 4, StartTime: now, AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptRejected, HTTPStatus: 500, Message: short(vector),
			}}},
			LastAnswer: &v1alpha1.ReceiverAnswer{AttemptID: id, HTTPStatus: 500, Snippet: vector},
		},
	}
	a.Status.Transitions = []v1alpha1.ArticleTransition{{
		Type: v1alpha1.EventRejected, RevisionNumber: 1, Time: now, By: bounds.Cut(vector, 120), Message: bounds.Cut(vector, 200),
	}}
	a.Status.Conditions = []metav1.Condition{{
		Type: v1alpha1.ConditionPublished, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonExhausted, Message: vector, LastTransitionTime: metav1.Now(),
	}}
	Expect(facades.API.Status().Update(ctx, a)).To(Succeed())
	return identity.UID(identity.KindArticle, t.Workspace, name)
}

// pagesOfAll are the pages of a workspace that show what others fill in.
func pagesOfAll(t *dashboardtest.Tenant, subscription string) []string {
	return []string{
		t.In("articles") + "?status=all", t.In("calendar"), t.In("sites"), t.In("deliveries"), t.In("events", "new"), t.In("events", subscription),
		"/app/account/usage", "/app/account/apps", "/app/account/keys",
	}
}

// pagesOfEach are the pages of one article and its site.
func pagesOfEach(t *dashboardtest.Tenant, article, site, vector string) []string {
	return []string{
		t.In("articles", article), t.In("articles", article, "edit"), t.In("articles", article, "deliveries"),
		t.In("articles", article, "confirm") + "?do=delete", t.In("sites", site), t.In("sites", site, "edit"),
		t.In("articles") + "?status=all&q=" + url.QueryEscape(vector),
	}
}

// hostileRevisions makes an article of all vectors that was rewritten, and returns its uid.
func hostileRevisions(t *dashboardtest.Tenant, all []string) string {
	GinkgoHelper()
	text := strings.Join(all, "\n\n")
	uid := t.Written("Before "+all[0], text)
	got := t.Ask(http.MethodPatch, "/v1/api/blogs/"+uid, map[string]any{
		"title": "After " + all[0], "content_markdown": strings.ReplaceAll(text, "ran(", "ran( ") + "\n\n" + text,
		"faq": []map[string]any{{"question": all[0], "answer": all[len(all)-1]}},
	})
	Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
	t.Reconcile(uid)
	return uid
}

// harmless opens a page, on which everything is there and nothing else.
func (w *window) harmless(path string) {
	GinkgoHelper()
	w.goTo(path, "main#main h1")
	w.hasOnlyText(path)
}

// hasOnlyText sees that nothing on the page of a path is more than text, and that it is the page that was asked for.
func (w *window) hasOnlyText(path string) {
	GinkgoHelper()
	Expect(w.Text("h1")).NotTo(BeElementOf("Not found", "Something went wrong", "This did not come from our page"), path)
	var happened, found []string
	w.Evaluate("happened", &happened)
	w.Evaluate(foreign, &found)
	Expect(withVectors(append(happened, found...))).To(BeEmpty(), path)
}

var _ = Describe("What others can fill in", func() {
	It("is text on every page: nothing runs, opens, or sends a request", func() {
		Expect(len(vectors)).To(BeNumerically(">=", 60))
		t, b := facades.NewTenant("Acme Outdoors"), newBeacon()
		subscription := t.Subscribed("https://hooks.example.com/pressroom")
		all := vectorsFor(b.URL)
		rewritten := hostileRevisions(t, all)
		paths := []string{t.In("articles", rewritten), t.In("articles", rewritten, "edit"), t.In("articles", rewritten, "changes") + "?from=1&to=2"}
		article, site := "", ""
		for i, group := range grouped(all) {
			name := fmt.Sprintf("hostile-%02d", i)
			site = hostileSite(t, name, group)
			article = hostileArticle(t, name, name, group)
			paths = append(paths, pagesOfEach(t, article, site, group)...)
			t.EventSent(subscription, group)
			t.Granted(bounds.Cut(group, 180), bounds.Cut(group, 90))
			t.NewKey(bounds.Cut(group, 90), v1alpha1.ScopeRead)
		}
		w := watchedWindow(t)
		w.until(t.In("sites"), "#site-"+site)
		w.until(t.In("articles", article), "#article-state")
		for _, path := range pagesOfAll(t, subscription) {
			w.harmless(path)
			var shows bool
			w.Evaluate(`document.querySelector("main").textContent.includes("ran(")`, &shows)
			Expect(shows).To(BeTrue(), path)
		}
		for _, path := range paths {
			w.harmless(path)
		}
		Expect(withVectors(b.called())).To(BeEmpty())
	})

	It("would be seen if it did: the policy refuses it, and says so", func() {
		t, b := facades.NewTenant("Acme Outdoors"), newBeacon()
		w := watchedWindow(t)
		w.goTo(t.In("sites"), "tbody")
		w.Evaluate(`document.body.insertAdjacentElement("beforeend", Object.assign(document.createElement("img"), {src: "`+b.URL+`/vector-16"})); 0`, nil)
		w.Until(`happened.some(h => h.startsWith("img-src"))`)
		w.Evaluate(`try { document.body.insertAdjacentHTML("beforeend", "<b onclick=ran()>x</b>") } catch {}; 0`, nil)
		w.Until(`happened.some(h => h.startsWith("require-trusted-types-for"))`)
		w.Evaluate(`document.body.append(document.createElement("base")); alert(); 0`, nil)
		w.Until(`happened.includes("alert()")`)
		var found []string
		w.Evaluate(foreign, &found)
		Expect(found).To(HaveLen(2), "the image and the base")
		Expect(withVectors(found)).To(ContainElement(HaveSuffix("(vector 16: "+vectors[15]+")")), "the vector is named")
		Expect(b.called()).To(BeEmpty())
	})
})
