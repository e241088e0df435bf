package main

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

func storedClient(clientID string) (*v1alpha1.OAuthClient, error) {
	registered := &v1alpha1.OAuthClient{}
	name := strings.TrimPrefix(clientID, v1alpha1.ClientIDPrefix)
	err := api.Get(context.Background(), client.ObjectKey{Name: name}, registered)
	return registered, err
}

func hashes(c *v1alpha1.OAuthClient) (all []string) {
	for _, s := range c.Spec.Secrets {
		all = append(all, s.Hash)
	}
	return all
}

// printedClient parses what create and rotate print on stdout.
func printedClient(out string) (clientID string, secret credential.Credential) {
	GinkgoHelper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	Expect(lines).To(HaveLen(2))
	c, err := credential.Parse(lines[1])
	Expect(err).NotTo(HaveOccurred())
	Expect(c.Type).To(Equal(credential.ClientSecret))
	return lines[0], c
}

// secretOnStderr parses the secret that is printed on stderr beside a manifest.
func secretOnStderr(problems string) credential.Credential {
	GinkgoHelper()
	_, line, _ := strings.Cut(problems, "client secret: ")
	secret, err := credential.Parse(strings.SplitN(line, "\n", 2)[0])
	Expect(err).NotTo(HaveOccurred())
	return secret
}

var _ = Describe("oauth-clients", func() {
	It("creates a client, prints its id and its secret once, and stores the hash alone", func() {
		account := newAccount()
		got := pressroom("oauth-clients", "create", "--name=Newsletter tool", "--redirect-uri=https://tool.example/a",
			"--redirect-uri=https://tool.example/b?x=1,2", "--scopes=approve,read", "--account="+account, "--contacts=help@tool.example")
		Expect(got.err).NotTo(HaveOccurred())
		id, secret := printedClient(got.out)
		registered, err := storedClient(id)
		Expect(err).NotTo(HaveOccurred())
		Expect(hashes(registered)).To(Equal([]string{secret.Hash()}))
		registered.Spec.Secrets = nil
		Expect(registered.Spec).To(Equal(v1alpha1.OAuthClientSpec{
			DisplayName: "Newsletter tool", AccountRef: &v1alpha1.AccountReference{Name: account},
			RedirectURIs: []string{"https://tool.example/a", "https://tool.example/b?x=1,2"}, LoopbackPort: v1alpha1.LoopbackPortRegistered,
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeApprove}, Type: v1alpha1.OAuthClientConfidential,
			Contacts: []string{"help@tool.example"},
		}))
		Expect(got.problems).NotTo(ContainSubstring(secretOf(secret.Reveal())))
	})

	It("prints a manifest for Git that can be applied, and creates nothing", func() {
		got := pressroom("oauth-clients", "create", "--name=Tool", "--redirect-uri=https://tool.example/a", "-o=yaml")
		Expect(got.err).NotTo(HaveOccurred())
		registered := &v1alpha1.OAuthClient{}
		Expect(yaml.UnmarshalStrict([]byte(got.out), registered)).To(Succeed())
		secret := secretOnStderr(got.problems)
		Expect(got.out).NotTo(ContainSubstring(secretOf(secret.Reveal())))
		Expect(got.out).NotTo(Or(ContainSubstring("status"), ContainSubstring("creationTimestamp"), ContainSubstring("null")))
		Expect(got.problems).To(ContainSubstring(registered.ClientID()))
		_, err := storedClient(registered.ClientID())
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
		Expect(api.Create(context.Background(), registered)).To(Succeed())
		Expect(hashes(registered)).To(Equal([]string{secret.Hash()}))
	})

	It("gives a public client no secret", func() {
		got := pressroom("oauth-clients", "create", "--name=Tool", "--redirect-uri=http://127.0.0.1/a", "--public", "--any-loopback-port")
		Expect(got.err).NotTo(HaveOccurred())
		registered, err := storedClient(strings.TrimSpace(got.out))
		Expect(err).NotTo(HaveOccurred())
		Expect(registered.Spec.Secrets).To(BeEmpty())
		Expect(registered.Spec.LoopbackPort).To(Equal(v1alpha1.LoopbackPortAny))
		Expect(pressroom("oauth-clients", "rotate", registered.ClientID()).err).To(MatchError(ContainSubstring("no secret")))
	})

	It("rotates a secret, keeping the one before", func() {
		id, first := printedClient(pressroom("oauth-clients", "create", "--name=Tool", "--redirect-uri=https://tool.example/a").out)
		again, second := printedClient(pressroom("oauth-clients", "rotate", id).out)
		_, third := printedClient(pressroom("oauth-clients", "rotate", id).out)
		Expect(again).To(Equal(id))
		registered, err := storedClient(id)
		Expect(err).NotTo(HaveOccurred())
		Expect(hashes(registered)).To(Equal([]string{third.Hash(), second.Hash()}))
		Expect(first.Hash()).NotTo(BeElementOf(hashes(registered)))
		Expect(registered.Spec.Secrets[0].ExpirationTime).To(BeNil())
		Expect(registered.Spec.Secrets[1].ExpirationTime.Time).To(BeTemporally("~", time.Now().Add(7*24*time.Hour), time.Hour))
		_, last := printedClient(pressroom("oauth-clients", "rotate", id, "--overlap=0").out)
		registered, err = storedClient(id)
		Expect(err).NotTo(HaveOccurred())
		Expect(hashes(registered)).To(Equal([]string{last.Hash()}))
	})

	It("rotates a secret in a manifest for Git, and changes nothing", func() {
		id, first := printedClient(pressroom("oauth-clients", "create", "--name=Tool", "--redirect-uri=https://tool.example/a").out)
		before, err := storedClient(id)
		Expect(err).NotTo(HaveOccurred())
		got := pressroom("oauth-clients", "rotate", id, "-o=yaml")
		Expect(got.err).NotTo(HaveOccurred())
		second := secretOnStderr(got.problems)
		Expect(got.out).NotTo(Or(ContainSubstring(secretOf(second.Reveal())), ContainSubstring("status"),
			ContainSubstring("resourceVersion"), ContainSubstring("creationTimestamp"), ContainSubstring("managedFields")))
		registered := &v1alpha1.OAuthClient{}
		Expect(yaml.UnmarshalStrict([]byte(got.out), registered)).To(Succeed())
		Expect(hashes(registered)).To(Equal([]string{second.Hash(), first.Hash()}))
		Expect(registered.Name).To(Equal(before.Name))
		after, err := storedClient(id)
		Expect(err).NotTo(HaveOccurred())
		Expect(after.ResourceVersion).To(Equal(before.ResourceVersion))
	})

	DescribeTable("refuses what makes no sense, and says so", func(want string, args ...string) {
		got := pressroom(append([]string{"oauth-clients"}, args...)...)
		Expect(got.err).To(MatchError(ContainSubstring(want)))
		Expect(got.out).To(BeEmpty())
	},
		Entry("no name", "--name must", "create", "--redirect-uri=https://a.example"),
		Entry("no redirect URI", "--redirect-uri must", "create", "--name=a"),
		Entry("a script", "--redirect-uri must", "create", "--name=a", "--redirect-uri=javascript:alert(1)"),
		Entry("an unknown scope", `not "admin"`, "create", "--name=a", "--redirect-uri=https://a.example", "--scopes=admin"),
		Entry("a scope that no client gets", `must be of read, write, approve, not "manage"`, "create", "--name=a",
			"--redirect-uri=https://a.example", "--scopes=read,manage"),
		Entry("an unknown account", `no account "nobody"`, "create", "--name=a", "--redirect-uri=https://a.example", "--account=nobody"),
		Entry("another output", "--output must", "create", "--name=a", "--redirect-uri=https://a.example", "-o=xml"),
		Entry("an account that cannot be", "--account must", "create", "--name=a", "--redirect-uri=https://a.example", "--account=A/b"),
		Entry("another output of rotate", "--output must", "rotate", "pr_ci_nobody", "-o=json"),
		Entry("no client id", "not a client id", "rotate", "tool"),
		Entry("an unknown client", "no client pr_ci_nobody", "rotate", "pr_ci_nobody"),
	)
})
