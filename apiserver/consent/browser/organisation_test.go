//go:build e2e

package browser_test

import (
	"net/http"

	"github.com/oauth2-proxy/mockoidc"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const organisationButton = "form[action='/oauth/oidc'] button"

var _ = Describe("Signing in with one's organisation, behind TLS", func() {
	It("asks which account a member of several acts for, and lets the app into that one", func() {
		beta := newAccount("beta", "Beta Books")
		organisation.QueueUser(&mockoidc.MockUser{Subject: "1", Email: mara, EmailVerified: true})
		w := open()
		w.Visit(tool.consentURL(behindTLS), organisationButton)
		w.Look("sign-in-organisation")
		w.Click(organisationButton, ".accounts")
		Expect(w.Text(".accounts")).To(And(ContainSubstring("Acme Outdoors"), ContainSubstring("Beta Books")))
		w.Look("accounts")
		w.Click("li:nth-child(2) button", approve)
		Expect(w.Text("main")).To(And(ContainSubstring("Beta Books"), Not(ContainSubstring("Acme")), ContainSubstring(mara)))
		Expect(w.Text("form")).To(ContainSubstring("It also asks for this, which you cannot give"))
		w.Look("consent-less")
		w.Click(approve, arrived)
		token := tool.token(behindTLS, w.code(tool, behindTLS))
		Expect(token.Extra("scope")).To(Equal("read write"))
		Expect(status(call(behindTLS, token.AccessToken, beta.workspace, http.MethodGet, "/v1/api/blogs", nil))).To(Equal(http.StatusOK))
		Expect(status(call(behindTLS, token.AccessToken, acme.workspace, http.MethodGet, "/v1/api/blogs", nil))).NotTo(Equal(http.StatusOK))
	})

	It("says why somebody is not let in, and how they can be", func() {
		organisation.QueueUser(&mockoidc.MockUser{Subject: "2", Email: "nobody@acme.example", EmailVerified: true})
		w := open()
		w.Visit(tool.consentURL(behindTLS), organisationButton)
		w.Click(organisationButton, problem)
		Expect(w.Text(problem)).To(ContainSubstring("nobody@acme.example, which is not a member of any account"))
		w.Look("sign-in-refused")
		w.SignIn(acme.newKey("Nobody's key"), approve)
		w.Click(deny, arrived)
	})
})
