package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

var accounts atomic.Int32

func newAccount() string {
	GinkgoHelper()
	a := &v1alpha1.Account{}
	a.Name = fmt.Sprintf("account-%d", accounts.Add(1))
	Expect(api.Create(context.Background(), a)).To(Succeed())
	return a.Name
}

func stored(id string) (*v1alpha1.APIKey, error) {
	k := &v1alpha1.APIKey{}
	err := api.Get(context.Background(), client.ObjectKey{Name: id}, k)
	return k, err
}

// secretOf cuts the secret out of a key.
func secretOf(key string) string { return strings.Split(key, "_")[3] }

// created makes a key and returns it.
func created(args ...string) credential.Credential {
	GinkgoHelper()
	got := pressroom(append([]string{"keys", "create"}, args...)...)
	Expect(got.err).NotTo(HaveOccurred())
	c, err := credential.Parse(strings.TrimSuffix(got.out, "\n"))
	Expect(err).NotTo(HaveOccurred(), "stdout is the key and nothing else")
	return c
}

var _ = Describe("keys create", func() {
	It("prints the key once and stores its hash alone", func() {
		account := newAccount()
		got := pressroom("keys", "create", "--account="+account, "--scopes=approve,read", "--name=Mara's laptop",
			"--workspaces=acme-blog,acme-shop", "--expires-in=720h")
		Expect(got.err).NotTo(HaveOccurred())
		c, err := credential.Parse(strings.TrimSuffix(got.out, "\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(got.problems).To(And(ContainSubstring(c.ID), Not(ContainSubstring(secretOf(c.Reveal())))))

		k, err := stored(c.ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Matches(k.Spec.SecretHash)).To(BeTrue())
		Expect(k.Spec.ExpirationTime.Time).To(BeTemporally("==", start.Add(720*time.Hour)))
		k.Spec.SecretHash, k.Spec.ExpirationTime = "", nil
		Expect(k.Spec).To(Equal(v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: account}, DisplayName: "Mara's laptop",
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeApprove}, Workspaces: []string{"acme-blog", "acme-shop"},
		}))
	})

	It("makes a key that reads and writes and never expires by default", func() {
		k, err := stored(created("--account=" + newAccount()).ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(k.Spec.Scopes).To(Equal([]v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}))
		Expect(k.Spec.ExpirationTime).To(BeNil())
		Expect(k.Spec.Workspaces).To(BeEmpty())
	})

	It("makes a key whose id begins with the code of the installation", func() {
		account := "--account=" + newAccount()
		Expect(created(account).ID).To(HavePrefix("aa"))
		Expect(created(account, "--cell=7b").ID).To(HavePrefix("7b"))
		got := pressroom("keys", "create", account, "--cell=7B")
		Expect(got.err).To(MatchError(ContainSubstring("two characters of a-z and 2-7")))
	})

	It("makes a key that manages", func() {
		k, err := stored(created("--account="+newAccount(), "--scopes=manage,read,write,approve").ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(k.Spec.Scopes).To(Equal([]v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove, v1alpha1.ScopeManage}))
	})

	It("makes no more keys than the account may have", func() {
		account := newAccount()
		a := &v1alpha1.Account{}
		Expect(api.Get(context.Background(), client.ObjectKey{Name: account}, a)).To(Succeed())
		a.Spec.Limits.APIKeys = new(int32(1))
		Expect(api.Update(context.Background(), a)).To(Succeed())
		created("--account=" + newAccount())
		created("--account=" + account)
		got := pressroom("keys", "create", "--account="+account)
		Expect(got.err).To(MatchError(And(ContainSubstring("has 1 API keys and may have 1"), ContainSubstring("spec.limits.apiKeys"))))
		Expect(got.out).To(BeEmpty())
	})

	It("makes nothing for an account that does not exist", func() {
		got := pressroom("keys", "create", "--account=nobody")
		Expect(got.err).To(MatchError(ContainSubstring(`no account "nobody"`)))
		Expect(got.out).To(BeEmpty())
	})

	DescribeTable("prints a manifest that can be applied, and creates nothing", func(format string) {
		got := pressroom("keys", "create", "--account=not-yet", "--expires-in=1h", "-o", format)
		Expect(got.err).NotTo(HaveOccurred())
		key, _, _ := strings.Cut(got.problems, "\n")
		c, err := credential.Parse(key)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.out).NotTo(ContainSubstring(secretOf(key)))
		Expect(got.out).NotTo(Or(ContainSubstring("status"), ContainSubstring("creationTimestamp"), ContainSubstring("null")))
		_, err = stored(c.ID)
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)

		k := &v1alpha1.APIKey{}
		Expect(yaml.UnmarshalStrict([]byte(got.out), k)).To(Succeed())
		Expect(k.Kind).To(Equal("APIKey"))
		Expect(api.Create(context.Background(), k)).To(Succeed())
		k, err = stored(c.ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Matches(k.Spec.SecretHash)).To(BeTrue())
	}, Entry("in YAML", "yaml"), Entry("in JSON", "json"))
})

var _ = Describe("keys revoke", func() {
	It("ends keys by id and by the whole key", func() {
		account := newAccount()
		one, two, kept := created("--account="+account), created("--account="+account), created("--account="+account)
		got := pressroom("keys", "revoke", one.ID, two.Reveal())
		Expect(got.err).NotTo(HaveOccurred())
		Expect(got.out + got.problems).NotTo(ContainSubstring(secretOf(two.Reveal())))
		for _, c := range []credential.Credential{one, two} {
			_, err := stored(c.ID)
			Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
		}
		_, err := stored(kept.ID)
		Expect(err).NotTo(HaveOccurred())
	})

	It("says which keys there are not, and revokes the others", func() {
		c := created("--account=" + newAccount())
		got := pressroom("keys", "revoke", "bbbbbbbbbbbbbbbb", c.ID)
		Expect(got.err).To(MatchError(ContainSubstring("no API key bbbbbbbbbbbbbbbb")))
		_, err := stored(c.ID)
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
	})
})
