//go:build e2e

package publish_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// signedRequest is a request as the code of a receiver sees it.
type signedRequest struct {
	Name    string            `json:"name"`
	Secret  string            `json:"secret"`
	Body    string            `json:"body"`
	Headers map[string]string `json:"headers"`
	want    bool
}

// language runs the examples in a programming language: program is an example with what calls it for each request on the standard input and
// prints true or false, a line each.
type language struct {
	name, file string
	command    []string
	program    func(example string, p page) string
}

// page is one with examples.
type page struct {
	name string
	// arguments are those of verified, by the name of the language. Each language has one example.
	arguments map[string]string
	// imports of the example in Go.
	imports []string
}

// The programs of docs/how-to/build-a-receiver.md have the code for Node.js and Go: hack/docs runs them.
var webhooks = page{
	name: "webhook.md",
	arguments: map[string]string{
		"python": "c['secret'].encode(), c['body'].encode(), c['headers']['x-service-signature']",
		"php":    "$c['secret'], $c['body'], $c['headers']['x-service-signature']",
	},
}

var delivery = page{
	name: "events.md",
	arguments: map[string]string{
		"js": "c.secret, Buffer.from(c.body), c.headers", "go": "c.Secret, []byte(c.Body), header(c.Headers)",
	},
	imports: []string{"net/http", "github.com/standard-webhooks/standard-webhooks/libraries/go"},
}

var languages = []language{
	{"js", "example.js", []string{"node"}, func(example string, p page) string {
		return example + "\nfor (const c of JSON.parse(require('node:fs').readFileSync(0))) console.log(verified(" + p.arguments["js"] + "));\n"
	}},
	{"python", "example.py", []string{"python3"}, func(example string, p page) string {
		return example + "\nimport json, sys\nfor c in json.load(sys.stdin):\n    print(str(verified(" + p.arguments["python"] + ")).lower())\n"
	}},
	{"php", "example.php", []string{"php", "-d", "display_errors=stderr", "-d", "error_reporting=-1"}, func(example string, p page) string {
		return "<?php\ndeclare(strict_types=1);\n" + example + "\nforeach (json_decode(stream_get_contents(STDIN), true) as $c) {\n" +
			"    echo verified(" + p.arguments["php"] + ") ? 'true' : 'false', \"\\n\";\n}\n"
	}},
	{"go", "example.go", []string{"go", "run"}, func(example string, p page) string {
		return "package main\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"os\"\n\t\"" + strings.Join(p.imports, "\"\n\t\"") + "\"\n)\n\n" + example + `
func main() {
	var cases []struct { Secret, Body string; Headers map[string]string }
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	for _, c := range cases {
		fmt.Println(verified(` + p.arguments["go"] + `))
	}
}

func header(values map[string]string) http.Header {
	h := http.Header{}
	for name, value := range values {
		h.Set(name, value)
	}
	return h
}
`
	}},
}

// The examples of docs/reference/webhook.md verify what they get (docs/reference/contract.md, Signature): they accept the golden
// vectors, and nothing else.
func TestExamplesOfTheDocumentationVerifyWhatSitesAreSent(t *testing.T) {
	testdata := filepath.Join("webhook", "testdata")
	secret := read(t, filepath.Join(testdata, "secret"))
	payloads, err := filepath.Glob(filepath.Join(testdata, "*.payload"))
	if err != nil || len(payloads) < 9 {
		t.Fatalf("there are %d golden payloads, %v, want 9 at least", len(payloads), err)
	}
	var cases []signedRequest
	add := func(name, secret, body, signature string, want bool) {
		cases = append(cases, signedRequest{name, secret, body, map[string]string{"x-service-signature": signature}, want})
	}
	for _, payload := range payloads {
		body := read(t, payload)
		signature := strings.TrimSpace(read(t, strings.TrimSuffix(payload, ".payload")+".signature"))
		name := filepath.Base(payload)
		add(name, secret, body, signature, true)
		add(name+" with another body", secret, body+" ", signature, false)
		add(name+" with another secret", secret+"x", body, signature, false)
		add(name+" without a signature", secret, body, "", false)
		add(name+" with half a signature", secret, body, signature[:32], false)
		add(name+" with a signature in another alphabet", secret, body, strings.Repeat("ä", 32), false)
	}
	runExamples(t, webhooks, cases)
}

// The examples of docs/reference/events.md accept what subscriptions are sent, and nothing else.
func TestExamplesOfTheDocumentationVerifyWhatSubscriptionsAreSent(t *testing.T) {
	const secret, body, id = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", `{"type":"blog.published","data":{"title":"Größe 42 👟"}}`, "e1"
	key, err := eventhook.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	sign := func(at time.Time, keys ...[]byte) string { return eventhook.Sign(keys, id, at, []byte(body)) }
	var cases []signedRequest
	add := func(name, body, id, signature string, at time.Time, want bool) {
		cases = append(cases, signedRequest{name, secret, body, map[string]string{
			"webhook-id": id, "webhook-timestamp": stamp(at), "webhook-signature": signature,
		}, want})
	}
	add("what is sent", body, id, sign(now, key), now, true)
	add("while the secret is rotated", body, id, sign(now, make([]byte, 32), key), now, true)
	add("another body", body+" ", id, sign(now, key), now, false)
	add("another id", body, "e2", sign(now, key), now, false)
	add("another secret", body, id, sign(now, make([]byte, 32)), now, false)
	add("another time than was signed", body, id, sign(now.Add(-time.Minute), key), now, false)
	add("an old request", body, id, sign(now.Add(-time.Hour), key), now.Add(-time.Hour), false)
	add("a request from the future", body, id, sign(now.Add(time.Hour), key), now.Add(time.Hour), false)
	add("no signature", body, id, "", now, false)
	add("a signature of another version", body, id, strings.Replace(sign(now, key), "v1,", "v1a,", 1), now, false)
	add("no time", body, id, sign(now, key), time.Time{}, false)
	runExamples(t, delivery, cases)
}

func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return strconv.FormatInt(at.Unix(), 10)
}

// runExamples runs a page's examples over the cases.
func runExamples(t *testing.T, p page, cases []signedRequest) {
	t.Helper()
	input, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(root, "docs", "reference", p.name))
	for _, l := range languages {
		if p.arguments[l.name] == "" {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			_, rest, found := strings.Cut(text, "```"+l.name+"\n")
			example, _, ended := strings.Cut(rest, "```\n")
			if !found || !ended || strings.Contains(rest, "```"+l.name+"\n") {
				t.Fatalf("docs/reference/%s must have one example in %s", p.name, l.name)
			}
			file := filepath.Join(t.TempDir(), l.file)
			if err := os.WriteFile(file, []byte(l.program(example, p)), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), l.command[0], append(l.command[1:], file)...)
			var problems bytes.Buffer
			// The example in Go imports modules of this one.
			run.Stdin, run.Stderr = bytes.NewReader(input), &problems
			output, err := run.Output()
			// A warning of an interpreter is a mistake too; go reports what it downloads.
			if err != nil || problems.Len() > 0 && l.name != "go" {
				t.Fatalf("%v\n%s", err, problems.String())
			}
			answers := strings.Fields(string(output))
			if len(answers) != len(cases) {
				t.Fatalf("%d answers to %d requests: %s", len(answers), len(cases), output)
			}
			for i, c := range cases {
				if want := map[bool]string{true: "true", false: "false"}[c.want]; answers[i] != want {
					t.Errorf("%s: %s, want %s", c.Name, answers[i], want)
				}
			}
		})
	}
}
