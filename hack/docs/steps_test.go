//go:build e2e

package docs

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// What pages take for granted, and others do meanwhile.

// callback is the redirect URI of clients on the pages.
const callback = "https://tool.example/callback"

// createKey creates the API key of the page.
func (r *reader) createKey() {
	r.Helper()
	blocks, err := docpage.BlocksOf("docs/reference/api-key.md", "yaml")
	must(r.T, err)
	r.apply(blocks[0])
}

// serve serves an external endpoint until the page ends, and returns its address.
func (r *reader) serve(h http.Handler) string {
	r.Helper()
	server := httptest.NewServer(h)
	r.Cleanup(server.Close)
	return server.URL
}

// consent has the person with the key of the reader let a client in at an address of the consent page. It returns where the browser is
// sent to.
func (r *reader) consent(address string) *url.URL {
	r.Helper()
	return testkit.Consent(r.T, address, r.APIKey, "read", "write")
}

// code has a person let a client in, with more in the query of the consent page, and returns the code that the client gets.
func (r *reader) code(client string, more url.Values) string {
	r.Helper()
	query := url.Values{"client_id": {client}, "redirect_uri": {callback}, "state": {"s"}, "scope": {"read write"}}
	maps.Copy(query, more)
	return r.consent(r.APIURL() + "/oauth/consent?" + query.Encode()).Query().Get("code")
}

// confidentialClient sets the variables client_id and client_secret to those of a new client.
func (r *reader) confidentialClient() {
	r.Helper()
	made := strings.Fields(r.must(`pressroom oauth-clients create --name "A tool" --redirect-uri ` + callback + ` --account acme`))
	r.must("client_id=" + made[0] + " client_secret=" + made[1])
}

// verifiedCode sets the variables verifier and code, for the client of client_id.
func (r *reader) verifiedCode() {
	r.Helper()
	const verifier = "a-verifier-of-at-least-43-characters-of-its-own"
	sum := sha256.Sum256([]byte(verifier))
	r.must("verifier=" + verifier + " code=" + r.code(r.must("echo $client_id"), url.Values{
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}))
}

// exchange sets the variable token to what the client of a page gets once a person has let it in.
func (r *reader) exchange(id, secret string) {
	r.Helper()
	r.must("code=" + r.code(r.must("echo "+id), nil))
	r.must(`token=$(` + askForToken + `-u "` + id + ":" + secret + `" \
  -d grant_type=authorization_code -d code="$code" --data-urlencode redirect_uri=` + callback + ` | jq -re .access_token)`)
}

// grant makes the grant of the page, whose token works: its client, and the person as a member of the account.
func (r *reader) grant() {
	r.Helper()
	r.apply(`{apiVersion: pressroom.dev/v1alpha1, kind: OAuthClient, metadata: {name: aawwknh332nvwi4z},
  spec: {displayName: A tool, redirectURIs: ["` + callback + `"], scopes: [Read, Write], type: Public}}`)
	r.must(`kubectl patch account acme --type merge -p '{"spec": {"members": [{"kind": "User", "name": "mara@acme.example", "scopes": ["Read", "Write"]}]}}'`)
	uid := r.must("kubectl get oauthclient aawwknh332nvwi4z -o jsonpath='{.metadata.uid}'")
	manifest := strings.ReplaceAll(r.yaml("name: aakjn7njaixrmqbu"), "5a9e3a4e-2f7a-4d51-a7c4-5b1b0f5f5a5e", uid)
	// A code that has expired is deleted, and the status follows in another request.
	r.apply(strings.ReplaceAll(manifest, `expirationTime: "20`, `expirationTime: "21`))
	var grant unstructured.Unstructured
	must(r.T, yaml.Unmarshal([]byte(manifest), &grant.Object))
	status, err := json.Marshal(map[string]any{"status": grant.Object["status"]})
	must(r.T, err)
	r.must("kubectl patch oauthgrant aakjn7njaixrmqbu --subresource status --type merge -p '" + string(status) + "'")
}
