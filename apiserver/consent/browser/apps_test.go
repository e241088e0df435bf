//go:build e2e

package browser_test

import (
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const remove = "form[action='/oauth/apps/revoke'] button"

// connected looks again how many apps can be removed. What has just been done may take a moment to be seen there.
func (w *window) connected() (apps int) {
	GinkgoHelper()
	w.Visit(byKey.url+"/oauth/apps", ".person")
	w.Evaluate(fmt.Sprintf(`document.querySelectorAll(%q).length`, remove), &apps)
	return apps
}

var _ = Describe("The page of connected apps", func() {
	It("shows what has access and takes it back, after which the token is dead", func() {
		w := open()
		key := acme.newKey("Mara's apps")
		w.Visit(byKey.url+"/oauth/apps", "#key")
		w.Look("apps-sign-in")
		w.SignIn(key, ".person")
		Expect(w.Text("main")).To(ContainSubstring("No app has access to the account Acme Outdoors through you."))
		w.Look("apps-none")

		var tokens []string
		for range 2 {
			w.Visit(tool.consentURL(byKey), approve)
			w.Tick("approve", "some", "acme-shop")
			w.Click(approve, arrived)
			tokens = append(tokens, tool.token(byKey, w.code(tool, byKey)).AccessToken)
		}
		works := func(token string) func() int {
			return func() int { return status(call(byKey, token, "acme-blog", http.MethodGet, "/v1/api/blogs", nil)) }
		}
		Eventually(func() string { w.Visit(byKey.url+"/oauth/apps", ".person"); return w.Text("main") }).Should(And(
			MatchRegexp("(?s)Remove access.*Remove access"), ContainSubstring("Newsletter Studio"), ContainSubstring("Write and publish articles"),
			ContainSubstring("acme-blog"), Not(ContainSubstring("acme-shop")),
		))
		w.Look("apps")
		for _, left := range []int{1, 0} {
			w.Click(remove, ".person")
			Eventually(w.connected).Should(Equal(left))
		}
		for _, token := range tokens {
			Eventually(works(token)).Should(Equal(http.StatusUnauthorized))
		}
	})

	It("shows nobody anything once they have signed out, by going back neither", func() {
		w := open()
		w.Visit(byKey.url+"/oauth/apps", "#key")
		w.SignIn(acme.newKey("Mara's exit"), ".person")
		w.Click("form[action='/oauth/sign-out'] button", "a[href='/app']")
		Expect(w.Text("h1")).To(Equal("You are signed out"))
		w.Look("signed-out")
		w.Back("#key")
		Expect(w.Text("body")).NotTo(ContainSubstring("Acme Outdoors"))
	})
})
