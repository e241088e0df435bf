//go:build e2e

package controllers_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// velero stands in for Velero: it saves the objects of the workspace and of the account, and restores them without status, uids and
// owner references, in the order of their kinds' names.
const velero = `#!/bin/sh
set -e
kinds="articlerevisions articles briefs eventsubscriptions posts sites"
case "$1 $2" in
"backup create")
  case "$*" in *"--include-cluster-scoped-resources accounts.pressroom.dev,accountledgers.pressroom.dev,"*) ;; *) exit 1 ;; esac
  for kind in accountledgers accounts; do kubectl get $kind.pressroom.dev ACCOUNT -o json > velero-$kind.json; done
  kubectl get secrets -n NAMESPACE -o json > velero-secrets.json
  for kind in $kinds; do kubectl get $kind.pressroom.dev -n NAMESPACE -o json > velero-$kind.json; done ;;
"restore create")
  strip='.status, .metadata.uid, .metadata.resourceVersion, .metadata.ownerReferences, .metadata.managedFields'
  for kind in accountledgers accounts; do jq "del($strip)" velero-$kind.json | kubectl create -f -; done
  for kind in secrets $kinds; do
    if jq -e '.items | length > 0' velero-$kind.json > /dev/null; then jq "del(.items[] | $strip)" velero-$kind.json | kubectl create -f -; fi
  done ;;
esac
`

var _ = Describe("docs/how-to/backup.md", func() {
	for way, sections := range map[string][2]string{
		"kubectl": {"Back up with kubectl", "Restore with kubectl"}, "Velero": {"Velero", "Velero"},
	} {
		It("says how to bring everything back with "+way+", in commands that work", func() {
			t := newTenant()
			t.CreateSite()
			t.SetCredits(100)
			t.ReconcileSite()
			account := func() {
				GinkgoHelper()
				_, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
				Expect(err).NotTo(HaveOccurred())
			}
			account()
			keys := []client.ObjectKey{
				t.CreateArticle("generated", WithKeyword), t.CreateArticle("published", WithText("Published", "Text."), ApprovedInManifest, ToBePublished),
			}
			want := map[client.ObjectKey]seen{}
			for _, key := range keys {
				t.ReconcileUntilStable(key)
				want[key] = t.seen(key)
			}
			before := t.effects()
			run := t.shell()
			backUp, restore, confirm := commandsOfPage("docs/how-to/backup.md", sections[0]), commandsOfPage("docs/how-to/backup.md", sections[1]), commandsOfPage("docs/how-to/backup.md", "Confirm a restore")
			if way == "Velero" {
				backUp, restore = backUp[:2], restore[2:]
			}
			Expect(confirm).To(HaveLen(7))

			for _, c := range backUp {
				run(c.line)
			}
			t.wipe()
			Expect(api.DeleteAllOf(t.Ctx, &corev1.Secret{}, client.InNamespace(t.Namespace))).To(Succeed())
			Expect(api.Delete(t.Ctx, t.GetAccount())).To(Succeed())
			Expect(api.Delete(t.Ctx, NewLedger(t.Account))).To(Succeed())
			t.Restart()
			for _, c := range restore {
				run(c.line)
			}

			account()
			t.ReconcileSite()
			for _, key := range keys {
				t.ReconcileUntilStable(key)
			}
			Expect(run(confirm[0].line)).To(ContainSubstring("Restored"))
			Expect(run(confirm[1].line)).To(ContainSubstring(v1alpha1.ReasonValid), "nobody needs to confirm an account")
			if way == "kubectl" {
				Expect(run(confirm[2].line)).To(Equal("Review generated\n"))
			}
			run(confirm[4].line)
			t.ReconcileSite()
			for _, key := range keys {
				t.ReconcileUntilStable(key)
				Expect(t.seen(key)).To(Equal(want[key]))
			}
			Expect(t.effects()).To(Equal(before))
			Expect(run(confirm[5].line)).NotTo(ContainSubstring("False"))
			Expect(strings.Fields(run(confirm[6].line))).To(Equal([]string{"1", "Published", "1", "Review"}))
			run(strings.Replace(confirm[3].line, "huts-open", "generated", 1))
			Expect(t.GetArticle(keys[0]).Spec.Stage).To(Equal(v1alpha1.StageArchived))
			t.ReconcileUntilStable(t.CreateArticle("later", WithKeyword))
			Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(2), "the account goes on with what it had used")
		})
	}

	It("brings back the Secrets of the installation", func() {
		t := newTenant()
		own := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "pressroom-session-keys"}, StringData: map[string]string{"keys": "k"}}
		release := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "sh.helm.release.v1"}, Type: "helm.sh/release.v1"}
		Expect(api.Create(t.Ctx, own)).To(Succeed())
		Expect(api.Create(t.Ctx, release)).To(Succeed())
		shell, commands := t.shell(), commandsOfPage("docs/how-to/backup.md", "The installation")
		Expect(commands).To(HaveLen(6), "two of them are Helm's")
		run := func(c pageCommand) string { return shell(strings.ReplaceAll(c.line, "pressroom-system", t.Namespace)) }
		run(commands[2])
		Expect(api.DeleteAllOf(t.Ctx, &corev1.Secret{}, client.InNamespace(t.Namespace))).To(Succeed())
		run(commands[4])
		Expect(api.Get(t.Ctx, client.ObjectKeyFromObject(own), own)).To(Succeed())
		Expect(api.Get(t.Ctx, client.ObjectKeyFromObject(release), release)).NotTo(Succeed())
	})

	It("brings back what was made with an API key", func() {
		t := newTenant()
		t.CreateSite()
		t.SetCredits(1)
		maker := t.NewAPIKey()
		by := &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: maker.Name}
		made, _ := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead)
		made.Spec.CreatedByRef = by
		Expect(api.Create(t.Ctx, made)).To(Succeed())
		t.Subscribe("theirs", func(s *v1alpha1.EventSubscription) {
			s.Spec.CreatedByRef, s.Annotations = by, map[string]string{v1alpha1.TestEventAnnotation: "nonce"}
		})
		run := t.shell()
		for _, c := range commandsOfPage("docs/how-to/backup.md", "Back up with kubectl") {
			run(c.line)
		}
		t.wipe()
		for _, gone := range []client.Object{maker, made, t.Subscription("theirs"), t.GetAccount(), NewLedger(t.Account)} {
			Expect(api.Delete(t.Ctx, gone)).To(Succeed())
		}
		Expect(api.DeleteAllOf(t.Ctx, &corev1.Secret{}, client.InNamespace(t.Namespace))).To(Succeed())
		for _, c := range commandsOfPage("docs/how-to/backup.md", "Restore with kubectl") {
			run(c.line)
		}
		Expect(t.Verdict(t.APIKeys, made)).To(Equal("True/Valid"))
		_, err := t.SubscriptionAccess.Reconcile(t.Ctx, Request(client.ObjectKey{Namespace: t.Namespace, Name: "theirs"}))
		Expect(err).NotTo(HaveOccurred())
		Expect(t.Subscription("theirs").Spec.CreatedByRef).To(Equal(by))
		Expect(t.Subscription("theirs").Annotations).NotTo(HaveKey(v1alpha1.TestEventAnnotation), "it would be sent again")
	})

	It("says what becomes of API keys and OAuth clients", func() {
		t := newTenant()
		kept, restored, app := t.NewAPIKey(), t.NewAPIKey(), t.NewOAuthClient("tool")
		Expect(t.Verdict(t.APIKeys, kept)).To(Equal("True/Valid"))
		Expect(t.Verdict(t.APIKeys, restored)).To(Equal("True/Valid"))
		Expect(t.Verdict(t.OAuthClients, app)).To(Equal("True/Valid"))
		t.ReplaceAccount()
		Expect(api.Delete(t.Ctx, restored)).To(Succeed())
		restored.ResourceVersion, restored.UID = "", ""
		Expect(api.Create(t.Ctx, restored)).To(Succeed())
		Expect(t.Verdict(t.APIKeys, restored)).To(Equal("True/Valid"))
		Expect(restored.Status.AccountUID).To(Equal(string(t.GetAccount().UID)))

		Expect(t.Verdict(t.APIKeys, kept)).To(Equal("False/AccountNotFound"))
		Expect(t.Verdict(t.OAuthClients, app)).To(Equal("False/AccountNotFound"))
		commands := commandsOfPage("docs/how-to/backup.md", "API keys and OAuth clients")
		Expect(commands).To(HaveLen(1))
		t.shell()(commands[0].line)
		Expect(t.Verdict(t.APIKeys, kept)).To(Equal("True/Valid"))
		Expect(t.Verdict(t.OAuthClients, app)).To(Equal("True/Valid"))
		Expect(t.Verdict(t.APIKeys, restored)).To(Equal("True/Valid"))
	})
})

// shell runs command lines about the workspace acme-blog and the account acme on the tenant's, in a folder of its own.
func (t *tenant) shell() func(line string) string {
	GinkgoHelper()
	folder := GinkgoT().TempDir()
	program := strings.NewReplacer("ACCOUNT", t.Account, "NAMESPACE", t.Namespace).Replace(velero)
	Expect(os.WriteFile(filepath.Join(folder, "velero"), []byte(program), 0o700)).To(Succeed())
	kubectl := t.kubectl()
	return func(line string) string {
		GinkgoHelper()
		line = strings.NewReplacer(
			"accounts.pressroom.dev acme", "accounts.pressroom.dev "+t.Account,
			"accountledgers.pressroom.dev acme", "accountledgers.pressroom.dev "+t.Account, "accountRef.name=acme", "accountRef.name="+t.Account,
			"pressroom.dev/account=acme", "pressroom.dev/account="+t.Account,
		).Replace(line)
		return kubectl("cd " + folder + " && PATH=$PWD:$PATH && " + line)
	}
}
