package article_test

import (
	"errors"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

var _ = Describe("The generator of a site", func() {
	var t *tenant
	var backends *sitegenerator.Sites

	BeforeEach(func() {
		t = newTenant()
		backends = &sitegenerator.Sites{
			Default: generate.Config{Type: v1alpha1.GeneratorBuiltIn}, Public: &http.Client{},
			Secrets: base.NewSecrets(api, t.Clock),
		}
	})

	withKey := func(g v1alpha1.SiteGenerator) func(*v1alpha1.Site) {
		g.APIKeySecretRef = &v1alpha1.SecretKeyReference{Name: "model", Key: "key"}
		return func(s *v1alpha1.Site) { s.Spec.Generator = &g }
	}
	anthropic := v1alpha1.SiteGenerator{Type: v1alpha1.GeneratorAnthropic, Model: "claude"}

	It("is the controller's own if the site names none", func() {
		backend, err := backends.For(t.Ctx, t.CreateSite())
		Expect(err).NotTo(HaveOccurred())
		Expect(backend.Type).To(Equal(v1alpha1.GeneratorBuiltIn))
	})

	It("is the site's with the key of its Secret, and waits for that", func() {
		site := t.CreateSite(withKey(anthropic))
		_, err := backends.For(t.Ctx, site)
		Expect(err).To(beBlocked(v1alpha1.ReasonSecretNotFound))
		t.createKey("sk-1")
		t.Clock.Step(30 * time.Second)
		backend, err := backends.For(t.Ctx, site)
		Expect(err).NotTo(HaveOccurred())
		Expect(backend).To(And(HaveField("Type", v1alpha1.GeneratorAnthropic), HaveField("Model", "claude")))
	})

	It("is never sent the key of the controller's own", func() {
		const own = "sk-of-the-controller"
		backends.Default = generate.Config{Type: v1alpha1.GeneratorOpenAI, Model: "m", APIKey: own}
		var sent []http.Header
		backends.Public = &http.Client{Transport: endpoint(func(r *http.Request) (*http.Response, error) {
			sent = append(sent, r.Header)
			return nil, errors.New("there is no answer")
		})}
		backend, err := backends.For(t.Ctx, t.CreateSite(func(s *v1alpha1.Site) {
			s.Spec.Generator = &v1alpha1.SiteGenerator{Type: v1alpha1.GeneratorOpenAI, Model: "m", BaseURL: "https://models.example/v1"}
		}))
		Expect(err).NotTo(HaveOccurred())
		_, err = backend.Generator.Generate(t.Ctx, generate.Request{Keyword: "shoes", Language: "en"}, func(int, int) {})
		Expect(err).To(HaveOccurred())
		Expect(sent).NotTo(BeEmpty())
		for _, header := range sent {
			Expect(header).NotTo(ContainElement(ContainElement(ContainSubstring(own))))
		}
	})

	It("does without the line end that the file has of which kubectl makes the Secret", func() {
		t.createKey("sk-1\n")
		_, err := backends.For(t.Ctx, t.CreateSite(withKey(anthropic)))
		Expect(err).NotTo(HaveOccurred())
	})

	It("has the prices of the site, or the controller's own for the controller's own", func() {
		backends.Default.Prices = generate.Prices{Currency: "CHF", Input: 1, Cached: 1, Output: 1}
		priced := v1alpha1.SiteGenerator{
			Type: v1alpha1.GeneratorAnthropic, Model: "claude",
			Prices: &v1alpha1.TokenPrices{Currency: "USD", Input: "0.15", CachedInput: "0.075", Output: "15"},
		}
		for _, tc := range []struct {
			generator *v1alpha1.SiteGenerator
			want      generate.Prices
		}{
			{nil, backends.Default.Prices},
			{&priced, generate.Prices{Currency: "USD", Input: 150_000, Cached: 75_000, Output: 15_000_000}},
			{&anthropic, generate.Prices{}},
		} {
			backend, err := backends.For(t.Ctx, &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Generator: tc.generator}})
			Expect(err).NotTo(HaveOccurred())
			Expect(backend.Prices).To(Equal(tc.want))
		}
	})

	It("says what must be where its configuration cannot work", func() {
		t.createKey("two\nlines")
		_, err := backends.For(t.Ctx, t.CreateSite(withKey(anthropic)))
		Expect(err).To(beBlocked(v1alpha1.ReasonBackendRejected))
		Expect(err).NotTo(MatchError(ContainSubstring("lines")), "the key is a secret")
	})
})

// beBlocked matches a *lifecycle.BlockedError with this reason.
func beBlocked(reason string) types.GomegaMatcher {
	return WithTransform(func(err error) string {
		if blocked, ok := errors.AsType[*lifecycle.BlockedError](err); ok {
			return blocked.Reason
		}
		return ""
	}, Equal(reason))
}

func (t *tenant) createKey(key string) {
	GinkgoHelper()
	Expect(api.Create(t.Ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "model"}, StringData: map[string]string{"key": key},
	})).To(Succeed())
}

// endpoint answers requests to an external endpoint.
type endpoint func(*http.Request) (*http.Response, error)

func (e endpoint) RoundTrip(r *http.Request) (*http.Response, error) { return e(r) }
