package apiserver_test

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const recordsPath = "/v1/api/records"

// post creates the Post of an article with records that were decided on these days of November.
func (t *tenant) post(slug string, days ...int) {
	GinkgoHelper()
	p := &v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: t.Workspace, Name: slug}, Spec: v1alpha1.PostSpec{
		SiteRef: v1alpha1.LocalReference{Name: "acme"}, ArticleRef: v1alpha1.LocalReference{Name: slug}, Destination: "pull:acme", Slug: slug,
		State: v1alpha1.PostPublished, URL: "https://acme.example/" + slug,
		Revision: v1alpha1.PostRevision{Name: slug + "-1", Number: 1, Digest: "sha256:" + strings.Repeat("0", 64)},
	}}
	for i, day := range days {
		p.Spec.Records = append(p.Spec.Records, v1alpha1.PostRecord{
			Digest: fmt.Sprintf("sha256:%064d", day), RevisionNumber: int32(i + 1), Disclosure: v1alpha1.DisclosureAIAssisted,
			Decision: v1alpha1.RecordApproved, DecisionTime: v1alpha1.NewMicroTime(time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC)),
			By: "mara", Note: "Fine.", Source: v1alpha1.SourceEdited, Model: "small-2026", PromptVersion: "7",
		})
	}
	Expect(api.Create(ctx, p)).To(Succeed())
}

var _ = Describe("The records of posts", func() {
	// decided returns the days of the records of each post in pages, by slug.
	decided := func(t *tenant, query string) map[string][]string {
		GinkgoHelper()
		got := map[string][]string{}
		for cursor, more := "", true; more; {
			answer := shared.ask(t, "GET", recordsPath+"?limit=2"+query+cursor, nil)
			Expect(answer.Status).To(Equal(200), answer.Raw)
			posts := answer.Body["data"].([]any)
			Expect(len(posts)).To(BeNumerically("<=", 2))
			for _, p := range posts {
				slug := p.(map[string]any)["slug"].(string)
				Expect(got).NotTo(HaveKey(slug))
				for _, r := range p.(map[string]any)["records"].([]any) {
					got[slug] = append(got[slug], r.(map[string]any)["decided_at"].(string)[8:10])
				}
			}
			if more, _ = answer.Body["hasMore"].(bool); more {
				cursor = "&cursor=" + url.QueryEscape(answer.Text("nextCursor"))
			} else {
				Expect(answer.Body["nextCursor"]).To(BeNil())
			}
		}
		return got
	}

	It("are listed in pages, also of articles that do not exist, by the time of the decision", func() {
		t := newTenant(shared)
		t.post("boots", 1, 20)
		t.post("claimed")
		t.post("hats", 10)
		t.post("shoes", 10, 11)
		t.post("socks", 30)
		Expect(decided(t, "")).To(Equal(map[string][]string{
			"boots": {"01", "20"}, "hats": {"10"}, "shoes": {"10", "11"}, "socks": {"30"},
		}))
		Expect(decided(t, "&from=2026-11-10T09:00:00Z&to=2026-11-20T09:00:00Z")).To(Equal(map[string][]string{"hats": {"10"}, "shoes": {"10", "11"}}))
		Expect(decided(t, "&from=2026-11-20T09:00:00Z")).To(Equal(map[string][]string{"boots": {"20"}, "socks": {"30"}}))
		Expect(decided(t, "&to=2026-11-02T00:00:00Z")).To(Equal(map[string][]string{"boots": {"01"}}))
	})

	It("say who wrote a text and who approved it", func() {
		t := newTenant(shared)
		t.post("boots", 1)
		Expect(shared.ask(t, "GET", recordsPath, nil).Body["data"]).To(Equal([]any{map[string]any{
			"article_uid": identity.UID(identity.KindArticle, t.Workspace, "boots"), "site_uid": identity.UID(identity.KindSite, t.Workspace, "acme"),
			"slug": "boots", "published_url": "https://acme.example/boots", "records": []any{map[string]any{
				"digest": fmt.Sprintf("sha256:%064d", 1), "revision": float64(1), "disclosure": "ai_assisted", "decision": "approved",
				"decided_by": "mara", "decided_at": "2026-11-01T09:00:00.000Z", "note": "Fine.", "source": "edited", "model": "small-2026",
				"prompt_version": "7", "unsupported_claims": nil, "brief_digest": "", "approvals": []any{},
			}},
		}}))
	})

	It("refuse filters that are malformed", func() {
		t := newTenant(shared)
		for query, field := range map[string]string{
			"from=yesterday": "from", "from=": "from", "to=2026-11-31T00:00:00Z": "to", "limit=0": "limit", "limit=101": "limit",
			"cursor=junk": "cursor", "from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z": "to", "site=acme": "site",
		} {
			got := shared.ask(t, "GET", recordsPath+"?"+query, nil)
			Expect(got).To(failing(400, "VALIDATION_ERROR"), query)
			Expect(got.Fields()).To(Equal([]string{field}), query)
		}
	})
})
