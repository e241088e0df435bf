//go:build e2e

package browser_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Anyone who has", func() {
	It("no mouse gets all the way", func() {
		w := open()
		w.Visit(tool.consentURL(byKey), "#key")
		w.TabTo("#key")
		w.Press(acme.newKey("Mara's keyboard"), "")
		w.Press("\r", approve)
		w.TabTo("input[value=write]")
		w.Press(" ", "")
		// Enter presses a form's first button, which decides nothing.
		w.Press("\r", problem)
		Expect(w.Text(problem)).To(ContainSubstring("Nothing has been decided"))
		w.TabTo("input[value=approve]")
		w.Press(" ", "")
		w.TabTo(approve)
		w.Keep("consent-focus")
		w.Press("\r", arrived)
		token := tool.token(byKey, w.code(tool, byKey))
		Expect(token.Extra("scope")).To(Equal("read"))

		Eventually(w.connected).Should(Equal(1))
		w.TabTo(remove)
		w.Press(" ", ".person")
		Eventually(w.connected).Should(Equal(0))
		Eventually(func() int {
			return status(call(byKey, token.AccessToken, "acme-blog", http.MethodGet, "/v1/api/blogs", nil))
		}).
			Should(Equal(http.StatusUnauthorized))
		w.TabTo("form[action='/oauth/sign-out'] button")
		w.Press("\r", "a[href='/app']")
		w.TabTo("a[href='/app']")
		w.Press("\r", "#key")
	})

	It("no scripts gets all the way", func() {
		w := open()
		w.WithoutScripts()
		w.Visit(tool.url+"/script", "#arrived")
		Expect(w.Text("#arrived")).To(Equal("arrived"), "scripts run")
		w.Visit(tool.consentURL(byKey), "#key")
		w.SignIn("pr_ak_wrong", problem)
		w.SignIn(acme.newKey("Mara's text browser"), approve)
		w.Tick("read", "write", "approve")
		w.Click(approve, problem)
		w.Tick("write")
		w.Click(approve, arrived)
		token := tool.token(byKey, w.code(tool, byKey))
		Expect(token.Extra("scope")).To(Equal("write"))
		Eventually(w.connected).Should(Equal(1))
		w.Click(remove, ".person")
		Eventually(w.connected).Should(Equal(0))
		w.Click("form[action='/oauth/sign-out'] button", "a[href='/app']")
	})
})
