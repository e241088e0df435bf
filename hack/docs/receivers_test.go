//go:build e2e

package docs

import (
	"bytes"
	"io"
	"maps"
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

// guide has the receivers, one in each section. Those in JavaScript share the file that the page begins with.
const guide = "docs/how-to/build-a-receiver.md"

// receivers are the sections of the guide.
var receivers = map[string]receiver{
	"Node.js": {file: "receiver.js", command: []string{"node", "receiver.js"}},
	"Express": {file: "receiver.js", command: []string{"node", "receiver.js"}, modules: true},
	"Next.js": {file: "route.js", command: []string{"node", "serve.js"}, more: map[string]string{"serve.js": routeServer}},
	"Go":      {file: "receiver.go", install: []string{"go", "build", "-o", "receiver", "receiver.go"}, command: []string{"./receiver"}},
}

// receiver is a program of the guide.
type receiver struct {
	// file has the program, in a folder of its own.
	file string
	// install runs in the folder before the program; may be nil.
	install []string
	command []string
	// modules is whether it imports what `make bin/clients` has installed.
	modules bool
	// more are files that the program does not bring along.
	more map[string]string
}

// routeServer calls a route handler as Next.js does: with the Request that came, of which the handler reads the body.
const routeServer = `import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { POST } from './route.js';

createServer(async (request, response) => {
  const body = Readable.toWeb(request);
  const answer = await POST(new Request('http://' + request.headers.host + request.url, { method: request.method, headers: request.headers, body, duplex: 'half' }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
}).listen(Number(process.env.PORT));
`

// The receivers of the guide are whole programs. They store what is signed, and refuse everything else.
func TestTheReceiversOfTheGuide(t *testing.T) {
	testdata := filepath.Join(project.Root(), "internal", "publish", "webhook", "testdata")
	payloads, err := filepath.Glob(filepath.Join(testdata, "*.payload"))
	if err != nil || len(payloads) < 9 {
		t.Fatalf("there are %d golden payloads, %v, want 9 at least", len(payloads), err)
	}
	for section, program := range receivers {
		t.Run(section, func(t *testing.T) {
			url, folder := program.start(t, section, read(t, filepath.Join(testdata, "secret")))
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

// write writes the program of a section, and what it needs, into a folder.
func (r receiver) write(t *testing.T, section, folder string) {
	t.Helper()
	blocks, err := docpage.Blocks(guide)
	must(t, err)
	files := map[string]string{"package.json": `{"type": "module"}`}
	maps.Copy(files, r.more)
	for _, b := range blocks {
		switch {
		case b.Section == "" && b.Language == "js":
			files["pressroom.js"] = b.Text
		case b.Section == section:
			files[r.file] += b.Text
		}
	}
	if files["pressroom.js"] == "" || files[r.file] == "" {
		t.Fatalf("%s has no program in %q, or none before its first section", guide, section)
	}
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	if r.modules {
		must(t, os.Symlink(filepath.Join(project.Root(), "bin", "clients", "node_modules"), filepath.Join(folder, "node_modules")))
	}
}

// start returns the address of a running receiver, and the folder that it runs in.
func (r receiver) start(t *testing.T, section, secret string) (url, folder string) {
	t.Helper()
	free, err := ports.Free(t.Context())
	must(t, err)
	folder = t.TempDir()
	r.write(t, section, folder)
	if r.install != nil {
		install := exec.CommandContext(t.Context(), r.install[0], r.install[1:]...)
		install.Dir = folder
		if output, err := install.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
	run := exec.CommandContext(t.Context(), r.command[0], r.command[1:]...)
	var printed bytes.Buffer
	run.Dir, run.Stdout, run.Stderr = folder, &printed, &printed
	run.Env = append(os.Environ(), "PORT="+strconv.Itoa(free.API), "SIGNING_SECRET="+secret)
	must(t, run.Start())
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
	url = "http://127.0.0.1:" + strconv.Itoa(free.API) + "/hooks/pressroom"
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
	request.Header.Set("Content-Type", "application/json")
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
