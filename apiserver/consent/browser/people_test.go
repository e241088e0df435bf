package browser_test

import (
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// tabTo goes through the page in its order until something has the focus, which must be seen wherever it is.
func (w *window) tabTo(selector string) {
	GinkgoHelper()
	for range 40 {
		w.press("\t", "")
		var there, shown bool
		w.evaluate(fmt.Sprintf("document.activeElement.matches(%q)", selector), &there)
		w.evaluate(`getComputedStyle(document.activeElement).outlineStyle !== "none"`, &shown)
		Expect(shown).To(BeTrue(), "nothing shows where the focus is")
		if there {
			return
		}
	}
	Fail("the keyboard does not reach " + selector)
}

var _ = Describe("Whoever has", func() {
	It("no mouse gets all the way", func() {
		w := open()
		w.visit(tool.consentURL(byKey), "#key")
		w.tabTo("#key")
		w.press(acme.newKey("Mara's keyboard"), "")
		w.press("\r", approve)
		w.tabTo("input[value=write]")
		w.press(" ", "")
		// Enter presses a form's first button, which decides nothing.
		w.press("\r", problem)
		Expect(w.text(problem)).To(ContainSubstring("Nothing has been decided"))
		w.tabTo("input[value=approve]")
		w.press(" ", "")
		w.tabTo(approve)
		w.keep("consent-focus")
		w.press("\r", arrived)
		token := tool.token(byKey, w.code(tool, byKey))
		Expect(token.Extra("scope")).To(Equal("read"))

		Eventually(w.connected).Should(Equal(1))
		w.tabTo(remove)
		w.press(" ", ".person")
		Eventually(w.connected).Should(Equal(0))
		Eventually(func() int {
			return status(call(byKey, token.AccessToken, "acme-blog", http.MethodGet, "/v1/api/blogs", nil))
		}).
			Should(Equal(http.StatusUnauthorized))
		w.tabTo("form[action='/oauth/sign-out'] button")
		w.press("\r", "a[href='/oauth/apps']")
		w.tabTo("a[href='/oauth/apps']")
		w.press("\r", "#key")
	})

	It("no scripts gets all the way", func() {
		w := open()
		w.withoutScripts()
		w.visit(tool.url+"/script", "#arrived")
		Expect(w.text("#arrived")).To(Equal("arrived"), "scripts run")
		w.visit(tool.consentURL(byKey), "#key")
		w.signIn("pr_ak_wrong", problem)
		w.signIn(acme.newKey("Mara's text browser"), approve)
		w.tick("read", "write", "approve")
		w.click(approve, problem)
		w.tick("write")
		w.click(approve, arrived)
		token := tool.token(byKey, w.code(tool, byKey))
		Expect(token.Extra("scope")).To(Equal("write"))
		Eventually(w.connected).Should(Equal(1))
		w.click(remove, ".person")
		Eventually(w.connected).Should(Equal(0))
		w.click("form[action='/oauth/sign-out'] button", "a[href='/oauth/apps']")
	})
})
