package dashboard_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// uidsOf are the articles of the page of a batch, in its order.
func uidsOf(page *dashboardtest.Page) []string {
	GinkgoHelper()
	var uids []string
	for _, row := range page.Find(".results li[id^=r-]").EachIter() {
		uids = append(uids, strings.TrimPrefix(row.AttrOr("id", ""), "r-"))
	}
	return uids
}

var _ = Describe("The page of what a form has generated", func() {
	It("follows a redirect, can be opened again and by others, and leads to the queue when there is something", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		form := p.Get(t.In("articles", "new"))
		answer := p.DoOnce(p.PostRequest(p.Fill(form, generateForm, url.Values{"keywords": {"trail shoes\r\nroad shoes"}})))
		Expect(answer.Status).To(Equal(http.StatusSeeOther), "a reload sends nothing")
		address := answer.Header.Get("Location")

		page := p.Get(address)
		Expect(page.Status).To(Equal(http.StatusOK))
		Expect(page.Text("h1[data-live]")).To(Equal("Generating 2 articles"))
		Expect(page.Text("#batch[data-live]")).To(Equal("0 of 2 done"))
		Expect(page.Find("#batch progress").AttrOr("max", "")).To(Equal("2"))
		Expect(page.Find("#batch a").Length()).To(BeZero(), "nothing can be reviewed yet")
		uids := uidsOf(page)
		Expect(uids).To(HaveLen(2))

		t.Reconcile(uids[0])
		Eventually(func() string { return p.Get(address).Text("#batch") }).Should(Equal("1 of 2 done Review it"))
		t.Reconcile(uids[1])
		Eventually(func() string { return p.Get(address).Text("#batch") }).Should(Equal("2 of 2 done Review them"))
		page = p.Get(address)
		Expect(page.Text("h1")).To(Equal("2 articles generated"))
		Expect(page.Text("#r-" + uids[0] + "[data-live] .badge")).To(Equal("In review"))
		queue := p.Get(page.Find("#batch a").AttrOr("href", ""))
		Expect(queue.Text(".tabs [aria-current]")).To(HavePrefix("In review 2"))
		Expect(ids(queue)).To(ConsistOf("a-"+uids[0], "a-"+uids[1]))

		colleague := t.SignInWith(t.NewKey("Rea", v1alpha1.ScopeRead))
		Expect(uidsOf(colleague.Get(address))).To(Equal(uids))
		Expect(t.Ask(http.MethodDelete, "/v1/api/blogs/"+uids[0], nil).Status).To(BeNumerically("<", 300))
		Eventually(func() string { return p.Get(address).Text("#r-" + uids[0] + " .badge") }).Should(Equal("Deleted"))
		Expect(p.Get(t.In("articles", "new", "generate")).Find(generateForm+" #keywords").Length()).To(Equal(1), "without a batch it is the form")
	})

	It("keeps the lines that were refused for the person who sent them, and generates them once they are right", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		page := p.Submit(p.Get(t.In("articles", "new")), generateForm, url.Values{
			"keywords": {"trail shoes\r\nx\r\nroad shoes"}, "tone": {"dry"}, "secondary": {"grip"}, "instructions": {"Be brief."},
		})
		for _, again := range []*dashboardtest.Page{page, p.Get(page.URL.RequestURI())} {
			Expect(again.Text(".results li:nth-child(2)")).To(And(HavePrefix("Not made x"), ContainSubstring("at least 2 characters")))
			Expect(again.Find(generateForm + " #keywords").Text()).To(Equal("x\n"))
			Expect(again.Find(generateForm+" [name=tone]").AttrOr("value", "")).To(Equal("dry"))
		}
		other := t.SignInWith(t.Key).Get(page.URL.RequestURI())
		Expect(other.Text("main")).To(And(Not(ContainSubstring("Not made")), ContainSubstring("shown to the person who sent them")))
		Expect(uidsOf(other)).To(HaveLen(2))

		made := p.Submit(page, generateForm, url.Values{"keywords": {"hiking poles"}})
		Expect(made.Text(".results")).To(Equal("Begun hiking poles"))
		a := t.Ask(http.MethodGet, "/v1/api/blogs/"+uidsOf(made)[0], nil)
		Expect(a.Raw).To(And(ContainSubstring(`"tone":"dry"`), ContainSubstring("grip"), ContainSubstring("Be brief.")))
		Expect(used(t)).To(BeEquivalentTo(3))
	})

	It("answers the form itself if an address cannot have what was refused", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		var lines []string
		for i := range 50 {
			// Too long for a keyword, and without what could be written in fewer bytes.
			line := make([]byte, 4*sha256.Size)
			rand.NewChaCha8([32]byte{byte(i)}).Read(line)
			lines = append(lines, hex.EncodeToString(line))
		}
		page := p.Submit(p.Get(t.In("articles", "new")), generateForm, url.Values{"keywords": {strings.Join(lines, "\r\n")}})
		Expect(page.Status).To(Equal(http.StatusOK))
		Expect(page.URL.RawQuery).To(BeEmpty())
		Expect(page.Find(".results li").Length()).To(Equal(50))
		Expect(strings.Count(page.Find(generateForm+" #keywords").Text(), "\n")).To(Equal(50))
		Expect(articlesOf(t)).To(BeZero())
	})
})
