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
