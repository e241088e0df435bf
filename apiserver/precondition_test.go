package apiserver_test

import (
	"maps"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// changes are all operations that change an article that is in review, by path, with a body that works.
var changes = []struct {
	method, path string
	body         map[string]any
}{
	{"PATCH", "", map[string]any{"meta_title": "Mine"}},
	{"POST", "/approve", map[string]any{}},
	{"POST", "/reject", map[string]any{"note": "no sources"}},
	{"POST", "/publish", map[string]any{}},
	{"POST", "/submit", map[string]any{}},
	{"POST", "/cancel-publication", map[string]any{}},
	{"POST", "/archive", map[string]any{}},
	{"POST", "/regenerate", map[string]any{}},
	{"POST", "/redeliver", map[string]any{}},
	{"DELETE", "", nil},
}

var _ = Describe("What a client has read before it changes an article", func() {
	It("is the text with this digest: PATCH, approve, reject and publish are 409 once there is another", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		read := shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil).Text("revision_digest")
		Expect(read).NotTo(BeEmpty())

		By("another editor's edit, before it is a revision and after that")
		mine := shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"title": "Theirs", "digest": read})
		Expect(mine).To(havingStatus(200, "review"))
		for _, after := range []func(){func() {}, func() { t.reconcile(uid) }} {
			after()
			before := t.article(uid).Spec
			for _, change := range changes[:4] {
				body := map[string]any{"digest": read}
				maps.Copy(body, change.body)
				Expect(shared.ask(t, change.method, "/v1/api/blogs/"+uid+change.path, body)).To(failing(409, "CONFLICT"), change.path)
			}
			Expect(t.article(uid).Spec).To(Equal(before), "nothing is overwritten")
		}

		By("reading again")
		newest := t.article(uid).Status.Revision.Digest
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"meta_title": "Mine", "digest": newest})).To(havingStatus(200, "review"))
		t.reconcile(uid)
		newest = t.article(uid).Status.Revision.Digest
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", map[string]any{"digest": newest})).To(havingStatus(200, "approved"))
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", map[string]any{"digest": newest})).To(havingStatus(200, "approved"))
	})

	It("is no text if there is none yet", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", "/v1/api/generate", t.generate("shoes")).Text("blog_uid")
		other := "sha256:" + strings.Repeat("0", 64)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/publish", map[string]any{"digest": other})).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"title": "T", "digest": other})).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"title": "T", "digest": "junk"}).Fields()).To(Equal([]string{"digest"}))
		Expect(t.article(uid).Spec.Stage).To(Equal(v1alpha1.StageReview))
		Expect(t.article(uid).Spec.Content).To(BeNil())
	})

	It("is the article with this ETag: with If-Match, every change is 412 once there is another", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		var read string
		Eventually(func() string {
			got := shared.ask(t, "GET", "/v1/api/blogs/"+uid, nil)
			read = got.Header.Get("ETag")
			return got.Text("revision_digest")
		}).ShouldNot(BeEmpty())
		Expect(read).To(MatchRegexp(`^"[0-9]+-[0-9]+\.[A-Za-z0-9_-]+"$`), "a strong entity tag")
		edited := shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"title": "Theirs"}, "If-Match", read)
		Expect(edited).To(havingStatus(200, "review"))
		Expect(edited.Header.Get("ETag")).NotTo(Or(BeEmpty(), Equal(read)))

		before := t.article(uid)
		for _, change := range changes {
			var body any
			if change.body != nil {
				body = change.body
			}
			for _, stale := range []string{read, "W/" + edited.Header.Get("ETag"), `"a", "b"`} {
				got := shared.ask(t, change.method, "/v1/api/blogs/"+uid+change.path, body, "If-Match", stale)
				Expect(got).To(failing(412, "PRECONDITION_FAILED"), change.path)
			}
		}
		Expect(t.article(uid).ResourceVersion).To(Equal(before.ResourceVersion), "nothing is written")

		for _, current := range []string{edited.Header.Get("ETag"), `"a", ` + edited.Header.Get("ETag"), "*"} {
			got := shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{}, "If-Match", current)
			Expect(got.Status).To(Equal(200), got.Raw)
			Expect(got.Header.Get("ETag")).To(Equal(edited.Header.Get("ETag")))
		}
		Expect(shared.ask(t, "DELETE", "/v1/api/blogs/"+uid, nil, "If-Match", edited.Header.Get("ETag")).Status).To(Equal(204))
	})

	It("is still the article with this ETag while the controller alone has worked on it", func() {
		t := newTenant(shared)
		mine := shared.ask(t, "POST", "/v1/api/blogs", t.written("Shoes"))
		path := "/v1/api/blogs/" + mine.Text("uid")
		for _, title := range []string{"Trail shoes", "Better shoes"} {
			t.reconcile(mine.Text("uid"))
			Eventually(func() string { return shared.ask(t, "GET", path, nil).Text("revision_digest") }).ShouldNot(BeEmpty())
			Expect(shared.ask(t, "GET", path, nil).Header.Get("ETag")).NotTo(Equal(mine.Header.Get("ETag")), "the answer has changed")
			mine = shared.ask(t, "PATCH", path, map[string]any{"title": title}, "If-Match", mine.Header.Get("ETag"))
			Expect(mine).To(havingStatus(200, "review"), mine.Raw)
		}
	})
})

var _ = Describe("A key without the scope read", func() {
	It("reads no text by changing an article", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		Expect(shared.ask(t, "PATCH", "/v1/api/blogs/"+uid, map[string]any{"target_keyword": "trail shoes"}).Raw).To(ContainSubstring("Some *text*"))
		writer, reviewer := t.with(t.newKey(v1alpha1.ScopeWrite)), t.with(t.newKey(v1alpha1.ScopeApprove))
		Expect(shared.ask(writer, "POST", "/v1/api/blogs/"+uid+"/share", map[string]any{}).Status).To(Equal(http.StatusForbidden))
		for _, change := range []struct {
			blind        *tenant
			method, path string
			body         map[string]any
		}{
			{writer, "PATCH", "", map[string]any{}},
			{writer, "POST", "/publish", map[string]any{}},
			{reviewer, "POST", "/approve", map[string]any{}},
			{reviewer, "POST", "/reject", map[string]any{"note": "no"}},
			{writer, "POST", "/archive", map[string]any{}},
		} {
			got := shared.ask(change.blind, change.method, "/v1/api/blogs/"+uid+change.path, change.body)
			Expect(got.Status).To(Equal(200), got.Raw)
			Expect(got.Text("uid")).To(Equal(uid))
			Expect(got.Text("status")).NotTo(BeEmpty())
			for _, member := range []string{"title", "slug", "target_keyword", "content_markdown", "content_html", "meta_title", "meta_description",
				"published_url", "status_message"} {
				Expect(got.Body).To(HaveKeyWithValue(member, ""), "the keys are always there")
			}
			Expect(got.Body["faq"]).To(BeEmpty())
			Expect(got.Raw).NotTo(ContainSubstring("text*"), got.Raw)
		}
	})
})
