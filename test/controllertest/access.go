package controllertest

import (
	"reflect"
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
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// NewAPIKey creates an API key of the tenant's account.
func (t *Tenant) NewAPIKey() *v1alpha1.APIKey {
	GinkgoHelper()
	key, _ := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead)
	Expect(t.API.Create(t.Ctx, key)).To(Succeed())
	return key
}

// SetMembers changes who is a member of the tenant's account.
func (t *Tenant) SetMembers(emails ...string) {
	GinkgoHelper()
	t.EditAccount(func(a *v1alpha1.Account) {
		a.Spec.Members = nil
		for _, email := range emails {
			a.Spec.Members = append(a.Spec.Members, v1alpha1.AccountMember{
				Kind: v1alpha1.MemberUser, Name: email, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
			})
		}
	})
}

// ReplaceAccount deletes the tenant's account and makes another one of its name.
func (t *Tenant) ReplaceAccount() {
	GinkgoHelper()
	account := t.GetAccount()
	Expect(t.API.Delete(t.Ctx, account)).To(Succeed())
	account.ResourceVersion, account.UID = "", ""
	Expect(t.API.Create(t.Ctx, account)).To(Succeed())
}

// Verdict reconciles and returns the condition Ready, or "gone".
func (t *Tenant) Verdict(r reconcile.Reconciler, obj client.Object) string {
	GinkgoHelper()
	got, _ := t.Readiness(r, obj)
	return got
}

// NewOAuthClient creates a client that the tenant's account has registered. No other tenant's has its name, which ends with this one.
func (t *Tenant) NewOAuthClient(name string) *v1alpha1.OAuthClient {
	GinkgoHelper()
	app := &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: t.Namespace + "-" + name},
		Spec: v1alpha1.OAuthClientSpec{
			DisplayName: "A tool", AccountRef: &v1alpha1.AccountReference{Name: t.Account},
			RedirectURIs: []string{"https://tool.example/cb"},
			Scopes:       []v1alpha1.Scope{v1alpha1.ScopeRead}, Type: v1alpha1.OAuthClientPublic,
		},
	}
	Expect(t.API.Create(t.Ctx, app)).To(Succeed())
	return app
}

// Mara is who gives grants.
const Mara = "mara@acme.example"

// NewGrant creates a grant for a client, at the tenant's time.
func (t *Tenant) NewGrant(oauthClient *v1alpha1.OAuthClient, change ...func(*v1alpha1.OAuthGrant)) *v1alpha1.OAuthGrant {
	GinkgoHelper()
	grant := &v1alpha1.OAuthGrant{
		ObjectMeta: metav1.ObjectMeta{
			Name: testkit.NewCredential(credential.AuthorizationCode).ID,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient", Name: oauthClient.Name, UID: oauthClient.UID,
			}},
		},
		Spec: v1alpha1.OAuthGrantSpec{
			ClientRef: v1alpha1.LocalReference{Name: oauthClient.Name}, AccountRef: v1alpha1.AccountReference{Name: t.Account},
			Person: Mara, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, RedirectURI: "https://tool.example/cb",
			CodeHash: strings.Repeat("0", 64), ExpirationTime: v1alpha1.NewMicroTime(t.Clock.Now().Add(10 * time.Minute)),
		},
	}
	for _, f := range change {
		f(grant)
	}
	Expect(t.API.Create(t.Ctx, grant)).To(Succeed())
	return grant
}

// ReadyReason reads an object and returns the reason of its condition Ready.
func (t *Tenant) ReadyReason(obj client.Object) string {
	GinkgoHelper()
	Expect(t.API.Get(t.Ctx, client.ObjectKeyFromObject(obj), obj)).To(Succeed())
	if c := meta.FindStatusCondition(Conditions(obj), v1alpha1.ConditionReady); c != nil {
		return c.Reason
	}
	return ""
}

// Readiness reconciles and returns the condition Ready, or "gone", and when the reconciler comes back.
func (t *Tenant) Readiness(r reconcile.Reconciler, obj client.Object) (string, time.Duration) {
	GinkgoHelper()
	result, err := r.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(obj)))
	Expect(err).NotTo(HaveOccurred())
	err = t.API.Get(t.Ctx, client.ObjectKeyFromObject(obj), obj)
	if apierrors.IsNotFound(err) {
		return "gone", result.RequeueAfter
	}
	Expect(err).NotTo(HaveOccurred())
	c := meta.FindStatusCondition(Conditions(obj), v1alpha1.ConditionReady)
	return string(c.Status) + "/" + c.Reason, result.RequeueAfter
}

// Conditions returns the conditions of an object.
func Conditions(obj client.Object) []metav1.Condition {
	conditions, _ := reflect.TypeAssert[[]metav1.Condition](reflect.ValueOf(obj).Elem().FieldByName("Status").FieldByName("Conditions"))
	return conditions
}
