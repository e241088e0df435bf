package apiserver_test

import (
	"maps"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// bulk applies an operation to articles, and returns the results by uid.
func (t *tenant) bulk(operation string, more map[string]any, items ...map[string]any) map[string]map[string]any {
	GinkgoHelper()
	body := map[string]any{"operation": operation, "items": items}
	maps.Copy(body, more)
	got := shared.ask(t, "POST", "/v1/api/blogs/bulk", body)
	Expect(got.Status).To(Equal(200), got.Raw)
	return results(got)
}

func results(got testkit.Answer) map[string]map[string]any {
	GinkgoHelper()
	data, ok := got.Body["data"].([]any)
	Expect(ok).To(BeTrue(), got.Raw)
	out := map[string]map[string]any{}
	for _, r := range data {
		result, ok := r.(map[string]any)
		Expect(ok).To(BeTrue(), got.Raw)
		uid, ok := result["uid"].(string)
		Expect(ok).To(BeTrue(), got.Raw)
		out[uid] = result
	}
	return out
}

func item(uid string) map[string]any { return map[string]any{"uid": uid} }

var _ = Describe("One operation on many articles", func() {
	It("approves the texts that were seen, and says of the others why not", func() {
		t := newTenant(shared)
		seen, edited, generating := t.inReview(shared), t.inReview(shared), shared.ask(t, "POST", "/v1/api/generate", t.generate("shoes")).Text("blog_uid")
		other := "sha256:" + strings.Repeat("0", 64)
		got := t.bulk("approve", nil,
			map[string]any{"uid": seen, "digest": t.article(seen).Status.Revision.Digest}, map[string]any{"uid": edited, "digest": other}, item(generating))
		Expect(got[seen]).To(And(HaveKeyWithValue("done", true), HaveKeyWithValue("status", "approved"), HaveKeyWithValue("error", BeNil())))
		for _, uid := range []string{edited, generating} {
			Expect(got[uid]).To(And(HaveKeyWithValue("done", false), HaveKeyWithValue("error", HaveKeyWithValue("code", "CONFLICT"))), uid)
			Expect(t.article(uid).Spec.Review).To(BeNil())
		}
		Expect(*t.article(seen).Spec.Review).To(Equal(v1alpha1.ArticleReview{
			Decision: v1alpha1.DecisionApproved, Digest: someText.Digest(), By: t.reviewer(),
		}))
	})

	It("does every operation that there is on one article", func() {
		t := newTenant(shared)
		a, b := t.inReview(shared), t.inReview(shared)
		at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
		for _, step := range []struct {
			operation string
			more      map[string]any
			want      string
		}{
			{"submit", nil, "review"},
			{"reject", map[string]any{"note": "no sources"}, "rejected"},
			{"approve", nil, "approved"},
			{"publish", map[string]any{"publish_at": at.Format(time.RFC3339)}, "scheduled"},
			{"cancel-publication", nil, "approved"},
			{"regenerate", nil, "generating"},
			{"archive", nil, "archived"},
		} {
			for uid, result := range t.bulk(step.operation, step.more, item(a), item(b)) {
				Expect(result).To(And(HaveKeyWithValue("done", true), HaveKeyWithValue("status", step.want)), "%s of %s", step.operation, uid)
			}
			if step.operation == "publish" {
				Expect(t.article(b).Spec.PublishAfter.UTC()).To(Equal(at))
			}
		}
		Expect(t.article(a).Spec.Review.By).To(Equal(t.reviewer()))

		failed := t.inReview(shared)
		t.bulk("approve", nil, item(failed))
		t.bulk("publish", nil, item(failed))
		t.deliver(failed, http.StatusGone)
		Expect(t.bulk("redeliver", nil, item(failed))[failed]).To(HaveKeyWithValue("done", true))
		Expect(t.article(failed).Annotations).To(HaveKey(v1alpha1.RedeliverAnnotation))

		Expect(t.bulk("delete", nil, item(a))[a]).To(And(HaveKeyWithValue("done", true), HaveKeyWithValue("status", "")))
		Eventually(func() testkit.Answer { return shared.ask(t, "GET", "/v1/api/blogs/"+a, nil) }).Should(failing(404, "NOT_FOUND"))
	})

	It("lets nobody do more than on one article", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		writer, reviewer := t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite)), t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeApprove))
		writer.awaitKnown(shared)
		reviewer.awaitKnown(shared)
		body := func(operation string) map[string]any {
			return map[string]any{"operation": operation, "items": []any{item(uid)}}
		}
		Expect(shared.ask(writer, "POST", "/v1/api/blogs/bulk", body("approve"))).To(failing(403, "INSUFFICIENT_SCOPE"))
		Expect(shared.ask(reviewer, "POST", "/v1/api/blogs/bulk", body("publish"))).To(failing(403, "INSUFFICIENT_SCOPE"))
		Expect(shared.ask(writer, "POST", "/v1/api/blogs/"+uid+"/redeliver", map[string]any{"overwrite": true})).To(failing(403, "INSUFFICIENT_SCOPE"))
		Expect(t.article(uid).Spec.Review).To(BeNil())
		Expect(shared.ask(reviewer, "POST", "/v1/api/blogs/bulk", body("approve")).Status).To(Equal(200))
		Expect(shared.ask(writer, "POST", "/v1/api/blogs/bulk", body("publish")).Status).To(Equal(200))
	})
})
