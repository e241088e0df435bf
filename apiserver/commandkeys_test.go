package apiserver_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A command with an Idempotency-Key", func() {
	It("regenerates an article once, whatever has become of it", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		path := "/v1/api/blogs/" + uid
		first := shared.ask(t, "POST", path+"/regenerate", nil, "Idempotency-Key", "k")
		Expect(first).To(havingStatus(200, "generating"), first.Raw)
		nonce := t.article(uid).Annotations[v1alpha1.RegenerateAnnotation]

		again := shared.ask(t, "POST", path+"/regenerate", nil, "Idempotency-Key", "k")
		Expect(again).To(havingStatus(200, "generating"), again.Raw)
		Expect(again.Header.Get("Idempotent-Replayed")).To(Equal("true"))
		Expect(shared.ask(t, "POST", path+"/archive", nil).Status).To(Equal(200))
		Expect(shared.ask(t, "POST", path+"/regenerate", nil, "Idempotency-Key", "k")).To(havingStatus(200, "archived"))
		Expect(t.article(uid).Annotations).To(HaveKeyWithValue(v1alpha1.RegenerateAnnotation, nonce))

		for _, other := range []string{path + "/redeliver", "/v1/api/blogs/" + t.inReview(shared) + "/regenerate"} {
			got := shared.ask(t, "POST", other, nil, "Idempotency-Key", "k")
			Expect(got).To(failing(409, "CONFLICT"), other)
			Expect(got.Raw).To(ContainSubstring("idempotency_key_reused"), other)
		}
	})

	It("that was refused may be tried again", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes")).Text("blog_uid")
		path := "/v1/api/blogs/" + uid + "/regenerate"
		Expect(shared.ask(t, "POST", path, nil, "Idempotency-Key", "k")).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", path, map[string]any{"x": 1}, "Idempotency-Key", "k")).To(failing(400, "VALIDATION_ERROR"))
		got := shared.ask(t, "POST", path, nil, "Idempotency-Key", "k")
		Expect(got).To(failing(409, "CONFLICT"))
		Expect(got.Raw).To(ContainSubstring("in_progress"), "the record of a refused request is gone")
	})

	It("does something with many articles once", func() {
		t := newTenant(shared)
		a, b := t.inReview(shared), t.inReview(shared)
		body := map[string]any{"operation": "regenerate", "items": []any{item(a), item("0198f0a1-0000-7000-8000-000000000009")}}
		first := shared.ask(t, "POST", "/v1/api/blogs/bulk", body, "Idempotency-Key", "k")
		Expect(first.Status).To(Equal(200), first.Raw)
		Expect(first.Body).To(And(HaveKeyWithValue("done", float64(1)), HaveKeyWithValue("failed", float64(1))))
		nonce := t.article(a).Annotations[v1alpha1.RegenerateAnnotation]

		again := shared.ask(t, "POST", "/v1/api/blogs/bulk", body, "Idempotency-Key", "k")
		Expect(again.Raw).To(Equal(first.Raw))
		Expect(t.article(a).Annotations).To(HaveKeyWithValue(v1alpha1.RegenerateAnnotation, nonce))
		body["items"] = []any{item(b)}
		Expect(shared.ask(t, "POST", "/v1/api/blogs/bulk", body, "Idempotency-Key", "k").Raw).To(ContainSubstring("idempotency_key_reused"))
	})
})
