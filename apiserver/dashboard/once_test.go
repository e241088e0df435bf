package dashboard_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("A form that charges", func() {
	It("generates once for a form, however often it is sent", func() {
		t := facades.NewTenant("Acme")
		one, other := t.InReview("one"), t.InReview("two")
		p := t.SignIn()
		asked := func(uid string) string { return t.Reconcile(uid).Annotations[v1alpha1.RegenerateAnnotation] }
		many := choose(p, p.Get(t.In("articles")), "regenerate", one)
		single := p.Get(t.In("articles", other, "confirm") + "?do=regenerate")
		for uid, send := range map[string]func() *dashboardtest.Page{
			one:   func() *dashboardtest.Page { return p.Submit(many, bulkForm, nil) },
			other: func() *dashboardtest.Page { return p.Submit(single, "main form[method=post]", nil) },
		} {
			Expect(send().Status).To(Equal(http.StatusOK))
			first := asked(uid)
			Expect(first).NotTo(BeEmpty())
			Eventually(func() string { return status(t, uid) }).Should(Equal("review"), "the run has ended")
			Expect(send().Status).To(Equal(http.StatusOK))
			Expect(asked(uid)).To(Equal(first), "nothing is charged again")
		}
	})
})
