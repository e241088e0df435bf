//go:build e2e

package docs

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/project"
)

// The receivers of the guide are whole programs. They store what is signed, and refuse everything else.
func TestTheReceiversOfTheGuide(t *testing.T) {
	for language, command := range map[string][]string{"js": {"node", "receiver.mjs"}, "go": {"go", "run", "receiver.go"}} {
		t.Run(language, func(t *testing.T) {
			blocks, err := docpage.BlocksOf("docs/how-to/build-a-receiver.md", language)
			if err != nil || len(blocks) != 1 {
				t.Fatalf("the page has %d programs, %v, want 1", len(blocks), err)
			}
			testdata := filepath.Join(project.Root(), "internal", "publish", "webhook", "testdata")
			url, folder := startReceiver(t, blocks[0], command, read(t, filepath.Join(testdata, "secret")))
			payloads, err := filepath.Glob(filepath.Join(testdata, "*.payload"))
			if err != nil || len(payloads) < 9 {
				t.Fatalf("there are %d golden payloads, %v, want 9 at least", len(payloads), err)
			}
			for _, payload := range payloads {
				body, signature := read(t, payload), strings.TrimSpace(read(t, strings.TrimSuffix(payload, ".payload")+".signature"))
				for range 2 {
					expectAnswer(t, url, "post.publish", body, signature, http.StatusOK, `"id":`)
				}
				expectAnswer(t, url, "connection.test", body, signature, http.StatusNoContent, "")
				expectAnswer(t, url, "post.publish", body+" ", signature, http.StatusUnauthorized, "signature")
				for _, wrong := range []string{"", signature[:32], strings.Repeat("ä", 32)} {
					expectAnswer(t, url, "post.publish", body, wrong, http.StatusUnauthorized, "signature")
				}
			}
			stored, err := filepath.Glob(filepath.Join(folder, "posts", "*.json"))
			if err != nil || len(stored) == 0 {
				t.Errorf("%d posts are stored, %v", len(stored), err)
			}
		})
	}
}

// startReceiver returns the address of a running receiver, and the folder that it runs in.
func startReceiver(t *testing.T, program string, command []string, secret string) (url, folder string) {
	t.Helper()
	free, err := ports.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, command[len(command)-1]), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	name, args := command[0], command[1:]
	if name == "go" {
		// `go run` would leave its child behind.
		build := exec.CommandContext(t.Context(), "go", "build", "-o", "receiver", command[2])
		build.Dir = folder
		if output, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		name, args = filepath.Join(folder, "receiver"), nil
	}
	run := exec.CommandContext(t.Context(), name, args...)
	var printed bytes.Buffer
	run.Dir, run.Stdout, run.Stderr = folder, &printed, &printed
	run.Env = append(os.Environ(), "PORT="+strconv.Itoa(free.API), "SIGNING_SECRET="+secret)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Process.Kill(); err != nil {
			t.Error(err)
		}
		// It was killed, which Wait reports.
		_ = run.Wait()
		if t.Failed() {
			t.Log(printed.String())
		}
	})
	url = "http://127.0.0.1:" + strconv.Itoa(free.API) + "/hook"
	NewWithT(t).Eventually(t.Context(), func() error {
		_, _, err := post(t, url, "", "", "")
		return err
	}).WithTimeout(time.Minute).WithPolling(100 * time.Millisecond).Should(Succeed())
	return url, folder
}

func expectAnswer(t *testing.T, url, event, body, signature string, wantStatus int, wantBody string) {
	t.Helper()
	status, answer, err := post(t, url, event, body, signature)
	if err != nil || status != wantStatus || !strings.Contains(answer, wantBody) {
		t.Errorf("%s is answered with %d %s, %v; want %d %s", event, status, answer, err, wantStatus, wantBody)
	}
}

func post(t *testing.T, url, event, body, signature string) (status int, answer string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("X-SERVICE-Event", event)
	request.Header.Set("X-SERVICE-Signature", signature)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	return string(text)
}
