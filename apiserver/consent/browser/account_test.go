//go:build e2e

package browser_test

import (
	"crypto/tls"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var (
	// acme is an account with two workspaces.
	acme *account
	// tool is an app that it has registered.
	tool *app
	// mara is a member of two accounts.
	mara = "mara@acme.example"
	// plain speaks to the facades, whose certificate nobody has signed.
	plain = &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
)

// account is an account with a key that has every scope.
type account struct {
	name, workspace, key string
}

func newAccount(name, displayName string) *account {
	GinkgoHelper()
	a := &account{name: name, workspace: name + "-blog"}
	object := &v1alpha1.Account{Spec: v1alpha1.AccountSpec{
		DisplayName: displayName,
		Members:     []v1alpha1.AccountMember{{Kind: v1alpha1.MemberUser, Name: mara, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}}},
	}}
	object.Name = name
	Expect(api.Create(ctx, object)).To(Succeed())
	for _, workspace := range []string{a.workspace, name + "-shop"} {
		Expect(api.Create(ctx, testkit.NewWorkspace(workspace, name))).To(Succeed())
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: workspace + ".example", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}}}
		site.Namespace, site.Name = workspace, "main"
		Expect(api.Create(ctx, site)).To(Succeed())
	}
	a.key = a.newKey("Mara's laptop")
	for _, f := range []*facade{byKey, behindTLS} {
		Eventually(func() bool { return f.hasSeen(a) }).Should(BeTrue())
	}
	return a
}

// newKey makes a key with every scope, whose holder is somebody else than those of other keys.
func (a *account) newKey(displayName string) string {
	GinkgoHelper()
	object, key := testkit.NewAPIKey(a.name, v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	object.Spec.DisplayName = displayName
	Expect(api.Create(ctx, object)).To(Succeed())
	return key
}

// call asks the REST API with the account's key.
func (a *account) call(f *facade, method, path string, body any) (status int, answer map[string]any) {
	GinkgoHelper()
	return call(f, a.key, a.workspace, method, path, body)
}

// call asks the REST API with a key or a token, in a workspace.
func call(f *facade, key, workspace, method, path string, body any) (status int, answer map[string]any) {
	GinkgoHelper()
	got := testkit.Send(plain, testkit.NewRequest(method, f.url+path, body, "x-api-key", key, "x-workspace-id", workspace))
	Expect(got.Body).NotTo(BeNil(), "the body is empty")
	return got.Status, got.Body
}
