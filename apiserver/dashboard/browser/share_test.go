//go:build e2e

package browser_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Sharing a draft", func() {
	It("makes a link that can be copied", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.InReview("trail shoes"), "share"), "#days")
		w.Look("share")
		w.Choose("#days", "14")
		w.Click("form[action$='/share'] .primary", "#link")
		w.See("[data-copy]")
		w.Look("share-link")
		var link string
		w.Evaluate(`document.querySelector("#link").value`, &link)
		Expect(link).To(ContainSubstring("/share/"))
	})
})
