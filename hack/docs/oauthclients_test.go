//go:build e2e

package docs

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/url"
	"strings"
)

func oauthClients() page {
	const token = `curl -sS "$PRESSROOM_URL/v1/public/oauth/token" `
	return page{
		file: "docs/oauth-clients.md",
		before: map[string]func(*reader){
			"pressroom oauth-clients rotate pr_ci_3u3ntef7lzig6jmn": func(r *reader) { r.apply(r.yaml("name: 3u3ntef7lzig6jmn")) },
			token + "-H": func(r *reader) {
				made := strings.Fields(r.must(`pressroom oauth-clients create --name "A tool" --redirect-uri ` + callback + ` --account acme`))
				r.must("client_id=" + made[0] + " client_secret=" + made[1])
				r.must("code=" + r.code(made[0], nil))
			},
			token + "-u": func(r *reader) {
				const verifier = "a-verifier-of-at-least-43-characters-of-its-own"
				sum := sha256.Sum256([]byte(verifier))
				r.must("verifier=" + verifier + " code=" + r.code(r.must("echo $client_id"), url.Values{
					"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
				}))
			},
			`curl -sS "$PRESSROOM_URL/v1/api/sites" -H "x-api-key: $token"`: func(r *reader) { r.exchange("$client_id", "$client_secret") },
		},
	}
}

// callback is the redirect URI of clients on the pages.
const callback = "https://tool.example/callback"

// code has a person let a client in, with more in the query of the consent page, and returns the code that the client gets.
func (r *reader) code(client string, more url.Values) string {
	r.Helper()
	query := url.Values{"client_id": {client}, "redirect_uri": {callback}, "state": {"s"}, "scope": {"read write"}}
	maps.Copy(query, more)
	return r.consent(r.APIURL() + "/oauth/consent?" + query.Encode()).Query().Get("code")
}

// exchange sets the variable token to what the client of a page gets once a person has let it in.
func (r *reader) exchange(id, secret string) {
	r.Helper()
	r.must("code=" + r.code(r.must("echo "+id), nil))
	r.must(`token=$(curl -sS "$PRESSROOM_URL/v1/public/oauth/token" -u "` + id + ":" + secret + `" \
  -d grant_type=authorization_code -d code="$code" --data-urlencode redirect_uri=` + callback + ` | jq -re .access_token)`)
}
