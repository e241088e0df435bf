package testkit

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// SystemNamespace is where Pressroom is installed.
const SystemNamespace = "pressroom-system"

// Tenant is an account with a workspace, and a site in it from which articles are pulled.
type Tenant struct {
	// API is a client of kube-apiserver with the rights of an administrator.
	API client.Client
	// Account, Workspace and Site are names.
	Account, Workspace, Site string
	// SiteUID is the site's over REST.
	SiteUID string
	// Key is the API key of requests; empty until a test sets it.
	Key string
}

var tenants atomic.Int32

// NewTenant makes a tenant that no other spec has. The name is for people, and may be empty.
func NewTenant(api client.Client, displayName string) Tenant {
	GinkgoHelper()
	n := tenants.Add(1)
	t := Tenant{API: api, Account: fmt.Sprintf("acme-%d", n), Workspace: fmt.Sprintf("acme-%d-blog", n), Site: "acme"}
	CreateAccount(api, t.Account, displayName, t.Workspace)
	t.SiteUID = t.NewSite(t.Workspace, t.Site)
	return t
}

// CreateAccount creates an account with its ledger, as the controller makes it, and with a workspace.
func CreateAccount(api client.Client, name, displayName, workspace string) {
	GinkgoHelper()
	account, ledger := &v1alpha1.Account{Spec: v1alpha1.AccountSpec{DisplayName: displayName}}, &v1alpha1.AccountLedger{}
	account.Name, ledger.Name = name, name
	for _, o := range []client.Object{account, ledger, NewWorkspace(workspace, name)} {
		Expect(api.Create(context.Background(), o)).To(Succeed())
	}
}

// NewSite makes a site, and its workspace if there is none, and returns the site's uid.
func (t *Tenant) NewSite(workspace, name string) string {
	GinkgoHelper()
	Expect(client.IgnoreAlreadyExists(t.API.Create(context.Background(), NewWorkspace(workspace, t.Account)))).To(Succeed())
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: "blog.example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}}}
	site.Namespace, site.Name = workspace, name
	t.Create(site)
	return identity.UID(identity.KindSite, workspace, name)
}

// NewKey makes an API key of the account.
func (t *Tenant) NewKey(displayName string, scopes ...v1alpha1.Scope) string {
	GinkgoHelper()
	object, key := NewAPIKey(t.Account, scopes...)
	object.Spec.DisplayName = displayName
	t.Create(object)
	return key
}

// Create creates an object.
func (t *Tenant) Create(o client.Object) {
	GinkgoHelper()
	Expect(t.API.Create(context.Background(), o)).To(Succeed())
}

// Get reads an object of the workspace.
func (t *Tenant) Get(name string, o client.Object) {
	GinkgoHelper()
	Expect(t.API.Get(context.Background(), client.ObjectKey{Namespace: t.Workspace, Name: name}, o)).To(Succeed())
}

// SiteObject reads the tenant's site.
func (t *Tenant) SiteObject() *v1alpha1.Site {
	GinkgoHelper()
	site := &v1alpha1.Site{}
	t.Get(t.Site, site)
	return site
}

// Deliver has the tenant's site send to a receiver, with a signing secret of its own.
func (t *Tenant) Deliver(url string) {
	GinkgoHelper()
	secret := &corev1.Secret{StringData: map[string]string{"secret": "a-long-random-string-of-the-customer"}}
	secret.Namespace, secret.Name = t.Workspace, "webhook"
	Expect(client.IgnoreAlreadyExists(t.API.Create(context.Background(), secret))).To(Succeed())
	site := t.SiteObject()
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
		URL: url, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
	}}
	Expect(t.API.Update(context.Background(), site)).To(Succeed())
}

// Request is one of the REST API with the tenant's key, in its workspace. NewRequest says what the body may be.
func (t *Tenant) Request(method, url string, body any, headers ...string) *http.Request {
	GinkgoHelper()
	return NewRequest(method, url, body, append([]string{"x-api-key", t.Key, "x-workspace-id", t.Workspace}, headers...)...)
}
