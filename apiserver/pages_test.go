package apiserver_test

import (
	"fmt"
	"net/url"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// add creates articles as fast as kube-apiserver takes them, and returns their uids.
func (t *tenant) add(n int) []string {
	GinkgoHelper()
	names := make(chan string, n)
	for range n {
		go func() {
			defer GinkgoRecover()
			name := identity.NewName()
			a := &v1alpha1.Article{Spec: v1alpha1.ArticleSpec{
				SiteRef: v1alpha1.LocalReference{Name: t.Site}, Generate: &v1alpha1.GenerateRequest{Keyword: "trail shoes"},
			}}
			a.Namespace, a.Name = t.Workspace, name
			Expect(api.Create(ctx, a)).To(Succeed())
			names <- name
		}()
	}
	var out []string
	for range n {
		var name string
		Eventually(names).Should(Receive(&name))
		out = append(out, name)
	}
	return out
}

var _ = Describe("Pages", func() {
	It("show 250 articles newest first, each once, while more are inserted", func() {
		t := newTenant(shared)
		wanted := t.add(250)
		Eventually(func(g Gomega) {
			got := shared.ask(t, "GET", "/v1/api/blogs/"+wanted[len(wanted)-1], nil)
			g.Expect(got.Status).To(Equal(200))
			g.Expect(t.count(shared)).To(Equal(250))
		}).Should(Succeed())

		var ids, uids []string
		cursor, pages := "", 0
		for {
			path := "/v1/api/blogs?limit=40"
			if cursor != "" {
				path += "&cursor=" + url.QueryEscape(cursor)
			}
			page := shared.ask(t, "GET", path, nil)
			Expect(page.Status).To(Equal(200))
			pages++
			for _, item := range page.Body["data"].([]any) {
				article := item.(map[string]any)
				ids = append(ids, article["_id"].(string))
				uids = append(uids, article["uid"].(string))
			}
			t.add(3)
			if more, _ := page.Body["hasMore"].(bool); !more {
				Expect(page.Body["nextCursor"]).To(BeNil())
				break
			}
			cursor = page.Text("nextCursor")
			Expect(cursor).To(Equal(ids[len(ids)-1]), "the cursor is the last _id")
		}
		Expect(pages).To(Equal(7))
		Expect(uids).To(ConsistOf(asAny(wanted)...))
		Expect(slices.IsSortedFunc(ids, func(a, b string) int {
			switch {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})).To(BeTrue(), fmt.Sprint(ids[:5]))
	})
})

// count is the number of the tenant's articles that a replica lists.
func (t *tenant) count(r *replica) int {
	GinkgoHelper()
	n, path := 0, "/v1/api/blogs?limit=100"
	for {
		page := r.ask(t, "GET", path, nil)
		n += len(page.Body["data"].([]any))
		if more, _ := page.Body["hasMore"].(bool); !more {
			return n
		}
		path = "/v1/api/blogs?limit=100&cursor=" + page.Text("nextCursor")
	}
}

func asAny(in []string) []any {
	out := make([]any, 0, len(in))
	for _, s := range in {
		out = append(out, s)
	}
	return out
}
