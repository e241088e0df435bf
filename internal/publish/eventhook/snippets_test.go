package eventhook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// The snippets of docs/delivery.md accept what is sent, and nothing else, where their interpreter is there.
func TestSnippetsOfTheDocumentationVerify(t *testing.T) {
	const secret, body, id = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", `{"type":"blog.published"}`, "e1"
	key, err := eventhook.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "delivery.md"))
	if err != nil {
		t.Fatal(err)
	}
	now, old := time.Now(), time.Now().Add(-time.Hour)
	signature := eventhook.Sign([][]byte{make([]byte, 32), key}, id, now, []byte(body))
	tests := []struct {
		name, body, signature string
		at                    time.Time
		want                  string
	}{
		{"what is sent", body, signature, now, "true"},
		{"another body", body + " ", signature, now, "false"},
		{"an old request", body, eventhook.Sign([][]byte{key}, id, old, []byte(body)), old, "false"},
		{"no signature", body, "", now, "false"},
	}
	for _, language := range []struct{ name, program, call string }{
		{"js", "node", "console.log(verified(%q, Buffer.from(%q), {'webhook-id': %q, 'webhook-timestamp': '%d', 'webhook-signature': %q}))"},
		{"python", "python3", "print(str(verified(%q, %q.encode(), {'webhook-id': %q, 'webhook-timestamp': '%d', 'webhook-signature': %q})).lower())"},
	} {
		program, err := exec.LookPath(language.program)
		if err != nil {
			t.Logf("%s is not there", language.program)
			continue
		}
		_, rest, found := strings.Cut(string(document), "```"+language.name+"\n")
		snippet, _, ended := strings.Cut(rest, "```\n")
		if !found || !ended {
			t.Fatalf("docs/delivery.md has no snippet in %s", language.name)
		}
		for _, tt := range tests {
			script := snippet + "\n" + fmt.Sprintf(language.call, secret, tt.body, id, tt.at.Unix(), tt.signature) + "\n"
			run := exec.CommandContext(t.Context(), program, "-")
			run.Stdin = strings.NewReader(script)
			output, err := run.CombinedOutput()
			if got := strings.TrimSpace(string(output)); err != nil || got != tt.want {
				t.Errorf("%s, %s: got %q, %v, want %s", language.name, tt.name, got, err, tt.want)
			}
		}
	}
}
