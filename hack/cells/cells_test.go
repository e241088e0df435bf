//go:build e2e

package cells

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/program"
	"github.com/pressroom-dev/pressroom/test/project"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const page = "docs/how-to/several-installations.md"

// Two installations know nothing of each other. A proxy that reads two characters of each credential makes one address of them.
func TestOneAddressForTwoInstallations(t *testing.T) {
	aa, ab := start(t, "aa"), start(t, "ab")
	p := startProxy(t, aa, ab)
	for code, s := range map[string]*system.System{"aa": aa, "ab": ab} {
		p.api(t, s.APIKey).must(t, http.StatusCreated, http.MethodPost, "/v1/api/blogs", map[string]any{
			"site_uid": s.SiteUID(), "title": "Written in " + code, "content_markdown": "The huts are open.", "draft": true,
		})
	}
	tests := []struct {
		name, code string
		by         caller
	}{
		{"a key of aa", "aa", p.api(t, aa.APIKey)},
		{"a key of ab", "ab", p.api(t, ab.APIKey)},
		{"a key of ab that the command of the page makes", "ab", p.api(t, keyOfThePage(t, ab))},
		{"a token that an app got from aa", "aa", p.api(t, token(t, aa))},
		{"a token that an app got from ab", "ab", p.api(t, token(t, ab))},
		{"a key of aa for tools", "aa", p.tools(aa.APIKey, "Bearer ")},
		{"a key of ab for tools", "ab", p.tools(ab.APIKey, "Bearer ")},
		{"a key of ab for tools, of which the scheme is in lower case", "ab", p.tools(ab.APIKey, "bearer  ")},
	}
	for _, tt := range tests {
		t.Run(tt.name+" reads what is in "+tt.code, func(t *testing.T) {
			for _, code := range []string{"aa", "ab"} {
				if got, want := strings.Contains(tt.by.articles(t), "Written in "+code), code == tt.code; got != want {
					t.Errorf("it reads the article of %s: %t, want %t", code, got, want)
				}
			}
		})
	}
	t.Run("credentials of neither are refused", func(t *testing.T) {
		other, err := credential.New(credential.APIKey, "zz", rand.Reader)
		must(t, err)
		unknown, err := credential.New(credential.APIKey, "ab", rand.Reader)
		must(t, err)
		for name, key := range map[string]string{
			"no key": "", "junk": "pr_ak_ab", "another code": other.Reveal(), "an unknown key": unknown.Reveal(),
		} {
			if status, body := p.api(t, key).send(t, http.MethodGet, "/v1/api/blogs", nil); status != http.StatusUnauthorized || !strings.Contains(body, "UNAUTHORIZED") {
				t.Errorf("%s is answered %d %s, want 401 of an installation", name, status, body)
			}
		}
	})
	t.Run("an installation refuses keys of the other one", func(t *testing.T) {
		direct := caller{url: ab.APIURL(), http: http.DefaultClient, header: http.Header{"X-Api-Key": {aa.APIKey}}}
		if status, body := direct.send(t, http.MethodGet, "/v1/api/blogs", nil); status != http.StatusUnauthorized {
			t.Errorf("it is answered %d %s, want 401", status, body)
		}
	})
	t.Run("pages are not at the common address", func(t *testing.T) {
		for _, path := range []string{"/app", "/oauth/consent", "/v1/public/oauth/token", "/share/x", "/"} {
			if status, body := p.api(t, aa.APIKey).send(t, http.MethodGet, path, nil); status != http.StatusNotFound || !strings.Contains(body, "nginx") {
				t.Errorf("%s is answered %d %s, want 404 of the proxy", path, status, body)
			}
		}
	})
}

// start starts an installation with a code.
func start(t *testing.T, code credential.Cell) *system.System {
	t.Helper()
	root := t.TempDir()
	must(t, project.Clone(root))
	binary, err := program.Path()
	must(t, err)
	must(t, os.Symlink(binary, filepath.Join(root, "bin", "pressroom")))
	free, err := ports.Free(t.Context())
	must(t, err)
	// Sockets have short paths: t.TempDir has the name of the test in its own.
	folder, err := os.MkdirTemp("", "pressroom-"+string(code)) //nolint:usetesting // see above
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(folder)) })
	s, err := system.Start(t.Context(), system.Options{Root: root, Folder: folder, Ports: free, Say: t.Logf, Cell: code})
	t.Cleanup(func() { must(t, s.Stop()) })
	must(t, err)
	return s
}

// keyOfThePage makes a key by the command of the page.
func keyOfThePage(t *testing.T, s *system.System) string {
	t.Helper()
	commands, err := docpage.Commands(page)
	must(t, err)
	if len(commands) != 1 {
		t.Fatalf("%s has %d commands, want the one that makes a key", page, len(commands))
	}
	shell := exec.CommandContext(t.Context(), "sh", "-euc", commands[0].Text)
	shell.Env = append(os.Environ(), "KUBECONFIG="+s.Cluster.Kubeconfig(), "PATH="+filepath.Dir(s.Binary())+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := shell.Output()
	must(t, err)
	return strings.TrimSpace(string(out))
}

// token has a person let an app of an installation in, and returns the access token that the app gets.
func token(t *testing.T, s *system.System) string {
	t.Helper()
	const callback = "https://tool.example/callback"
	direct := caller{url: s.APIURL(), http: http.DefaultClient, header: http.Header{"X-Api-Key": {s.APIKey}}}
	var app struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	must(t, json.Unmarshal([]byte(direct.must(t, http.StatusCreated, http.MethodPost, "/v1/api/oauth/clients", map[string]any{
		"name": "A tool", "redirect_uris": []string{callback},
	})), &app))
	query := url.Values{"client_id": {app.ID}, "redirect_uri": {callback}, "scope": {"read"}}
	code := testkit.Consent(t, s.APIURL()+"/oauth/consent?"+query.Encode(), s.APIKey, "read").Query().Get("code")
	var got struct {
		Token string `json:"access_token"`
	}
	stranger := caller{url: s.APIURL(), http: http.DefaultClient, header: http.Header{}}
	must(t, json.Unmarshal([]byte(stranger.must(t, http.StatusOK, http.MethodPost, "/v1/public/oauth/token", map[string]any{
		"grant_type": "authorization_code", "code": code, "redirect_uri": callback, "client_id": app.ID, "client_secret": app.Secret,
	})), &got))
	return got.Token
}

// proxy is nginx with the configuration of the page.
type proxy struct {
	url  string
	http *http.Client
}

// startProxy starts nginx. Of the configuration of the page, only addresses and paths are others.
func startProxy(t *testing.T, aa, ab *system.System) *proxy {
	t.Helper()
	blocks, err := docpage.BlocksOf(page, "nginx")
	must(t, err)
	if len(blocks) != 1 {
		t.Fatalf("%s has %d configurations, want 1", page, len(blocks))
	}
	folder := t.TempDir()
	trusting := writeCertificate(t, folder)
	free, err := ports.Free(t.Context())
	must(t, err)
	conf := blocks[0]
	for _, change := range [][2]string{
		{"10.0.1.10:8080", ports.Address(aa.Ports.API)}, {"10.0.2.10:8080", ports.Address(ab.Ports.API)},
		{"443 ssl", ports.Address(free.API) + " ssl"},
		{"/etc/nginx/tls.crt", filepath.Join(folder, "tls.crt")}, {"/etc/nginx/tls.key", filepath.Join(folder, "tls.key")},
	} {
		if strings.Count(conf, change[0]) != 1 {
			t.Fatalf("the configuration of %s has %q %d times, want 1", page, change[0], strings.Count(conf, change[0]))
		}
		conf = strings.Replace(conf, change[0], change[1], 1)
	}
	write(t, filepath.Join(folder, "pressroom.conf"), conf)
	// What Debian has in /etc/nginx/nginx.conf, with everything in the folder, and no daemon.
	write(t, filepath.Join(folder, "nginx.conf"), fmt.Sprintf(`daemon off;
worker_processes 1;
pid %[1]s/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi;
  scgi_temp_path %[1]s/scgi;
  include %[1]s/pressroom.conf;
}
`, folder))
	binary, err := exec.LookPath("nginx")
	if err != nil {
		binary = "/usr/sbin/nginx" // It is not in the PATH of everybody.
	}
	group, err := process.NewGroup()
	must(t, err)
	t.Cleanup(func() { must(t, group.Stop()) })
	nginx, err := group.Start(process.Command{
		Name: "nginx", Path: binary, Args: []string{"-p", folder, "-c", filepath.Join(folder, "nginx.conf"), "-e", "stderr"},
		Log: filepath.Join(folder, "nginx.log"),
	})
	must(t, err)
	p := &proxy{"https://" + ports.Address(free.API), trusting}
	must(t, nginx.AwaitReady(t.Context(), p.answers))
	return p
}

// answers returns an error until there is any answer.
func (p *proxy) answers(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, http.NoBody)
	if err != nil {
		return err
	}
	answer, err := p.http.Do(request)
	if err == nil {
		err = answer.Body.Close()
	}
	return err
}

// writeCertificate writes a certificate for loopback addresses with its key, and returns a client that trusts it.
func writeCertificate(t *testing.T, folder string) *http.Client {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	of := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(of.PrivateKey)
	must(t, err)
	write(t, filepath.Join(folder, "tls.crt"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: of.Certificate[0]})))
	write(t, filepath.Join(folder, "tls.key"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	return server.Client()
}

// caller sends requests with a credential. list is how it reads articles, if not by the REST API.
type caller struct {
	url    string
	http   *http.Client
	header http.Header
	list   func(t *testing.T) string
}

// api calls the REST API at the common address.
func (p *proxy) api(t *testing.T, key string) caller {
	t.Helper()
	header := http.Header{}
	if key != "" {
		header.Set("x-api-key", key)
	}
	return caller{url: p.url, http: p.http, header: header}
}

// tools calls tools at the common address, as agents do.
func (p *proxy) tools(key, scheme string) caller {
	c := caller{url: p.url, http: p.http, header: http.Header{
		"Authorization": {scheme + key}, "Accept": {"application/json, text/event-stream"},
	}}
	c.list = func(t *testing.T) string {
		t.Helper()
		return c.must(t, http.StatusOK, http.MethodPost, "/mcp", map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call",
			"params": map[string]any{"name": "list_articles", "arguments": map[string]any{"workspace_id": system.Workspace}},
		})
	}
	return c
}

// articles returns the answer with the articles of the workspace.
func (c caller) articles(t *testing.T) string {
	t.Helper()
	if c.list != nil {
		return c.list(t)
	}
	return c.must(t, http.StatusOK, http.MethodGet, "/v1/api/blogs", nil)
}

// must sends a request that is answered with a status, and returns the answer.
func (c caller) must(t *testing.T, wanted int, method, path string, body any) string {
	t.Helper()
	status, answer := c.send(t, method, path, body)
	if status != wanted {
		t.Fatalf("%s %s is answered %d %s, want %d", method, path, status, answer, wanted)
	}
	return answer
}

func (c caller) send(t *testing.T, method, path string, body any) (int, string) {
	t.Helper()
	var text []byte
	if body != nil {
		var err error
		text, err = json.Marshal(body)
		must(t, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, c.url+path, bytes.NewReader(text))
	must(t, err)
	request.Header = c.header.Clone()
	request.Header.Set("x-workspace-id", system.Workspace)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(request)
	must(t, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer.StatusCode, string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
