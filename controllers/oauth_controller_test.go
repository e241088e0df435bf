package controllers_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/access"
)

// newApp creates an app that the world's account has registered.
func (w *world) newApp(name string) *v1alpha1.OAuthClient {
	GinkgoHelper()
	app := &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name},
		Spec: v1alpha1.OAuthClientSpec{
			DisplayName: "A tool", AccountRef: &v1alpha1.AccountReference{Name: w.account}, RedirectURIs: []string{"https://tool.example/cb"},
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, Type: v1alpha1.OAuthClientPublic,
		},
	}
	Expect(api.Create(w.ctx, app)).To(Succeed())
	return app
}

// mara is who gives grants.
const mara = "mara@acme.example"

// newGrant creates a grant for an app, at the world's time.
func (w *world) newGrant(app *v1alpha1.OAuthClient, change ...func(*v1alpha1.OAuthGrant)) *v1alpha1.OAuthGrant {
	GinkgoHelper()
	grant := &v1alpha1.OAuthGrant{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.namespace, GenerateName: "grant-",
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient", Name: app.Name, UID: app.UID,
			}},
		},
		Spec: v1alpha1.OAuthGrantSpec{
			ClientRef: v1alpha1.LocalReference{Name: app.Name}, AccountRef: v1alpha1.AccountReference{Name: w.account},
			Person: mara, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, RedirectURI: "https://tool.example/cb",
			CodeHash: strings.Repeat("0", 64), ExpirationTime: metav1.NewMicroTime(w.clock.Now().Add(10 * time.Minute)),
		},
	}
	for _, f := range change {
		f(grant)
	}
	Expect(api.Create(w.ctx, grant)).To(Succeed())
	return grant
}

// redeem writes what the facade writes when the code is exchanged.
func (w *world) redeem(grant *v1alpha1.OAuthGrant) {
	GinkgoHelper()
	Expect(api.Get(w.ctx, client.ObjectKeyFromObject(grant), grant)).To(Succeed())
	now := w.clock.Now()
	grant.Status.RedemptionTime = new(metav1.NewMicroTime(now))
	grant.Status.TokenHash = strings.Repeat("1", 64)
	grant.Status.TokenExpirationTime = new(metav1.NewMicroTime(now.Add(365 * 24 * time.Hour)))
	Expect(api.Status().Update(w.ctx, grant)).To(Succeed())
}

// reasonOf reads an object and returns the reason of its condition Ready.
func (w *world) reasonOf(obj interface {
	client.Object
	GetConditions() []metav1.Condition
}) string {
	GinkgoHelper()
	Expect(api.Get(w.ctx, client.ObjectKeyFromObject(obj), obj)).To(Succeed())
	if c := meta.FindStatusCondition(obj.GetConditions(), v1alpha1.ConditionReady); c != nil {
		return c.Reason
	}
	return ""
}

// readiness reconciles and returns the condition Ready, or "gone", and when the reconciler comes back.
func (w *world) readiness(r reconcile.Reconciler, obj interface {
	client.Object
	GetConditions() []metav1.Condition
}) (string, time.Duration) {
	GinkgoHelper()
	result, err := r.Reconcile(w.ctx, request(client.ObjectKeyFromObject(obj)))
	Expect(err).NotTo(HaveOccurred())
	err = api.Get(w.ctx, client.ObjectKeyFromObject(obj), obj)
	if apierrors.IsNotFound(err) {
		return "gone", result.RequeueAfter
	}
	Expect(err).NotTo(HaveOccurred())
	c := meta.FindStatusCondition(obj.GetConditions(), v1alpha1.ConditionReady)
	return string(c.Status) + "/" + c.Reason, result.RequeueAfter
}

var _ = Describe("The OAuth client controller", func() {
	It("says whether an app may be used", func() {
		w := newWorld()
		reconciler, app := &access.OAuthClientReconciler{Base: w.Sites.Base}, w.newApp("tool")
		got, _ := w.readiness(reconciler, app)
		Expect(got).To(Equal("True/Valid"))
		Expect(api.Delete(w.ctx, w.getAccount())).To(Succeed())
		got, _ = w.readiness(reconciler, app)
		Expect(got).To(Equal("False/AccountNotFound"))
	})
})

var _ = Describe("The OAuth grant controller", func() {
	var (
		w          *world
		reconciler *access.OAuthGrantReconciler
		app        *v1alpha1.OAuthClient
	)
	BeforeEach(func() {
		w = newWorld()
		w.setMembers(mara)
		reconciler, app = &access.OAuthGrantReconciler{Base: w.Sites.Base}, w.newApp("tool")
	})

	It("removes a code that was never exchanged, an hour after its time", func() {
		grant := w.newGrant(app)
		got, left := w.readiness(reconciler, grant)
		Expect(got).To(Equal("False/AwaitingExchange"))
		Expect(left).To(Equal(10 * time.Minute))
		w.clock.Step(left)
		got, left = w.readiness(reconciler, grant)
		Expect(got).To(Equal("False/Expired"))
		Expect(left).To(Equal(time.Hour))
		w.clock.Step(left)
		got, _ = w.readiness(reconciler, grant)
		Expect(got).To(Equal("gone"))
	})

	It("keeps a token's grant for its year, and removes it an hour after", func() {
		grant := w.newGrant(app)
		w.redeem(grant)
		got, left := w.readiness(reconciler, grant)
		Expect(got).To(Equal("True/Valid"))
		Expect(left).To(Equal(365 * 24 * time.Hour))
		w.clock.Step(left)
		got, left = w.readiness(reconciler, grant)
		Expect(got).To(Equal("False/Expired"))
		Expect(left).To(Equal(time.Hour))
		w.clock.Step(left)
		got, _ = w.readiness(reconciler, grant)
		Expect(got).To(Equal("gone"))
	})

	It("removes what was revoked, an hour after", func() {
		grant := w.newGrant(app)
		w.redeem(grant)
		grant.Status.RevocationTime = new(metav1.NewMicroTime(w.clock.Now()))
		Expect(api.Status().Update(w.ctx, grant)).To(Succeed())
		got, left := w.readiness(reconciler, grant)
		Expect(got).To(Equal("False/Revoked"))
		Expect(left).To(Equal(time.Hour))
		w.clock.Step(left)
		got, _ = w.readiness(reconciler, grant)
		Expect(got).To(Equal("gone"))
	})

	It("removes the grants of an app that is no more, even where another has its name", func() {
		one, two := w.newGrant(app), w.newGrant(app)
		Expect(api.Delete(w.ctx, app)).To(Succeed())
		got, _ := w.readiness(reconciler, one)
		Expect(got).To(Equal("gone"))
		w.newApp("tool")
		got, _ = w.readiness(reconciler, two)
		Expect(got).To(Equal("gone"))
	})

	It("revokes the grants of an account that is missing, and says so", func() {
		grant := w.newGrant(app)
		w.redeem(grant)
		Expect(api.Delete(w.ctx, w.getAccount())).To(Succeed())
		got, _ := w.readiness(reconciler, grant)
		Expect(got).To(Equal("False/AccountNotFound"))
	})
})
