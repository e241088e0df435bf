package apiserver_test

import (
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("Briefs over REST", func() {
	const briefs = "/v1/api/briefs"

	It("are made, listed in pages, read, changed by who has read them, and deleted", func() {
		t := newTenant(shared)
		made := shared.ask(t, "POST", briefs, map[string]any{
			"name": "trail-2026", "instructions": "Short.", "facts": []string{"42 models."},
			"sources": []map[string]any{{"name": "survey", "title": "Survey", "url": "https://example.org/s", "text": "One\n\ntwo."}},
		})
		Expect(made.Status).To(Equal(201), made.Raw)
		path := briefs + "/" + made.Text("uid")
		Expect(shared.ask(t, "POST", briefs, map[string]any{"name": "trail-2026", "facts": []string{"b"}})).To(failing(409, "CONFLICT"))
		for _, name := range []string{"a", "b"} {
			Expect(shared.ask(t, "POST", briefs, map[string]any{"name": name, "facts": []string{name}}).Status).To(Equal(201))
		}
		var names []string
		for cursor, more := "", true; more; {
			got := shared.ask(t, "GET", briefs+"?limit=2"+cursor, nil)
			Expect(got.Status).To(Equal(200), got.Raw)
			for _, b := range got.Body["data"].([]any) {
				names = append(names, b.(map[string]any)["name"].(string))
			}
			more, _ = got.Body["hasMore"].(bool)
			cursor = "&cursor=" + url.QueryEscape(got.Text("nextCursor"))
		}
		Expect(names).To(Equal([]string{"a", "b", "trail-2026"}))

		read := shared.ask(t, "GET", path, nil)
		Expect(read.Text("digest")).To(Equal(made.Text("digest")))
		changed := shared.ask(t, "PATCH", path, map[string]any{"facts": nil}, "If-Match", read.Header.Get("ETag"))
		Expect(changed.Status).To(Equal(200), changed.Raw)
		Expect(changed.Text("digest")).NotTo(Equal(read.Text("digest")))
		Expect(shared.ask(t, "PATCH", path, map[string]any{"facts": []string{"c"}}, "If-Match", read.Header.Get("ETag"))).To(failing(412, "PRECONDITION_FAILED"))
		stored := &v1alpha1.Brief{}
		Expect(api.Get(ctx, client.ObjectKey{Namespace: t.Workspace, Name: "trail-2026"}, stored)).To(Succeed())
		Expect(stored.Spec).To(Equal(v1alpha1.BriefSpec{
			Instructions: "Short.", Sources: []v1alpha1.BriefSource{{Name: "survey", Title: "Survey", URL: "https://example.org/s", Text: "One\n\ntwo."}},
		}))

		generated := shared.ask(t, "POST", "/v1/api/generate", map[string]any{"site_uid": t.SiteUID, "keyword": "trail shoes", "brief_uid": made.Text("uid"), "instructions": "Huts."})
		Expect(generated.Status).To(Equal(202), generated.Raw)
		asked := t.article(generated.Text("blog_uid")).Spec.Generate
		Expect(asked.BriefRef).To(Equal(&v1alpha1.LocalReference{Name: "trail-2026"}))
		Expect(asked.Instructions).To(Equal("Huts."))

		Expect(shared.ask(t, "DELETE", path, nil).Status).To(Equal(204))
		Expect(shared.ask(t, "GET", path, nil)).To(failing(404, "NOT_FOUND"))
	})

	It("of a manifest in Git are read, and stay as they are", func() {
		t := newTenant(shared)
		u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
			"sources": []any{map[string]any{"name": "survey", "title": "Survey", "text": "x"}},
		}}}
		u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Brief"))
		u.SetNamespace(t.Workspace)
		u.SetName("in-git")
		Expect(api.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("kustomize-controller"))).To(Succeed())
		list := shared.ask(t, "GET", briefs, nil)
		uid := list.Body["data"].([]any)[0].(map[string]any)["uid"].(string)
		for _, got := range []testkit.Answer{
			shared.ask(t, "PATCH", briefs+"/"+uid, map[string]any{"sources": nil, "facts": []string{"a"}}), shared.ask(t, "DELETE", briefs+"/"+uid, nil),
		} {
			Expect(got).To(failing(409, "CONFLICT"), got.Raw)
			Expect(got.Raw).To(ContainSubstring("kustomize-controller"))
		}
		Expect(shared.ask(t, "GET", briefs+"/"+uid, nil).Text("name")).To(Equal("in-git"))
	})
})
