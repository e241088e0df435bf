//go:build e2e

package browser_test

import (
	"context"
	"net/http"
	"net/url"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// What the pages have to press.
const (
	approve = "button[value=approve]"
	deny    = "button[value=deny]"
	arrived = "#arrived"
	problem = "#problem"
)

// code is the one that the app was reached with.
func (w *window) code(t *app, f *facade) string {
	GinkgoHelper()
	w.See(arrived)
	got := t.parameters(w.Address())
	Expect(got).To(Equal(url.Values{"code": {got.Get("code")}, "state": {state}, "iss": {f.url}}))
	Expect(got.Get("code")).To(HavePrefix("pr_ac_"))
	return got.Get("code")
}

var _ = Describe("The consent page", func() {
	It("lets an app in with less than it asks for, and the app gets no more", func() {
		w := open()
		w.Visit(tool.consentURL(byKey), "#key")
		Expect(w.Text("main")).To(ContainSubstring("Newsletter Studio asks for access to your account"))
		w.Look("sign-in")
		w.SignIn("pr_ak_wrong", problem)
		Expect(w.Text(problem)).To(ContainSubstring("not a valid API key"))
		Expect(w.Text("main")).To(ContainSubstring("Newsletter Studio asks for access to your account"))
		w.Look("sign-in-failed")

		w.SignIn(acme.newKey("Mara's laptop"), approve)
		for _, want := range []string{
			"Newsletter Studio", "Acme Outdoors", "Mara's laptop", "a program on your own computer (" + tool.url[len("http://"):] + ")",
			"Read your sites and articles", "Write and publish articles", "Approve and reject articles in your name", "All workspaces",
		} {
			Expect(w.Text("main")).To(ContainSubstring(want))
		}
		w.Look("consent")
		w.holdsOneSealedCookie()

		w.Tick("write", "approve", "some")
		w.Look("consent-workspaces")
		w.Tick("acme-shop")
		w.Click(approve, arrived)
		token := tool.token(byKey, w.code(tool, byKey))
		Expect(token.Extra("scope")).To(Equal("read"))
		Expect(status(call(byKey, token.AccessToken, "acme-blog", http.MethodGet, "/v1/api/blogs", nil))).To(Equal(http.StatusOK))
		Expect(status(call(byKey, token.AccessToken, "acme-shop", http.MethodGet, "/v1/api/blogs", nil))).NotTo(Equal(http.StatusOK))
		Expect(status(call(byKey, token.AccessToken, "acme-blog", http.MethodPost, "/v1/api/generate", map[string]any{
			"site_uid": "x", "keyword": "trail shoes",
		}))).To(Equal(http.StatusForbidden))
	})

	It("can be gone back to and sent again, which gives a consent of its own", func() {
		w := open()
		w.Visit(tool.consentURL(byKey), "#key")
		w.SignIn(acme.newKey("Mara's phone"), approve)
		w.Click(approve, arrived)
		first := w.code(tool, byKey)
		w.Back(approve)
		w.Click(approve, arrived)
		second := w.code(tool, byKey)
		Expect(second).NotTo(Equal(first))
		for _, code := range []string{second, first} {
			token := tool.token(byKey, code)
			Expect(status(call(byKey, token.AccessToken, "acme-shop", http.MethodGet, "/v1/api/blogs", nil))).To(Equal(http.StatusOK))
		}
	})

	It("tells the app of a refusal, after which one may still change one's mind", func() {
		w := open()
		w.Visit(tool.consentURL(byKey), "#key")
		w.SignIn(acme.newKey("Mara's desk"), deny)
		w.Click(deny, arrived)
		got := tool.parameters(w.Address())
		Expect(got.Get("error_description")).NotTo(BeEmpty())
		got.Del("error_description")
		Expect(got).To(Equal(url.Values{"error": {"access_denied"}, "state": {state}, "iss": {byKey.url}}))
		w.Back(approve)
		w.Click(approve, arrived)
		w.code(tool, byKey)
	})

	It("says what is wrong with a form, and can be gone back to without sending anything again", func() {
		w := open()
		w.Visit(tool.consentURL(byKey), "#key")
		w.SignIn("pr_ak_wrong", problem)
		w.SignIn(acme.newKey("Mara's watch"), approve)
		w.Tick("read", "write", "approve")
		w.Click(approve, problem)
		Expect(w.Text(problem)).To(ContainSubstring("Tick at least one thing"))
		w.Look("consent-problem")
		w.Tick("read")
		w.Click(approve, arrived)
		// All the way back, past the form with the problem and the failed sign-in.
		for range 2 {
			w.Back(approve)
			Expect(w.Text("body")).NotTo(ContainSubstring("Tick at least one thing"), "a problem is shown once")
		}
		// The browser remembers what was ticked when the page was left.
		w.Evaluate(`document.querySelector("input[value=write]").checked = true`, nil)
		w.Click(approve, arrived)
		Expect(tool.token(byKey, w.code(tool, byKey)).Extra("scope")).To(ContainSubstring("write"))
	})

	It("is in no frame", func() {
		w := open()
		w.Visit(tool.consentURL(byKey), "#key")
		w.SignIn(acme.newKey("Mara's frame"), approve)
		framed := func(address string) string {
			var tree *page.FrameTree
			w.Run(chromedp.Navigate(tool.url+"/frame?of="+url.QueryEscape(address)), chromedp.ActionFunc(func(ctx context.Context) (err error) {
				tree, err = page.GetFrameTree().Do(ctx)
				return err
			}))
			Expect(tree.ChildFrames).To(HaveLen(1))
			return tree.ChildFrames[0].Frame.URL
		}
		Expect(framed(tool.url+"/other")).To(Equal(tool.url+"/other"), "frames work where they are allowed")
		for _, address := range []string{tool.consentURL(byKey), byKey.url + "/oauth/apps", byKey.url + "/oauth/signed-out"} {
			Expect(framed(address)).To(HavePrefix("chrome-error:"))
		}
	})

	It("can be a popup, which tells the app's own page how it went", func() {
		w := open()
		w.Visit(byKey.url+"/oauth/apps", "#key")
		w.SignIn(acme.newKey("Mara's popup"), ".person")
		w.Visit(tool.url+"/popup?of="+url.QueryEscape(tool.consentURL(byKey)), "button")
		popup := &window{w.Opens(func() { w.Click("button", "") })}
		popup.See(approve)
		popup.Click(approve, arrived)
		popup.code(tool, byKey)
		popup.Evaluate(`window.opener.postMessage("it went well", "*")`, nil)
		w.See("#told")
		Expect(w.Text("#told")).To(Equal("it went well"))
	})

	It("sends nobody anywhere for an app that is unknown, or to an address that it has not registered", func() {
		for _, change := range []func(url.Values){
			func(q url.Values) { q.Set("client_id", "pr_ci_unknown") },
			func(q url.Values) { q.Set("redirect_uri", tool.url+"/callback") },
		} {
			address, err := url.Parse(tool.consentURL(byKey))
			Expect(err).NotTo(HaveOccurred())
			q := address.Query()
			change(q)
			address.RawQuery = q.Encode()
			w := open()
			w.Visit(address.String(), "h1")
			Expect(w.Text("h1")).To(Equal("This request cannot be answered"))
			Expect(w.Address()).To(HavePrefix(byKey.url))
			w.Look("refusal")
		}
	})
})

func status(status int, _ map[string]any) int { return status }

// holdsOneSealedCookie proves that the browser has taken the session's cookie, on a loopback address too.
func (w *window) holdsOneSealedCookie() {
	GinkgoHelper()
	var cookies []*network.Cookie
	w.Run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		cookies, err = network.GetCookies().Do(ctx)
		return err
	}))
	Expect(cookies).To(HaveLen(1))
	c := cookies[0]
	Expect([]any{c.Name, c.Secure, c.HTTPOnly, c.SameSite, c.Path}).To(Equal([]any{"__Host-pressroom-session", true, true, network.CookieSameSiteLax, "/"}))
	Expect(c.Value).NotTo(ContainSubstring("acme"))
}
