//go:build e2e

package browser_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// asManager opens a window in which somebody with every scope has signed in.
func asManager(t *dashboardtest.Tenant, path, selector string) *window {
	GinkgoHelper()
	return signedInWith(t.NewKey("Mia", auth.Scopes()...), path, selector)
}

// send sends a form of the page with fields as they are typed, without what the browser itself asks for.
func (w *window) send(form string, fields map[string]string, then string) {
	GinkgoHelper()
	for name, value := range fields {
		w.do(form+` [name="`+name+`"]`, fmt.Sprintf("value = %q", value))
	}
	w.Evaluate(`document.querySelector("`+form+`").noValidate = true; 0`, nil)
	w.Click(form+" button.primary", then)
}

const (
	connectForm    = "main form[action$='/sites/new']"
	settingsOfSite = "main form[action$='/edit']"
	connection     = "main form[action$='/connection']"
)

var _ = Describe("The pages that connect sites", func() {
	It("ask for the type, and for what each needs", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := asManager(t, t.In("sites", "new"), ".choices")
		w.Look("connect")
		for _, form := range connectors.Forms() {
			cms := strings.ToLower(string(form.Type))
			w.goTo(t.In("sites", "new")+"?type="+cms, connectForm)
			w.Look("connect-" + cms)
			w.send(connectForm, map[string]string{"domain": "https://not.a.domain/"}, "#domain-problem")
			w.Look("connect-" + cms + "-problem")
		}
	})

	It("show a secret once, and change and delete the site", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := asManager(t, t.In("sites", "new")+"?type=headless", connectForm)
		w.send(connectForm, map[string]string{"domain": "shop.example.com", "connection.url": "https://shop.example.com/hook"}, "#secret")
		w.Look("connected-secret")
		w.Click("main a.primary", "#connection")
		w.Look("connected")
		w.Click(".head a.button", settingsOfSite)
		w.Look("site-edit")
		edit := w.Address()
		w.send(settingsOfSite, map[string]string{"domain": "not a domain", "minimum_score": "101"}, "main .problem")
		w.Look("site-edit-problem")
		w.send(connection, map[string]string{"connection.url": "ftp://shop.example.com"}, "[id='connection.url-problem']")
		w.Look("site-connection-problem")
		for _, form := range connectors.Forms() {
			cms := strings.ToLower(string(form.Type))
			w.Visit(edit+"?type="+cms, connection)
			w.Look("site-edit-" + cms)
		}
		w.Visit(edit, connection)
		w.send(connection, map[string]string{"connection.url": "https://elsewhere.example.com/hook"}, "#secret")
		w.Look("site-edit-secret")
		w.Visit(edit, "details.delete")
		w.Click("details.delete summary", "")
		w.Look("site-delete")
		w.Click("form[action$='/delete'] button", ".notice")
		w.Look("site-deleted")
	})
})

var _ = Describe("The pages of API keys", func() {
	It("make a key that is shown once, list it and revoke it", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.NewSite(t.Workspace+"-2", "main")
		w := asManager(t, "/app/account/keys", "tbody tr")
		w.Look("keys")
		w.Click(".head a.primary", "#name")
		w.Look("key-form")
		w.send("main form", map[string]string{"name": ""}, "#name-problem")
		w.Look("key-form-problem")
		w.send("main form", map[string]string{"name": "newsletter", "days": "30"}, "#secret")
		w.Look("key-secret")
		w.Click("main a.primary", "tbody tr")
		w.until("/app/account/keys", "tbody tr:nth-child(3)")
		w.Click("tbody tr:first-child details summary", "")
		w.Look("key-revoke")
		w.Click("tbody tr:first-child details button", "main [autofocus]")
		w.Look("key-revoked")
	})
})

var _ = Describe("The pages that refuse", func() {
	It("say what is wrong, and lead on", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := signedIn(t, t.In("sites", "new"), "h1")
		Expect(w.Text("h1")).To(Equal("You may not do this"))
		w.Look("refused-scope")
		w.goTo(t.In("articles", uid, "changes"), "h1")
		w.Look("nothing-to-compare")
		w.goTo("/app/nothing-here", "h1")
		w.Look("no-page")

		w.goTo(t.In("articles", uid), approveForm)
		// Live updates would take the form away.
		w.hide(true)
		decide(t, uid, "archive", nil)
		w.Click(approveForm+" .primary", "main h1")
		w.Look("refused-now")
		w.goTo(t.In("articles", uid, "edit"), "h1")
		Expect(w.Text("h1")).To(Equal("This text cannot be edited now"))
		w.Look("edit-not-now")

		w.goTo(t.In("articles")+"?status=all", "#a-"+uid)
		w.Evaluate(`document.querySelectorAll("[name=ticket]").forEach(e => { e.value = "made up" }); 0`, nil)
		w.doWithMany("delete", "h1")
		Expect(w.Text("h1")).To(Equal("This did not come from our page"))
		w.Look("not-from-here")
	})
})
