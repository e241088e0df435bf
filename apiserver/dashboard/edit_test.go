package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("The editor of a text that others know of", func() {
	It("shows what a text was asked for with, and asks for another one if that changes", func() {
		t := facades.NewTenant("Acme")
		got := t.Ask(http.MethodPost, "/v1/api/generate", map[string]any{
			"site_uid": t.SiteUID, "keyword": "trail shoes", "tone": "dry", "secondary_keywords": []string{"wet rock", "wide feet"},
		})
		uid := got.Text("blog_uid")
		t.Reconcile(uid)
		p := t.SignIn()
		var page *dashboardtest.Page
		Eventually(func() string {
			page = p.Get(t.In("articles", uid, "edit"))
			return page.Find("#tone").AttrOr("value", "")
		}).Should(Equal("dry"))
		Expect(page.Find("#secondary").Text()).To(Equal("wet rock\nwide feet"))
		Expect(p.Submit(page, editorForm, nil).Text(".notice")).To(Equal("Nothing was changed."))
		page = p.Submit(page, editorForm, url.Values{"tone": {""}, "secondary": {"wet rock\r\n\r\nroots"}})
		Expect(page.Text(".notice")).To(Equal("Saved. Another text is being generated."))
		Eventually(func() string { return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Raw }).
			Should(And(ContainSubstring(`"secondary_keywords":["wet rock","roots"]`), ContainSubstring(`"tone":""`)))
	})

	It("names at the field who keeps it in Git, and keeps what was typed", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		applied := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": v1alpha1.GroupVersion.String(), "kind": "Article", "metadata": map[string]any{"namespace": t.Workspace, "name": uid},
			"spec": map[string]any{"content": map[string]any{"title": "Huts"}, "siteRef": map[string]any{"name": t.Site}},
		}}
		Expect(facades.API.Apply(GinkgoT().Context(), client.ApplyConfigurationFromUnstructured(applied), client.FieldOwner("argocd"),
			client.ForceOwnership)).To(Succeed())
		p := t.SignIn()
		page := p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"title": {"Cabins"}, "slug": {"cabins"}})
		Expect(page.Status).To(Equal(http.StatusConflict))
		Expect(page.Text("#title + .problem")).To(Equal(`"argocd" applies this from a manifest: change it there.`))
		Expect(page.Find("#slug + .problem").Length()).To(BeZero())
		Expect(page.Find("#title").AttrOr("value", "")).To(Equal("Cabins"))
	})
})
