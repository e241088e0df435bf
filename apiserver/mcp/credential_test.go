package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestARequestHasOneCredential(t *testing.T) {
	e := serve(t)
	const metadata = `Bearer resource_metadata="` + base + `/.well-known/oauth-protected-resource/mcp"`
	list := message("tools/list", map[string]any{})
	for name, c := range map[string]struct {
		headers   []string
		status    int
		challenge string
		says      string
	}{
		"x-api-key":                  {[]string{"x-api-key", operationtest.ReadOnlyKey}, http.StatusOK, "", ""},
		"Bearer":                     {[]string{"Authorization", "Bearer " + operationtest.ReadOnlyKey}, http.StatusOK, "", ""},
		"bearer in lower case":       {[]string{"Authorization", "bearer " + operationtest.ReadOnlyKey}, http.StatusOK, "", ""},
		"a token":                    {[]string{"Authorization", "Bearer " + operationtest.AppToken}, http.StatusOK, "", ""},
		"none":                       {nil, http.StatusUnauthorized, metadata, "Authorization must carry Bearer"},
		"an empty key":               {[]string{"x-api-key", ""}, http.StatusUnauthorized, metadata, "UNAUTHORIZED"},
		"Bearer without a token":     {[]string{"Authorization", "Bearer "}, http.StatusUnauthorized, metadata, "UNAUTHORIZED"},
		"a key that does not work":   {[]string{"x-api-key", "none"}, http.StatusUnauthorized, metadata + `, error="invalid_token"`, "UNAUTHORIZED"},
		"a token that does not work": {[]string{"Authorization", "Bearer none"}, http.StatusUnauthorized, metadata + `, error="invalid_token"`, "UNAUTHORIZED"},
		"both":                       {[]string{"x-api-key", operationtest.ReadOnlyKey, "Authorization", "Bearer " + operationtest.ReadOnlyKey}, http.StatusBadRequest, "", "send one credential"},
		"a key twice":                {[]string{"x-api-key", operationtest.ReadOnlyKey, "x-api-key", operationtest.WriterKey}, http.StatusBadRequest, "", "must not come twice"},
		"Bearer twice": {
			[]string{"Authorization", "Bearer " + operationtest.ReadOnlyKey, "Authorization", "Bearer " + operationtest.WriterKey},
			http.StatusBadRequest, "", "must not come twice",
		},
		"another scheme":    {[]string{"Authorization", "Basic bWFyYTpzZWNyZXQ="}, http.StatusBadRequest, "", "must be Bearer"},
		"a cookie":          {[]string{"Cookie", "session=" + operationtest.RightKey}, http.StatusUnauthorized, metadata, "UNAUTHORIZED"},
		"cannot be checked": {[]string{"x-api-key", "away"}, http.StatusServiceUnavailable, "", "UNAVAILABLE"},
	} {
		status, header, text := e.post(list, c.headers...)
		if status != c.status || header.Get("WWW-Authenticate") != c.challenge || !strings.Contains(text, c.says) {
			t.Errorf("%s: got %d, WWW-Authenticate %q: %s; want %d, %q and %q", name, status, header.Get("WWW-Authenticate"), text,
				c.status, c.challenge, c.says)
		}
	}
}

// A REST API with a Bearer token would have two ways for one thing: x-api-key is that of the contract.
func TestBearerIsForTheEndpointAlone(t *testing.T) {
	e := serve(t)
	got := e.Do(operationtest.Request{Path: "/v1/api/sites", Key: "-", Header: map[string]string{"Authorization": "Bearer " + operationtest.RightKey}})
	if got.Status != http.StatusUnauthorized {
		t.Errorf("got %d, want 401", got.Status)
	}
}

func TestNobodyIsAnsweredBeforeTheIndexIsComplete(t *testing.T) {
	e := serve(t)
	e.Synced = false
	status, _, text := e.post(message("tools/list", map[string]any{}), "x-api-key", operationtest.ReadOnlyKey)
	if status != http.StatusServiceUnavailable || !strings.Contains(text, "the service is starting") {
		t.Errorf("got %d %s", status, text)
	}
}
