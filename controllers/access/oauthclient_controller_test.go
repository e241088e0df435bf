package access_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/access"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The client of a metadata document", func() {
	var (
		t          *tenant
		reconciler *access.OAuthClientReconciler
	)
	BeforeEach(func() {
		t = newTenant()
		t.SetMembers(Mara)
		reconciler = &access.OAuthClientReconciler{Base: t.Sites.Base}
	})
	// agent makes such a client, which is as old as it may be without a grant.
	agent := func(change func(*v1alpha1.OAuthClient)) *v1alpha1.OAuthClient {
		GinkgoHelper()
		c := t.NewOAuthClient("registered").DeepCopy()
		c.Name, c.ResourceVersion, c.UID = v1alpha1.DocumentClientPrefix+strings.ToLower(t.Namespace), "", ""
		c.Annotations, c.Spec.AccountRef = map[string]string{v1alpha1.ClientIDAnnotation: "https://agent.example/" + t.Namespace}, nil
		change(c)
		Expect(api.Create(t.Ctx, c)).To(Succeed())
		t.Clock.SetTime(c.CreationTimestamp.Add(24 * time.Hour))
		return c
	}
	asItIs := func(*v1alpha1.OAuthClient) {}

	It("is deleted after a day in which nobody has given it access", func() {
		c := agent(asItIs)
		t.Clock.SetTime(c.CreationTimestamp.Add(24*time.Hour - time.Second))
		got, left := t.Readiness(reconciler, c)
		Expect(got).To(Equal("True/Valid"))
		Expect(left).To(Equal(24 * time.Hour))
		t.Clock.Step(time.Second)
		got, _ = t.Readiness(reconciler, c)
		Expect(got).To(Equal("gone"))
	})

	It("stays while it has a grant, whatever that opens", func() {
		c := agent(asItIs)
		grant := t.NewGrant(c)
		got, left := t.Readiness(reconciler, c)
		Expect(got).To(Equal("True/Valid"))
		Expect(left).To(Equal(24 * time.Hour))
		Expect(api.Delete(t.Ctx, grant)).To(Succeed())
		got, _ = t.Readiness(reconciler, c)
		Expect(got).To(Equal("gone"))
	})

	It("stays while it is suspended, so that it does not come again", func() {
		c := agent(func(c *v1alpha1.OAuthClient) { c.Spec.Suspend = true })
		got, _ := t.Readiness(reconciler, c)
		Expect(got).To(Equal("False/Suspended"))
		c.Spec.Suspend = false
		Expect(api.Update(t.Ctx, c)).To(Succeed())
		got, _ = t.Readiness(reconciler, c)
		Expect(got).To(Equal("gone"))
	})

	It("is told from a registered client by its annotation", func() {
		c := agent(func(c *v1alpha1.OAuthClient) { c.Annotations = nil })
		got, left := t.Readiness(reconciler, c)
		Expect(got).To(Equal("True/Valid"))
		Expect(left).To(BeZero())
		Expect(api.Get(t.Ctx, client.ObjectKeyFromObject(c), c)).To(Succeed())
	})
})
