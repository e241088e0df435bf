//go:build e2e

package docs

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func oauthGrants() page {
	return page{
		file:    "docs/oauth-grants.md",
		prepare: func(r *reader) { r.grant() },
		before: map[string]func(*reader){
			"kubectl delete oauthgrants -n pressroom-system --field-selector":     (*reader).grant,
			"kubectl get oauthgrants -n pressroom-system -o jsonpath='{range":     (*reader).grant,
			"kubectl get oauthgrant wskjn7njaixrmqbu -n pressroom-system -o yaml": (*reader).grant,
		},
	}
}

// grant makes the grant of the page, whose token works: its client, and the person as a member of the account.
func (r *reader) grant() {
	r.Helper()
	r.apply(`{apiVersion: pressroom.dev/v1alpha1, kind: OAuthClient, metadata: {name: fywwknh332nvwi4z, namespace: pressroom-system},
  spec: {displayName: A tool, redirectURIs: ["` + callback + `"], scopes: [Read, Write], type: Public}}`)
	r.must(`kubectl patch account acme --type merge -p '{"spec": {"members": [{"email": "mara@acme.example", "scopes": ["Read", "Write"]}]}}'`)
	uid := r.must("kubectl get oauthclient fywwknh332nvwi4z -n pressroom-system -o jsonpath='{.metadata.uid}'")
	manifest := strings.ReplaceAll(r.yaml("name: wskjn7njaixrmqbu"), "5a9e3a4e-2f7a-4d51-a7c4-5b1b0f5f5a5e", uid)
	// A code that has expired is deleted, and the status follows in another request.
	r.apply(strings.ReplaceAll(manifest, `expiresAt: "20`, `expiresAt: "21`))
	var grant unstructured.Unstructured
	must(r.T, yaml.Unmarshal([]byte(manifest), &grant.Object))
	status, err := json.Marshal(map[string]any{"status": grant.Object["status"]})
	must(r.T, err)
	r.must("kubectl patch oauthgrant wskjn7njaixrmqbu -n pressroom-system --subresource status --type merge -p '" + string(status) + "'")
}
