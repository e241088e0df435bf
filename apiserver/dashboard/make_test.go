package dashboard_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

const generateForm = "form[action$='/new/generate']"

// used are the credits that an account has used.
func used(t *dashboardtest.Tenant) float64 {
	GinkgoHelper()
	got := t.Ask(http.MethodGet, "/v1/api/usage", nil)
	credits, _ := got.Body["credits"].(map[string]any)
	n, _ := credits["used"].(float64)
	return n
}

// articlesOf counts the articles of a workspace.
func articlesOf(t *dashboardtest.Tenant) int {
	GinkgoHelper()
	var list v1alpha1.ArticleList
	Expect(t.API.List(GinkgoT().Context(), &list, client.InNamespace(t.Workspace))).To(Succeed())
	return len(list.Items)
}

// forgetful is a kube-apiserver that fails when a request is recorded as completed.
type forgetful struct {
	http.RoundTripper

	broken *atomic.Bool
}

func (f *forgetful) RoundTrip(q *http.Request) (*http.Response, error) {
	if f.broken.Load() && q.Method != http.MethodGet && q.Method != http.MethodPost && strings.Contains(q.URL.Path, "/idempotencyrecords/") {
		return nil, errors.New("the connection broke")
	}
	return f.RoundTripper.RoundTrip(q)
}

var _ = Describe("Making articles", func() {
	It("generates one for each keyword, and says what became of each line", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		page := p.Get(t.In("articles", "new"))
		Expect(page.Text("#keywords-hint")).To(ContainSubstring("Each line takes one credit."))
		Expect(page.Text("#site option")).To(ContainSubstring("left today"))
		page = p.Submit(page, generateForm, url.Values{"keywords": {"trail shoes\r\n\r\n x\r\nroad shoes"}})
		Expect(page.Text("h1")).To(Equal("Generating 2 articles"))
		Expect(page.Text(".results li:nth-child(1)")).To(Equal("Begun trail shoes"))
		Expect(page.Text(".results li:nth-child(2)")).To(And(HavePrefix("Not made x"), ContainSubstring("Keyword: must be at least 2 characters long.")))
		Expect(page.Text(".results li:nth-child(3)")).To(Equal("Begun road shoes"))
		Expect(page.Find(generateForm + " #keywords").Text()).To(Equal("x\n"))
		Expect(used(t)).To(BeEquivalentTo(2))
	})

	It("charges each line once, however often the form is sent", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		path, form := p.Fill(p.Get(t.In("articles", "new")), generateForm, url.Values{"keywords": {"trail shoes\nroad shoes\nracing shoes"}})
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				defer GinkgoRecover()
				Expect(p.Post(path, form).Status).To(Equal(http.StatusOK))
			})
		}
		all.Wait()
		Expect(articlesOf(t)).To(Equal(3))
		Expect(used(t)).To(BeEquivalentTo(3))
		page := p.Post(path, form)
		Expect(page.Find(".results a").Length()).To(Equal(3), "each leads to its article")
		form.Set("keywords", "other shoes")
		sentBefore := func() string { return p.Post(path, form).Text(".results") }
		Eventually(sentBefore).Should(ContainSubstring("This line was sent before with other keyword, and made its article then."))
		form.Set("keywords", "trail shoes")
		form.Set("tone", "dry")
		form.Set("length", "long")
		Eventually(sentBefore).Should(ContainSubstring("sent before with other tone, length"), "what differs is named")
		Expect(used(t)).To(BeEquivalentTo(3))
	})

	It("goes on with a line under its key if it is not known whether it made an article", func() {
		t := facades.NewTenant("Acme")
		var broken atomic.Bool
		replica := facades.StartReplica(func(o *apiserver.Options) {
			o.Config = rest.CopyConfig(o.Config)
			o.Config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &forgetful{next, &broken} })
		})
		DeferCleanup(func() { replica.Stop() })
		p := facades.VisitorAt(replica.URL)
		var page *dashboardtest.Page
		Eventually(func() int { page = p.Get(t.In("articles", "new")); return page.Find("#key").Length() }).Should(Equal(1))
		p.EnterKey(page, t.Key)
		Eventually(func() int { page = p.Get(t.In("articles", "new")); return page.Find(generateForm).Length() }).Should(Equal(1))

		broken.Store(true)
		page = p.Submit(page, generateForm, url.Values{"keywords": {"trail shoes\nx"}})
		Expect(page.Text(".results li:nth-child(1)")).To(HavePrefix("Not known trail shoesIt is not known whether this was accepted."))
		Expect(page.Text(".results li:nth-child(2)")).To(HavePrefix("Not made x"))
		Expect(articlesOf(t)).To(Equal(1), "it was")
		broken.Store(false)
		page = p.Submit(page, generateForm, nil)
		Expect(page.Text(".results li:nth-child(1)")).To(Equal("Begun trail shoes"))
		Expect(articlesOf(t)).To(Equal(1))
		Expect(used(t)).To(BeEquivalentTo(1))
	})

	It("asks for 1 to 50 keywords, and keeps what was typed", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		many := strings.Repeat("trail shoes\n", 51)
		for _, c := range [][2]string{{" \n", "at least one"}, {many, "At most 50 at once; these are 51."}} {
			keywords, want := c[0], c[1]
			page := p.Submit(p.Get(t.In("articles", "new")), generateForm, url.Values{"keywords": {keywords}, "tone": {"calm"}})
			Expect(page.Status).To(Equal(http.StatusUnprocessableEntity))
			Expect(page.Text("#keywords-problem")).To(ContainSubstring(want))
			Expect(page.Find("#tone").AttrOr("value", "")).To(Equal("calm"))
		}
		Expect(articlesOf(t)).To(BeZero())
	})

	It("stores a text of one's own once", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		path, form := p.Fill(p.Get(t.In("articles", "new")+"?kind=write"), editorForm, url.Values{"title": {"Huts"}, "markdown": {"Open."}})
		page := p.Post(path, form)
		Expect(page.Text(".notice")).To(Equal("Saved. It waits for review."))
		Expect(page.Text("h1")).To(Equal("Huts"))
		Expect(p.Post(path, form).URL.Path).To(Equal(page.URL.Path))
		Expect(articlesOf(t)).To(Equal(1))
		Expect(used(t)).To(BeZero())
	})

	It("leads on if there is no site", func() {
		t := facades.NewTenant("Acme")
		Expect(t.API.DeleteAllOf(GinkgoT().Context(), &v1alpha1.Site{}, client.InNamespace(t.Workspace))).To(Succeed())
		p := t.SignIn()
		Eventually(func() string { return p.Get(t.In("articles", "new")).Text("main") }).Should(ContainSubstring("There is no site yet"))
	})
})
