package kinds

import (
	"context"
	"reflect"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// madeFor returns the name of a Secret that the facade makes for a site.
func madeFor(site, digits string) string { return "pressroom-site-" + site + "-" + digits }

const (
	// first and second are the digits of two Secrets of a site.
	first, second = "0123456789", "abcdef0123"
	// elsewhereURL is not where the credentials of the sites of these specs are for.
	elsewhereURL = "https://elsewhere.example/hook"
)

func signedBy(secret string) api.SecretKeyReference {
	return api.SecretKeyReference{Name: secret, Key: "signingSecret"}
}

// headlessWith is a connection by webhook.
func headlessWith(url, secret string) api.SiteCMS {
	return api.SiteCMS{Type: api.CMSHeadless, Headless: &api.HeadlessConnection{URL: url, SigningSecretRef: signedBy(secret)}}
}

func wordPressWith(url, secret string) api.SiteCMS {
	return api.SiteCMS{Type: api.CMSWordPress, WordPress: &api.WordPressConnection{
		URL: url, CredentialsSecretRef: api.LocalReference{Name: secret},
	}}
}

func shopifyWith(shop, secret string) api.SiteCMS {
	return api.SiteCMS{Type: api.CMSShopify, Shopify: &api.ShopifyConnection{
		Shop: shop, BlogID: "1", AuthorName: "Acme", CredentialsSecretRef: api.LocalReference{Name: secret},
	}}
}

func webflowWith(collection, secret string) api.SiteCMS {
	return api.SiteCMS{Type: api.CMSWebflow, Webflow: &api.WebflowConnection{
		SiteID: "0123456789abcdef01234567", CollectionID: collection, Fields: api.WebflowFields{Body: "body"},
		CredentialsSecretRef: api.LocalReference{Name: secret},
	}}
}

// connectedSite creates a site that the facade has connected. Its name is as long as one of the facade's.
func connectedSite(ctx context.Context, cms func(name string) api.SiteCMS) *api.Site {
	GinkgoHelper()
	site := newSite(workspace)
	Expect(admin.Create(ctx, site)).To(Succeed())
	site.Spec.CMS = cms(site.Name)
	site.Annotations, site.Labels = map[string]string{"team": "blog"}, map[string]string{"team": "blog"}
	Expect(admin.Update(ctx, site)).To(Succeed())
	return site
}

var _ = Describe("The REST facade's right to change sites", func() {
	byWebhook := func(name string) api.SiteCMS {
		return headlessWith("https://blog.acme.example/hook", madeFor(name, first))
	}
	toWordPress := func(name string) api.SiteCMS { return wordPressWith("https://blog.acme.example", madeFor(name, first)) }
	patchAs := func(ctx context.Context, user string, cms func(string) api.SiteCMS, change func(*api.Site)) error {
		GinkgoHelper()
		site := connectedSite(ctx, cms)
		old := site.DeepCopy()
		change(site)
		return as(user).Patch(ctx, site, client.MergeFrom(old))
	}

	DescribeTable("is enough to",
		func(ctx SpecContext, change func(*api.Site)) {
			Expect(patchAs(ctx, facade, byWebhook, change)).To(Succeed())
		},
		Entry("ask for a test of the connection", func(s *api.Site) { s.Annotations[api.TestConnectionAnnotation] = "nonce" }),
		Entry("change names, voice and policies", func(s *api.Site) {
			s.Spec.Domain, s.Spec.DisplayName, s.Spec.BrandVoice.Tone = "other.example", "Other", "dry"
			s.Spec.Publishing.DefaultStage, s.Spec.Review.Policy = api.DefaultStagePublished, api.ReviewAutomatic
		}),
		Entry("change the format of the body", func(s *api.Site) { s.Spec.CMS.Headless.PayloadFormat = api.PayloadHTML }),
		Entry("change the address with another Secret of its own", func(s *api.Site) {
			s.Spec.CMS = headlessWith(elsewhereURL, madeFor(s.Name, second))
		}),
		Entry("change the type with another Secret of its own", func(s *api.Site) {
			s.Spec.CMS = shopifyWith("acme.myshopify.com", madeFor(s.Name, second))
		}),
		Entry("replace a credential", func(s *api.Site) { s.Spec.CMS.Headless.SigningSecretRef.Name = madeFor(s.Name, second) }),
		Entry("disconnect the site", func(s *api.Site) { s.Spec.CMS = api.SiteCMS{Type: api.CMSNone} }),
	)

	It("leaves a connection that others have made as it is", func(ctx SpecContext) {
		others := func(string) api.SiteCMS { return headlessWith("https://blog.acme.example/hook", "webhook") }
		Expect(patchAs(ctx, facade, others, func(s *api.Site) { s.Spec.DisplayName = "Other" })).To(Succeed())
		Expect(patchAs(ctx, facade, others, func(s *api.Site) { s.Spec.CMS.Headless.PayloadFormat = api.PayloadHTML })).To(Succeed())
	})

	const another, own = "only with another Secret", "ten hexadecimal digits"
	DescribeTable("is not enough to",
		func(ctx SpecContext, message string, cms func(string) api.SiteCMS, change func(*api.Site)) {
			// Kube-apiserver takes a policy up a moment after it was created.
			Eventually(func() error { return patchAs(ctx, facade, cms, change) }).WithContext(ctx).Should(beForbidden(message))
			Expect(patchAs(ctx, manager, cms, change)).To(Succeed())
		},
		Entry("send the secret of a webhook elsewhere", another, byWebhook, func(s *api.Site) { s.Spec.CMS.Headless.URL = elsewhereURL }),
		Entry("send it to another path", another, byWebhook, func(s *api.Site) { s.Spec.CMS.Headless.URL += "s" }),
		Entry("send it with another query", another, byWebhook, func(s *api.Site) { s.Spec.CMS.Headless.URL += "?to=me" }),
		Entry("send it by http", another, byWebhook, func(s *api.Site) { s.Spec.CMS.Headless.URL = "http://blog.acme.example/hook" }),
		Entry("send it to another spelling of the host", another, byWebhook, func(s *api.Site) {
			s.Spec.CMS.Headless.URL = "https://BLOG.acme.example/hook"
		}),
		Entry("send another value of it", another, byWebhook, func(s *api.Site) { s.Spec.CMS.Headless.SigningSecretRef.Key = "other" }),
		Entry("send it elsewhere in another format", another, byWebhook, func(s *api.Site) {
			s.Spec.CMS.Headless.URL, s.Spec.CMS.Headless.PayloadFormat = elsewhereURL, api.PayloadHTML
		}),
		Entry("send it elsewhere, and ask for a test", another, byWebhook, func(s *api.Site) {
			s.Spec.CMS.Headless.URL, s.Annotations[api.TestConnectionAnnotation] = elsewhereURL, "nonce"
		}),
		Entry("send it to a WordPress", another, byWebhook, func(s *api.Site) {
			s.Spec.CMS = wordPressWith("https://elsewhere.example", madeFor(s.Name, first))
		}),
		Entry("send the password of WordPress elsewhere", another, toWordPress, func(s *api.Site) { s.Spec.CMS.WordPress.URL = "https://elsewhere.example" }),
		Entry("send it to another site of a multisite", another, toWordPress, func(s *api.Site) { s.Spec.CMS.WordPress.URL += "/two" }),
		Entry("send it by a webhook", another, toWordPress, func(s *api.Site) { s.Spec.CMS = headlessWith(elsewhereURL, madeFor(s.Name, first)) }),
		Entry("send it to a shop", another, toWordPress, func(s *api.Site) {
			s.Spec.CMS = shopifyWith("elsewhere.myshopify.com", madeFor(s.Name, first))
		}),
		Entry("send it to Webflow", another, toWordPress, func(s *api.Site) {
			s.Spec.CMS = webflowWith("0123456789abcdef01234568", madeFor(s.Name, first))
		}),
		Entry("make other posts with it", another, toWordPress, func(s *api.Site) { s.Spec.CMS.WordPress.PostType = "page" }),
		Entry("make posts of another author with it", another, toWordPress, func(s *api.Site) { s.Spec.CMS.WordPress.AuthorID = 1 }),
		Entry("make posts of other categories with it", another, toWordPress, func(s *api.Site) { s.Spec.CMS.WordPress.Categories = []string{"a"} }),
		Entry("change what becomes of the FAQ", another, toWordPress, func(s *api.Site) { s.Spec.CMS.FAQ = api.FAQOmit }),
		Entry("send the token of a shop to another shop", another,
			func(name string) api.SiteCMS { return shopifyWith("acme.myshopify.com", madeFor(name, first)) },
			func(s *api.Site) { s.Spec.CMS.Shopify.Shop = "elsewhere.myshopify.com" }),
		Entry("write to another collection with the token of Webflow", another,
			func(name string) api.SiteCMS { return webflowWith("0123456789abcdef01234568", madeFor(name, first)) },
			func(s *api.Site) { s.Spec.CMS.Webflow.CollectionID = "0123456789abcdef01234569" }),
		Entry("name the Secret of somebody else", own, byWebhook, func(s *api.Site) { s.Spec.CMS = headlessWith(elsewhereURL, "acme-webhook") }),
		Entry("name the Secret of somebody else for the same address", own, byWebhook, func(s *api.Site) {
			s.Spec.CMS.Headless.SigningSecretRef.Name = "acme-webhook"
		}),
		Entry("name the Secret of another site", own, byWebhook, func(s *api.Site) {
			s.Spec.CMS = headlessWith(elsewhereURL, madeFor("another", second))
		}),
		Entry("name the Secret of a site whose name begins with its own", own, byWebhook, func(s *api.Site) {
			s.Spec.CMS = headlessWith(elsewhereURL, madeFor(s.Name+"-"+first, second))
		}),
		Entry("name the Secret of a subscription", own, byWebhook, func(s *api.Site) {
			s.Spec.CMS = headlessWith(elsewhereURL, "pressroom-signing-"+s.Name+"-"+second)
		}),
		Entry("name a Secret with 9 digits", own, byWebhook, func(s *api.Site) { s.Spec.CMS = headlessWith(elsewhereURL, madeFor(s.Name, second[1:])) }),
		Entry("name a Secret with 11 digits", own, byWebhook, func(s *api.Site) { s.Spec.CMS = headlessWith(elsewhereURL, madeFor(s.Name, second+"0")) }),
		Entry("have a generator send the Secret", "spec.generator", byWebhook, func(s *api.Site) {
			s.Spec.Generator = &api.SiteGenerator{
				Type: api.GeneratorOpenAI, Model: "m", BaseURL: elsewhereURL,
				APIKeySecretRef: &api.SecretKeyReference{Name: madeFor(s.Name, first), Key: "signingSecret"},
			}
		}),
		Entry("raise a limit", "spec.limits", byWebhook, func(s *api.Site) { s.Spec.Limits.ArticlesPerDay = new(int32(1)) }),
		Entry("connect a search console", "spec.searchConsole", byWebhook, func(s *api.Site) { s.Spec.SearchConsole = &api.SearchConsole{Property: "p"} }),
		Entry("change a label", "no label", byWebhook, func(s *api.Site) { s.Labels["team"] = "other" }),
		Entry("add a label", "no label", byWebhook, func(s *api.Site) { s.Labels["new"] = "label" }),
		Entry("add a finalizer", "no label, owner or finalizer", byWebhook, func(s *api.Site) { s.Finalizers = []string{"example.com/stay"} }),
		Entry("add an owner", "no label, owner or finalizer", byWebhook, func(s *api.Site) {
			s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "c", UID: "u"}}
		}),
		Entry("change another annotation", "no other annotation", byWebhook, func(s *api.Site) { s.Annotations["team"] = "other" }),
		Entry("add an annotation", "no other annotation", byWebhook, func(s *api.Site) { s.Annotations["new"] = "annotation" }),
		Entry("remove an annotation", "no other annotation", byWebhook, func(s *api.Site) { delete(s.Annotations, "team") }),
	)

	It("is enough to suspend a site and to lift that, and not to lift what others have suspended", func(ctx SpecContext) {
		suspend := func(site *api.Site, user, manager string, value bool) error {
			old := site.DeepCopy()
			site.Spec.Suspend = value
			return as(user).Patch(ctx, site, client.MergeFrom(old), client.FieldOwner(manager))
		}
		site := connectedSite(ctx, byWebhook)
		Expect(suspend(site, facade, "pressroom-apiserver", true)).To(Succeed())
		Expect(suspend(site, facade, "pressroom-apiserver", false)).To(Succeed())
		Expect(suspend(site, manager, "pressroom-operator", true)).To(Succeed())
		Eventually(func() error { return suspend(site.DeepCopy(), facade, "pressroom-apiserver", false) }).WithContext(ctx).
			Should(beForbidden("may not lift the suspension"))
		// It would not show any more that others have suspended the site.
		for _, managers := range []string{`[{}]`, `[{"manager":"pressroom-apiserver","operation":"Update","apiVersion":"pressroom.dev/v1alpha1",` +
			`"fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:suspend":{}}}}]`} {
			forget := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"managedFields":`+managers+`}}`))
			Expect(as(facade).Patch(ctx, site.DeepCopy(), forget)).To(beForbidden("may not lift the suspension"))
		}
		renamed := site.DeepCopy()
		renamed.Spec.DisplayName = "Renamed"
		Expect(as(facade).Patch(ctx, renamed, client.MergeFrom(site), client.FieldOwner("pressroom-apiserver"))).To(Succeed())
		Expect(suspend(renamed, manager, "pressroom-operator", false)).To(Succeed())
	})

	It("compares each field of a webhook but the format of its body and whether updates and disclosures are sent", func() {
		var fields []string
		for _, f := range reflect.VisibleFields(reflect.TypeFor[api.HeadlessConnection]()) {
			fields = append(fields, f.Name)
		}
		Expect(fields).To(ConsistOf("URL", "SigningSecretRef", "PayloadFormat", "Updates", "Disclosure"),
			"name a new field in the variable sameConnection of config/policy/site-facade.yaml")
	})
})

var _ = Describe("The REST facade's right to create sites", func() {
	create := func(ctx context.Context, change func(*api.Site)) error {
		site := &api.Site{Spec: api.SiteSpec{Domain: "new.example", CMS: api.SiteCMS{Type: api.CMSNone}}}
		site.Namespace, site.Name = workspace, "facade-"+metav1.Now().Format("150405.000000000")
		change(site)
		return as(facade).Create(ctx, site)
	}

	DescribeTable("is enough for", func(ctx SpecContext, change func(*api.Site)) {
		Expect(create(ctx, change)).To(Succeed())
	},
		Entry("a site that nothing is sent to", func(*api.Site) {}),
		Entry("one with a Secret of its own", func(s *api.Site) { s.Spec.CMS = wordPressWith("https://new.example", madeFor(s.Name, first)) }),
	)

	DescribeTable("is not enough for", func(ctx SpecContext, message string, change func(*api.Site)) {
		Eventually(func() error { return create(ctx, change) }).WithContext(ctx).Should(beForbidden(message))
	},
		Entry("one with the Secret of somebody else", "ten hexadecimal digits", func(s *api.Site) { s.Spec.CMS = headlessWith(elsewhereURL, "acme-webhook") }),
		Entry("one with the Secret of another site", "ten hexadecimal digits", func(s *api.Site) {
			s.Spec.CMS = headlessWith(elsewhereURL, madeFor("another", first))
		}),
		Entry("one in a namespace that is no workspace", "in workspaces only", func(s *api.Site) { s.Namespace = "default" }),
		Entry("one with a generator", "spec.generator", func(s *api.Site) { s.Spec.Generator = &api.SiteGenerator{Type: api.GeneratorBuiltIn} }),
		Entry("one with a label", "no label", func(s *api.Site) { s.Labels = map[string]string{"a": "b"} }),
		Entry("one with an annotation", "no other annotation", func(s *api.Site) { s.Annotations = map[string]string{api.UIDAnnotation: "u"} }),
	)

	It("is none to replace a site, or to read or change its Secret", func(ctx SpecContext) {
		site := connectedSite(ctx, func(name string) api.SiteCMS {
			return headlessWith("https://blog.acme.example/hook", madeFor(name, first))
		})
		secret := &corev1.Secret{StringData: map[string]string{"signingSecret": "typed"}}
		secret.Namespace, secret.Name = workspace, madeFor(site.Name, first)
		Expect(admin.Create(ctx, secret)).To(Succeed())
		site.Spec.CMS.Headless.URL = elsewhereURL
		Expect(as(facade).Update(ctx, site)).To(beForbidden("cannot update"))
		Expect(as(facade).Get(ctx, client.ObjectKeyFromObject(secret), secret.DeepCopy())).To(beForbidden("cannot get"))
		changed := secret.DeepCopy()
		changed.Annotations = map[string]string{api.AddressAnnotation: elsewhereURL}
		Expect(as(facade).Patch(ctx, changed, client.MergeFrom(secret))).To(beForbidden("cannot patch"))
		Expect(as(facade).Update(ctx, changed)).To(beForbidden("cannot update"))
	})
})

// The policy knows no type of CMS: it finds the Secrets of every connection.
var _ = Describe("The REST facade's right to connect sites of each type", func() {
	for _, form := range connectors.Forms() {
		if form.Type == api.CMSNone {
			continue
		}
		It("is one to Secrets of its own, once for each connection: "+string(form.Type), func(ctx SpecContext) {
			toType := func(secret string) api.SiteCMS { return connectortest.Example(form, secret) }
			before := func(name string) api.SiteCMS { return headlessWith(elsewhereURL, madeFor(name, first)) }
			connect := func(secret func(site string) string) error {
				GinkgoHelper()
				site := connectedSite(ctx, before)
				old := site.DeepCopy()
				site.Spec.CMS = toType(secret(site.Name))
				return as(facade).Patch(ctx, site, client.MergeFrom(old))
			}
			Eventually(func() error { return connect(func(string) string { return "acme-webhook" }) }).WithContext(ctx).
				Should(beForbidden("ten hexadecimal digits"))
			Expect(connect(func(site string) string { return madeFor(site, first) })).To(beForbidden("only with another Secret"))
			Expect(connect(func(site string) string { return madeFor(site, second) })).To(Succeed())

			site := connectedSite(ctx, func(name string) api.SiteCMS { return toType(madeFor(name, first)) })
			old := site.DeepCopy()
			site.Spec.CMS = headlessWith(elsewhereURL, madeFor(site.Name, first))
			Expect(as(facade).Patch(ctx, site, client.MergeFrom(old))).To(beForbidden("only with another Secret"), "the credential is sent elsewhere")
		})
	}
})
