package browser_test

import (
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const remove = "form[action='/oauth/apps/revoke'] button"

// connected looks anew how many apps can be removed. What has just been done may take a moment to be seen there.
func (w *window) connected() (apps int) {
	GinkgoHelper()
	w.visit(byKey.url+"/oauth/apps", ".person")
	w.evaluate(fmt.Sprintf(`document.querySelectorAll(%q).length`, remove), &apps)
	return apps
}

var _ = Describe("The page of connected apps", func() {
	It("shows what has access and takes it back, after which the token is dead", func() {
		w := open()
		key := acme.newKey("Mara's apps")
		w.visit(byKey.url+"/oauth/apps", "#key")
		w.look("apps-sign-in")
		w.signIn(key, ".person")
		Expect(w.text("main")).To(ContainSubstring("No app has access to the account Acme Outdoors through you."))
		w.look("apps-none")

		var tokens []string
		for range 2 {
			w.visit(tool.consentURL(byKey), approve)
			w.tick("approve", "some", "acme-shop")
			w.click(approve, arrived)
			tokens = append(tokens, tool.token(byKey, w.code(tool, byKey)).AccessToken)
		}
		works := func(token string) func() int {
			return func() int { return status(call(byKey, token, "acme-blog", http.MethodGet, "/v1/api/blogs", nil)) }
		}
		Eventually(func() string { w.visit(byKey.url+"/oauth/apps", ".person"); return w.text("main") }).Should(And(
			MatchRegexp("(?s)Remove access.*Remove access"), ContainSubstring("Newsletter Studio"), ContainSubstring("Write and publish articles"),
			ContainSubstring("acme-blog"), Not(ContainSubstring("acme-shop")),
		))
		w.look("apps")
		for _, left := range []int{1, 0} {
			w.click(remove, ".person")
			Eventually(w.connected).Should(Equal(left))
		}
		for _, token := range tokens {
			Eventually(works(token)).Should(Equal(http.StatusUnauthorized))
		}
	})

	It("shows nobody anything once they have signed out, by going back neither", func() {
		w := open()
		w.visit(byKey.url+"/oauth/apps", "#key")
		w.signIn(acme.newKey("Mara's exit"), ".person")
		w.click("form[action='/oauth/sign-out'] button", "a[href='/oauth/apps']")
		Expect(w.text("h1")).To(Equal("You are signed out"))
		w.look("signed-out")
		w.back("#key")
		Expect(w.text("body")).NotTo(ContainSubstring("Acme Outdoors"))
	})
})
