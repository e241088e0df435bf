package kinds

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// documentClientName is a name of the client of a metadata document.
func documentClientName(letter rune) string { return "document-" + strings.Repeat(string(letter), 32) }

// newDocumentClient is a client of a metadata document, as the facade makes it.
func newDocumentClient(letter rune) *api.OAuthClient {
	c := newOAuthClient()
	c.Name, c.GenerateName = documentClientName(letter), ""
	c.Annotations = map[string]string{api.ClientIDAnnotation: "https://agent.example/" + string(letter)}
	c.Spec.Type, c.Spec.Secrets, c.Spec.Scopes = api.OAuthClientPublic, nil, []api.Scope{api.ScopeRead, api.ScopeWrite}
	return c
}

var _ = Describe("The facade", func() {
	It("makes clients of metadata documents without an account, and writes of them what the document says", func(ctx SpecContext) {
		c := newDocumentClient('b')
		change := func(user string, f func(*api.OAuthClient)) error {
			changed := c.DeepCopy()
			f(changed)
			return as(user).Patch(ctx, changed, client.MergeFrom(c))
		}
		Expect(as(facade).Create(ctx, c)).To(Succeed())
		Expect(change(facade, func(c *api.OAuthClient) {
			c.Spec.RedirectURIs, c.Annotations[api.ClientReadAnnotation] = []string{"https://agent.example/new"}, "2026-11-20T12:00:00Z"
		})).To(Succeed())
		Expect(change(keeper, func(c *api.OAuthClient) { c.Spec.Scopes, c.Spec.Suspend = []api.Scope{api.ScopeApprove}, true })).To(Succeed())
		Expect(admin.Get(ctx, client.ObjectKeyFromObject(c), c)).To(Succeed())
		Expect(change(facade, func(c *api.OAuthClient) { c.Spec.DisplayName = "Agent" })).To(Succeed(), "what people have decided stays")

		for _, f := range []func(*api.OAuthClient){
			func(c *api.OAuthClient) { c.Spec.Suspend = false },
			func(c *api.OAuthClient) { c.Spec.Scopes = []api.Scope{api.ScopeApprove, api.ScopeRead} },
			func(c *api.OAuthClient) { c.Annotations[api.ClientIDAnnotation] = "https://evil.example/" },
		} {
			Expect(change(facade, f)).To(beForbidden("may not decide what an OAuth client"))
		}
		Expect(change(facade, func(c *api.OAuthClient) { delete(c.Annotations, api.ClientIDAnnotation) })).To(beForbidden("only if it is of"))
		Expect(as(facade).Delete(ctx, c)).To(beForbidden("may not delete it"))
		Expect(as(keeper).Delete(ctx, c)).To(Succeed())
	})

	DescribeTable("makes no other client without an account", func(ctx SpecContext, want string, change func(*api.OAuthClient)) {
		c := newDocumentClient('c')
		change(c)
		Expect(as(facade).Create(ctx, c)).To(beForbidden(want))
	},
		Entry("of another name", "only if it is of", func(c *api.OAuthClient) { c.Name = "newsletter" }),
		Entry("of a longer name", "only if it is of", func(c *api.OAuthClient) { c.Name += "a" }),
		Entry("with a secret", "only if it is of", func(c *api.OAuthClient) {
			c.Spec.Type, c.Spec.Secrets = api.OAuthClientConfidential, newOAuthClient().Spec.Secrets
		}),
		Entry("of no document", "only if it is of", func(c *api.OAuthClient) { c.Annotations = nil }),
		Entry("that may ask to approve", "may not decide", func(c *api.OAuthClient) { c.Spec.Scopes = []api.Scope{api.ScopeApprove} }),
		Entry("that is suspended", "may not decide", func(c *api.OAuthClient) { c.Spec.Suspend = true }),
	)
})
