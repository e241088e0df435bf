//go:build e2e

package controllers_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// velero stands in for Velero: it saves the objects of the workspace and of the account, and restores them without status, uids and
// owner references, in the order of their kinds' names.
const velero = `#!/bin/sh
set -e
kinds="articlerevisions articles eventsubscriptions posts sites"
case "$1 $2" in
"backup create")
  kubectl get accounts.pressroom.dev ACCOUNT -o json > account.json
  kubectl get secrets -n NAMESPACE -o json > velero-secrets.json
  for kind in $kinds; do kubectl get $kind.pressroom.dev -n NAMESPACE -o json > velero-$kind.json; done ;;
"restore create")
  strip='.status, .metadata.uid, .metadata.resourceVersion, .metadata.ownerReferences, .metadata.managedFields'
  jq "del($strip)" account.json | kubectl create -f -
  for kind in secrets $kinds; do
    if jq -e '.items | length > 0' velero-$kind.json > /dev/null; then jq "del(.items[] | $strip)" velero-$kind.json | kubectl create -f -; fi
  done ;;
esac
`

var _ = Describe("docs/backup.md", func() {
	for way, sections := range map[string][2]string{
		"kubectl": {"Back up with kubectl", "Restore with kubectl"}, "Velero": {"Velero", "Velero"},
	} {
		It("says how to bring everything back with "+way+", in commands that work", func() {
			w := newWorld()
			w.createSite()
			w.setCredits(100)
			w.reconcileSite()
			account := func() {
				GinkgoHelper()
				_, err := w.Accounts.Reconcile(w.ctx, request(client.ObjectKey{Name: w.account}))
				Expect(err).NotTo(HaveOccurred())
			}
			account()
			keys := []client.ObjectKey{
				w.createArticle("generated", withKeyword), w.createArticle("published", withText("Published", "Text."), approvedInManifest, toBePublished),
			}
			want := map[client.ObjectKey]seen{}
			for _, key := range keys {
				w.reconcileUntilStable(key)
				want[key] = w.seen(key)
			}
			before := w.effects()
			run := w.shell()
			backUp, restore, confirm := commandsOfPage("backup.md", sections[0]), commandsOfPage("backup.md", sections[1]), commandsOfPage("backup.md", "Confirm a restore")
			if way == "Velero" {
				backUp, restore = backUp[:1], restore[1:]
			}
			Expect(confirm).To(HaveLen(5))

			for _, c := range backUp {
				run(c.line)
			}
			w.wipe()
			Expect(api.DeleteAllOf(w.ctx, &corev1.Secret{}, client.InNamespace(w.namespace))).To(Succeed())
			Expect(api.Delete(w.ctx, w.readAccount())).To(Succeed())
			w.restart()
			for _, c := range restore {
				run(c.line)
			}

			account()
			w.reconcileSite()
			for _, key := range keys {
				w.reconcileUntilStable(key)
			}
			Expect(run(confirm[0].line)).To(ContainSubstring("Restored"))
			Expect(run(confirm[1].line)).To(ContainSubstring("UsageUnknown"))
			run(confirm[2].line)
			run(confirm[3].line)
			account()
			account()
			w.reconcileSite()
			for _, key := range keys {
				w.reconcileUntilStable(key)
				Expect(w.seen(key)).To(Equal(want[key]))
			}
			Expect(w.effects()).To(Equal(before))
			Expect(run(confirm[4].line)).To(And(ContainSubstring("Published"), ContainSubstring("Review")))
			Expect(run(confirm[1].line)).To(ContainSubstring(v1alpha1.ReasonValid))
		})
	}

	It("says what becomes of API keys and OAuth clients", func() {
		w := newWorld()
		kept, restored, app := w.newKey("abcdefgh23456741"), w.newKey("abcdefgh23456742"), w.newApp("tool")
		Expect(w.verdict(w.APIKeys, kept)).To(Equal("True/Valid"))
		Expect(w.verdict(w.APIKeys, restored)).To(Equal("True/Valid"))
		Expect(w.verdict(w.OAuthClients, app)).To(Equal("True/Valid"))
		w.replaceAccount()
		Expect(api.Delete(w.ctx, restored)).To(Succeed())
		restored.ResourceVersion, restored.UID = "", ""
		Expect(api.Create(w.ctx, restored)).To(Succeed())
		Expect(w.verdict(w.APIKeys, restored)).To(Equal("True/Valid"))
		Expect(restored.Status.AccountUID).To(Equal(string(w.getAccount().UID)))

		Expect(w.verdict(w.APIKeys, kept)).To(Equal("False/AccountNotFound"))
		Expect(w.verdict(w.OAuthClients, app)).To(Equal("False/AccountNotFound"))
		commands := commandsOfPage("backup.md", "API keys and OAuth clients")
		Expect(commands).To(HaveLen(1))
		w.shell()(commands[0].line)
		Expect(w.verdict(w.APIKeys, kept)).To(Equal("True/Valid"))
		Expect(w.verdict(w.OAuthClients, app)).To(Equal("True/Valid"))
		Expect(w.verdict(w.APIKeys, restored)).To(Equal("True/Valid"))
	})
})

// shell runs command lines about the workspace acme-blog and the account acme on the world's, in a folder of its own. Keys and clients
// are in the workspace too.
func (w *world) shell() func(line string) string {
	GinkgoHelper()
	folder := GinkgoT().TempDir()
	program := strings.NewReplacer("ACCOUNT", w.account, "NAMESPACE", w.namespace).Replace(velero)
	Expect(os.WriteFile(filepath.Join(folder, "velero"), []byte(program), 0o700)).To(Succeed())
	kubectl := w.kubectl()
	return func(line string) string {
		GinkgoHelper()
		line = strings.NewReplacer(
			"accounts.pressroom.dev acme", "accounts.pressroom.dev "+w.account, `"acme"`, `"`+w.account+`"`, "-n pressroom-system", "-n "+w.namespace,
		).Replace(line)
		return kubectl("cd " + folder + " && PATH=$PWD:$PATH && " + line)
	}
}
