package credential_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/credential"
)

// secretIn reports whether any eight characters of the credential's secret stand in s, as text or in hex.
func secretIn(s string, c credential.Credential) bool {
	secret := c.Reveal()[23:]
	for i := range len(secret) - 8 {
		part := secret[i : i+8]
		if strings.Contains(s, part) || strings.Contains(strings.ToLower(s), fmt.Sprintf("%x", part)) {
			return true
		}
	}
	return false
}

func TestNoWayOfPrintingShowsTheSecret(t *testing.T) {
	c := mustNew(t, credential.APIKey)
	type holder struct {
		Public  credential.Credential
		private credential.Credential
		pointer *credential.Credential
	}
	values := map[string]any{
		"value": c, "pointer": &c, "slice": []credential.Credential{c}, "map": map[string]credential.Credential{"a": c},
		"struct": holder{c, c, &c}, "pointer to struct": &holder{c, c, &c},
	}
	for name, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%10v"} {
			if got := fmt.Sprintf(verb, v); secretIn(got, c) {
				t.Errorf("%s printed with %s shows the secret: %s", name, verb, got)
			}
		}
	}
}

func TestNoLogOrJSONShowsTheSecret(t *testing.T) {
	c := mustNew(t, credential.APIKey)
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("a", "credential", c, "pointer", &c)
	slog.New(slog.NewTextHandler(&out, nil)).Info("a", "credential", c, "in", struct{ C credential.Credential }{c})
	if err := json.NewEncoder(&out).Encode(map[string]any{"credential": c, "pointer": &c}); err != nil {
		t.Fatal(err)
	}
	if secretIn(out.String(), c) {
		t.Errorf("the secret is in %s", out.String())
	}
	if !strings.Contains(out.String(), c.ID) {
		t.Errorf("the id, which helps to find the key, is not in %s", out.String())
	}
}

func TestRevealDoesShowTheSecret(t *testing.T) {
	c := mustNew(t, credential.APIKey)
	if !secretIn(c.Reveal(), c) {
		t.Error("secretIn finds nothing: the tests above prove nothing")
	}
}
