package kinds

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// update is a change to an object that exists.
type update struct {
	name   string
	from   client.Object
	change func(client.Object)
	// want is part of kube-apiserver's message; empty if it must accept the change.
	want string
}

// to makes a change of an object from one of its own type.
func to[T client.Object](change func(T)) func(client.Object) {
	return func(o client.Object) {
		GinkgoHelper()
		typed, ok := o.(T)
		Expect(ok).To(BeTrue(), "%T is not what the change is for", o)
		change(typed)
	}
}

// attempt creates what u changes, with its status, and returns what kube-apiserver says to the change.
func attempt(ctx context.Context, u update) error {
	GinkgoHelper()
	obj, ok := u.from.DeepCopyObject().(client.Object)
	Expect(ok).To(BeTrue())
	Expect(admin.Create(ctx, obj)).To(Succeed(), u.name)
	if article, isArticle := u.from.(*api.Article); isArticle && article.Status.Publication != nil {
		setStatus(ctx, obj, article.Status)
	}
	u.change(obj)
	return admin.Update(ctx, obj, client.DryRunAll)
}

// setStatus writes the status of an article that exists, as the controller does.
func setStatus(ctx context.Context, obj client.Object, status api.ArticleStatus) {
	GinkgoHelper()
	article, ok := obj.(*api.Article)
	Expect(ok).To(BeTrue())
	article.Status = status
	Expect(admin.Status().Update(ctx, article)).To(Succeed())
}

// fixedFields are updates of what may never change, each with one of something beside it that may.
func fixedFields() []update {
	revised, completed := newRevision(workspace), newIdempotencyRecord(workspace)
	completed.Spec.ObjectUID = "1"
	return []update{
		{
			name: "article: site", from: newArticle(workspace), want: "siteRef may not change: create another article",
			change: to(func(a *api.Article) { a.Spec.SiteRef.Name = "other" }),
		},
		{
			name: "article: anything else", from: newArticle(workspace),
			change: to(func(a *api.Article) {
				a.Spec.Stage, a.Spec.Generate, a.Spec.Content.Title = api.StageDraft, nil, "Another title"
			}),
		},
		{
			name: "key: hash", from: newAPIKey(), want: "secretHash may not change: create another key",
			change: to(func(k *api.APIKey) { k.Spec.SecretHash = otherDigest[len("sha256:"):] }),
		},
		{
			name: "key: account", from: newAPIKey(), want: "accountRef may not change: create another key",
			change: to(func(k *api.APIKey) { k.Spec.AccountRef.Name = "other" }),
		},
		{
			name: "key: anything else", from: newAPIKey(),
			change: to(func(k *api.APIKey) {
				k.Spec.DisplayName, k.Spec.Scopes, k.Spec.Workspaces = "Newsletter", []api.Scope{api.ScopeApprove}, []string{workspace}
			}),
		},
		{
			name: "revision: text", from: revised, want: "a revision may not change: another one is made instead",
			change: to(func(r *api.ArticleRevision) { r.Spec.Markdown = "They slip." }),
		},
		{
			name: "revision: title", from: revised, want: "a revision may not change",
			change: to(func(r *api.ArticleRevision) { r.Spec.Title = "Another title" }),
		},
		{
			name: "revision: score", from: revised, want: "a revision may not change",
			change: to(func(r *api.ArticleRevision) { r.Spec.Scores.SEOScore++ }),
		},
		{
			name: "revision: something new", from: revised, want: "a revision may not change",
			change: to(func(r *api.ArticleRevision) { r.Spec.FAQ = []api.FAQ{{Question: "Do they grip?", Answer: "Yes."}} }),
		},
		{
			name: "post: slug", from: newPost(workspace), want: "slug may not change: the name of the post is made of it",
			change: to(func(p *api.Post) { p.Spec.Slug = "other" }),
		},
		{
			name: "post: destination", from: newPost(workspace), want: "destination may not change: the name of the post is made of it",
			change: to(func(p *api.Post) { p.Spec.Destination = "other.example:443" }),
		},
		{
			name: "post: article", from: newPost(workspace), want: "articleRef may not change: the slug is taken for good",
			change: to(func(p *api.Post) { p.Spec.ArticleRef.Name = "other" }),
		},
		{
			name: "post: no article any more", from: newPost(workspace), want: "articleRef may not change: the slug is taken for good",
			change: to(func(p *api.Post) { p.Spec.ArticleRef = api.LocalReference{} }),
		},
		{
			name: "post: article that was created again", from: newPost(workspace),
			change: to(func(p *api.Post) { p.Spec.ArticleUID = "0198f0a1-0000-7000-8000-000000000001" }),
		},
		{
			name: "post: state of a later version", from: newPost(workspace), change: to(func(p *api.Post) { p.Spec.State = "Withdrawn" }),
		},
		{
			name: "post: state", from: newPost(workspace),
			change: to(func(p *api.Post) { p.Spec.State, p.Spec.URL = api.PostPublished, "https://blog.acme.example/shoes" }),
		},
		{
			name: "event: body", from: newEventDelivery(workspace), want: "a delivery may not change",
			change: to(func(d *api.EventDelivery) { d.Spec.Body = `{"type": "blog.failed"}` }),
		},
		{
			name: "event: what asks for a redelivery", from: newEventDelivery(workspace),
			change: to(func(d *api.EventDelivery) { d.Annotations = map[string]string{api.RedeliverAnnotation: "1"} }),
		},
		{
			name: "app: secrets", from: newOAuthClient(),
			change: to(func(c *api.OAuthClient) {
				ends := api.NewTime(now)
				c.Spec.Secrets = []api.OAuthClientSecret{{Hash: strings.Repeat("b", 64)}, {Hash: strings.Repeat("a", 64), ExpirationTime: &ends}}
			}),
		},
		{
			name: "app: an account", from: newOAuthClient(), want: "accountRef may not change",
			change: to(func(c *api.OAuthClient) { c.Spec.AccountRef = &api.AccountReference{Name: "acme"} }),
		},
		{
			name: "app: another account", from: newOAuthClientOf("acme"), want: "accountRef may not change",
			change: to(func(c *api.OAuthClient) { c.Spec.AccountRef.Name = "other" }),
		},
		{
			name: "app: no account any more", from: newOAuthClientOf("acme"), want: "accountRef may not change",
			change: to(func(c *api.OAuthClient) { c.Spec.AccountRef = nil }),
		},
		{
			name: "app: type", from: newOAuthClient(), want: "type may not change",
			change: to(func(c *api.OAuthClient) { c.Spec.Type, c.Spec.Secrets = api.OAuthClientPublic, nil }),
		},
		{
			name: "app: who made it", from: newOAuthClient(), want: "createdByRef may not change",
			change: to(func(c *api.OAuthClient) {
				c.Spec.CreatedByRef = &api.CreatorReference{Kind: api.CreatorUser, Name: "mara@acme.example"}
			}),
		},
		{
			name: "key: who made it", from: newAPIKeyBy("aa3kq2vxw5ntb6ha"), want: "createdByRef may not change",
			change: to(func(k *api.APIKey) { k.Spec.CreatedByRef.Name = "aa3kq2vxw5ntb6hb" }),
		},
		{
			name: "key: that somebody made it", from: newAPIKeyBy("aa3kq2vxw5ntb6ha"), want: "createdByRef may not change",
			change: to(func(k *api.APIKey) { k.Spec.CreatedByRef = nil }),
		},
		{
			name: "subscription: who made it", from: newEventSubscription(workspace), want: "createdByRef may not change",
			change: to(func(s *api.EventSubscription) {
				s.Spec.CreatedByRef = &api.CreatorReference{Kind: api.CreatorUser, Name: "mara@acme.example"}
			}),
		},
		{
			name: "grant: scopes", from: newOAuthGrant(), want: "a grant may not change: revoke it, and ask for another consent",
			change: to(func(g *api.OAuthGrant) { g.Spec.Scopes = append(g.Spec.Scopes, api.ScopeApprove) }),
		},
		{
			name: "grant: expiry", from: newOAuthGrant(), want: "a grant may not change",
			change: to(func(g *api.OAuthGrant) { g.Spec.ExpirationTime = api.NewMicroTime(now.AddDate(1, 0, 0)) }),
		},
		{
			name: "grant: metadata", from: newOAuthGrant(),
			change: to(func(g *api.OAuthGrant) { g.Labels = map[string]string{"seen": "yes"} }),
		},
		{
			name: "record: request", from: newIdempotencyRecord(workspace), want: "the request of a record may not change",
			change: to(func(r *internalv1alpha1.IdempotencyRecord) { r.Spec.RequestHash = strings.Repeat("b", 64) }),
		},
		{
			name: "record: another object", from: completed, want: "objectUID may not change once it is set",
			change: to(func(r *internalv1alpha1.IdempotencyRecord) { r.Spec.ObjectUID = "2" }),
		},
		{
			name: "record: another answer", from: completed, want: "answer may not change once objectUID is set",
			change: to(func(r *internalv1alpha1.IdempotencyRecord) { r.Spec.Answer = "{}" }),
		},
		{
			name: "record: the object", from: newIdempotencyRecord(workspace),
			change: to(func(r *internalv1alpha1.IdempotencyRecord) { r.Spec.ObjectUID = "1" }),
		},
		{
			name: "revision: metadata", from: revised,
			change: to(func(r *api.ArticleRevision) { r.Labels = map[string]string{"seen": "yes"} }),
		},
	}
}

var _ = Describe("What may never change", func() {
	It("is refused to change, and the fields beside it are not", func(ctx SpecContext) {
		for _, u := range fixedFields() {
			expectAnswer(attempt(ctx, u), u)
		}
	})
})

// expectAnswer compares what kube-apiserver said to an update with what is wanted.
func expectAnswer(err error, u update) {
	GinkgoHelper()
	if u.want == "" {
		Expect(err).NotTo(HaveOccurred(), u.name)
		return
	}
	Expect(err).To(beInvalid(u.want), u.name)
	Expect(refusals(err)).To(HaveLen(1), u.name)
}
