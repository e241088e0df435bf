//go:build e2e

package clients

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/project"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const agentsPage = "docs/how-to/agents.md"

func TestAgents(t *testing.T) {
	s := start(t)
	key := agentKey(t, s)
	t.Run("use the SDKs of TypeScript", func(t *testing.T) { testSDKs(t, s, key) })
	t.Run("run the programs of the page", func(t *testing.T) { testAgentPrograms(t, s, key) })
	t.Run("stop at their credits of the day", func(t *testing.T) { testCreditsOfTheDay(t, s) })
	t.Run("are stopped by the command of the page", func(t *testing.T) { testStopping(t, s, key) })
}

// onPage returns the command of the page that begins so.
func onPage(t *testing.T, begins string) string {
	t.Helper()
	commands, err := docpage.Commands(agentsPage)
	must(t, err)
	i := slices.IndexFunc(commands, func(c docpage.Command) bool { return strings.HasPrefix(c.Text, begins) })
	if i < 0 {
		t.Fatalf("%s has no command %s", agentsPage, begins)
	}
	return commands[i].Text
}

// pressroom runs a command of the page, with more at its end, and returns what it prints on stdout.
func pressroom(t *testing.T, s *system.System, command string) string {
	t.Helper()
	path := "PATH=" + filepath.Join(s.Root, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	return shell(t, s.Root, append(os.Environ(), "KUBECONFIG="+s.Cluster.Kubeconfig(), path), command)
}

// agentKey makes a key as the page says.
func agentKey(t *testing.T, s *system.System, more ...string) string {
	t.Helper()
	command := strings.Join(append([]string{onPage(t, "pressroom keys create")}, more...), " ")
	return strings.TrimSpace(pressroom(t, s, command))
}

func idOf(key string) string { return strings.Split(key, "_")[2] }

// request asks the REST API for something with a key, and returns the status, the header and the body of the answer.
func request(t *testing.T, s *system.System, key, method, path, body string) (status int, header http.Header, answer []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.APIURL()+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("x-api-key", key)
	r.Header.Set("x-workspace-id", system.Workspace)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	got, err := http.DefaultClient.Do(r)
	must(t, err)
	defer got.Body.Close()
	answer, err = io.ReadAll(got.Body)
	must(t, err)
	return got.StatusCode, got.Header, answer
}

// tokenOf has the person with a key let an app in, and returns the app's access token and client id.
func tokenOf(t *testing.T, s *system.System, key string) (token, clientID string) {
	t.Helper()
	const callback = "https://tool.example/callback"
	var app struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	status, _, made := request(t, s, s.APIKey, http.MethodPost, "/v1/api/oauth/clients", `{"name": "Agent", "redirect_uris": ["`+callback+`"]}`)
	if status != http.StatusCreated {
		t.Fatalf("making an app: %d %s", status, made)
	}
	must(t, json.Unmarshal(made, &app))
	query := url.Values{"response_type": {"code"}, "client_id": {app.ID}, "redirect_uri": {callback}, "state": {"s"}, "scope": {"read write"}}
	code := testkit.Consent(t, s.APIURL()+"/oauth/consent?"+query.Encode(), key, "read", "write").Query().Get("code")
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "client_id": {app.ID}, "client_secret": {app.Secret}, "redirect_uri": {callback},
	}
	got, err := http.PostForm(s.APIURL()+"/v1/public/oauth/token", form)
	must(t, err)
	defer got.Body.Close()
	var answer struct {
		Token string `json:"access_token"`
	}
	must(t, json.NewDecoder(got.Body).Decode(&answer))
	if answer.Token == "" {
		t.Fatalf("no token: %s", got.Status)
	}
	return answer.Token, app.ID
}

// typescript runs a program in TypeScript with the packages of `make bin/clients`, and returns what it prints.
func typescript(t *testing.T, environment []string, name string) string {
	t.Helper()
	folder := t.TempDir()
	node(t, folder, "")
	copyFile(t, filepath.Join(ours, "mcp", name), folder)
	shell(t, folder, os.Environ(), "npx tsc")
	return shell(t, folder, environment, "node "+strings.TrimSuffix(name, ".ts")+".js")
}

// The packages of both generations connect with the protocol versions that they know, with both kinds of credential in both headers.
func testSDKs(t *testing.T, s *system.System, key string) {
	t.Helper()
	token, _ := tokenOf(t, s, key)
	output := typescript(t, append(os.Environ(), "PRESSROOM_URL="+s.APIURL(), "PRESSROOM_API_KEY="+key, "PRESSROOM_TOKEN="+token), "sdks.ts")
	versions := map[string]string{"client": "2025-11-25", "client, auto": "2026-07-28", "sdk": "2025-11-25"}
	seen, tools := map[string]bool{}, []string(nil)
	for line := range strings.Lines(output) {
		var got struct {
			SDK        string   `json:"sdk"`
			Credential string   `json:"credential"`
			Version    string   `json:"version"`
			Kind       string   `json:"kind"`
			ID         string   `json:"id"`
			Article    string   `json:"article"`
			Status     string   `json:"status"`
			Tools      []string `json:"tools"`
			Refused    bool     `json:"refused"`
		}
		must(t, json.Unmarshal([]byte(line), &got))
		name := got.SDK + " with " + got.Credential
		seen[name], tools = true, got.Tools
		if got.Version != versions[got.SDK] {
			t.Errorf("%s: the version is %s, want %s", name, got.Version, versions[got.SDK])
		}
		kind, by := "api_key", "api-key:"+idOf(key)
		if strings.HasPrefix(got.Credential, "token") {
			kind = "access_token"
		}
		if got.Kind != kind || got.Status != "draft" || !got.Refused {
			t.Errorf("%s: got %+v, want %s, a draft, and approve_article refused", name, got, kind)
		}
		if !slices.Contains(got.Tools, "create_article") || slices.ContainsFunc(got.Tools, forbidden.MatchString) {
			t.Errorf("%s: the tools are %v", name, got.Tools)
		}
		created, err := s.Cluster.Kubectl(t.Context(), nil, "get", "article", nameOf(t, s, got.Article), "-n", system.Workspace,
			"-o", `jsonpath={.metadata.annotations.pressroom\.dev/created-by}`)
		if must(t, err); created != by && !strings.HasPrefix(created, by+" (app ") || strings.Contains(created, "(app ") != (kind == "access_token") {
			t.Errorf("%s: the article is created by %q", name, created)
		}
	}
	testSample(t, tools)
	if len(seen) != len(versions)*4 {
		t.Errorf("%d of %d ways to connect were tried: %v", len(seen), len(versions)*4, seen)
	}
}

// The sample for kagent names tools that there are, and the Secret that the page makes.
func testSample(t *testing.T, tools []string) {
	t.Helper()
	kinds := map[string]bool{}
	for document := range strings.SplitSeq(read(t, filepath.Join(project.Root(), "config", "samples", "extra", "kagent.yaml")), "\n---\n") {
		var o struct {
			Kind string
			Spec struct {
				HeadersFrom []struct {
					Name      string
					ValueFrom struct{ Name, Key string }
				}
				Declarative struct {
					Tools []struct {
						McpServer struct{ ToolNames, RequireApproval []string }
					}
				}
			}
		}
		must(t, yaml.Unmarshal([]byte(document), &o))
		kinds[o.Kind] = true
		switch o.Kind {
		case "RemoteMCPServer":
			from := o.Spec.HeadersFrom[0]
			command := "kubectl create secret generic " + from.ValueFrom.Name + " --from-literal=" + from.ValueFrom.Key + "="
			if page := read(t, filepath.Join(project.Root(), "docs", "how-to", "agents.md")); from.Name != "x-api-key" || !strings.Contains(page, command) {
				t.Errorf("kagent sends %+v, and the page does not have %s", from, command)
			}
		case "Agent":
			server := o.Spec.Declarative.Tools[0].McpServer
			for _, name := range server.ToolNames {
				if !slices.Contains(tools, name) {
					t.Errorf("there is no tool %s", name)
				}
			}
			for _, name := range server.RequireApproval {
				if !slices.Contains(server.ToolNames, name) {
					t.Errorf("kagent asks before %s, which the agent has not", name)
				}
			}
		}
	}
	if len(kinds) != 2 {
		t.Errorf("the sample has %v", kinds)
	}
}

// forbidden are the tools that no agent has.
var forbidden = regexp.MustCompile(`approve|reject|delete|unpublish|key|oauth|create_site|update_site|subscription|redeliver|bulk`)

// nameOf returns the name of the Article with a uid.
func nameOf(t *testing.T, s *system.System, uid string) string {
	t.Helper()
	names, err := s.Cluster.Kubectl(t.Context(), nil, "get", "articles", "-n", system.Workspace, "-o", "jsonpath={.items[*].metadata.name}")
	must(t, err)
	for name := range strings.FieldsSeq(names) {
		if identity.UID(identity.KindArticle, system.Workspace, name) == uid {
			return name
		}
	}
	t.Fatalf("there is no article %s", uid)
	return ""
}

// Anyone who writes a script copies a program that the page links to, as it stands.
func testAgentPrograms(t *testing.T, s *system.System, key string) {
	t.Helper()
	text, environment := read(t, filepath.Join(ours, "..", "..", filepath.FromSlash(agentsPage))), append(os.Environ(), "PRESSROOM_URL="+s.APIURL(), "PRESSROOM_API_KEY="+key)
	for name, run := range map[string]func() string{
		"agent.ts": func() string { return typescript(t, environment, "agent.ts") },
		"main.go": func() string {
			folder := t.TempDir()
			module(t, folder, "mcp/main.go")
			copyFile(t, filepath.Join(ours, "mcp", "main.go"), folder)
			return shell(t, folder, environment, "go run .")
		},
	} {
		if !strings.Contains(text, "(../../hack/clients/mcp/"+name+")") {
			t.Errorf("%s does not link to %s", agentsPage, name)
		}
		found := regexp.MustCompile(`^.*api-key:` + idOf(key) + `\) has put ([0-9a-f-]{36}) up for review\n$`).FindStringSubmatch(run())
		if found == nil {
			t.Errorf("%s does not say what it has put up for review", name)
			continue
		}
		if status, _, answer := request(t, s, key, http.MethodPost, "/v1/api/blogs/"+found[1]+"/approve", "{}"); status != http.StatusForbidden {
			t.Errorf("%s: the agent approves its article: %d %s", name, status, answer)
		}
	}
}

// A key for an agent stops at its credits, over REST and over /mcp alike, and the answer has the time from which on it has others.
func testCreditsOfTheDay(t *testing.T, s *system.System) {
	t.Helper()
	key := agentKey(t, s, "--credits-per-day 1")
	var sites struct {
		Data []struct {
			UID string `json:"uid"`
		} `json:"data"`
	}
	_, _, answer := request(t, s, key, http.MethodGet, "/v1/api/sites", "")
	must(t, json.Unmarshal(answer, &sites))
	arguments := `{"site_uid": "` + sites.Data[0].UID + `", "keyword": "winter huts"}`
	call := func() string {
		status, _, answer := request(t, s, key, http.MethodPost, "/mcp",
			`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "generate_article", "arguments": `+arguments+`}}`)
		var got struct {
			Result struct {
				Content []struct {
					Text string `json:"text"`
				} `json:"content"`
			} `json:"result"`
		}
		if status == http.StatusOK {
			must(t, json.Unmarshal(answer, &got))
		}
		if status != http.StatusOK || len(got.Result.Content) != 1 {
			t.Fatalf("POST /mcp: %d %s", status, answer)
		}
		return got.Result.Content[0].Text
	}
	if text := call(); !strings.Contains(text, "blog_uid") {
		t.Fatalf("the first article is answered %s", text)
	}
	midnight := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	var refused struct {
		Error struct {
			Code    string    `json:"code"`
			Reason  string    `json:"reason"`
			RetryAt time.Time `json:"retry_at"`
		} `json:"error"`
	}
	must(t, json.Unmarshal([]byte(call()), &refused))
	if e := refused.Error; e.Code != "RATE_LIMIT_EXCEEDED" || e.Reason != "generate_key_day" || e.RetryAt.Sub(midnight).Abs() > 5*time.Second {
		t.Errorf("over /mcp it is refused with %+v, want the reason generate_key_day and %s", e, midnight)
	}
	status, header, body := request(t, s, key, http.MethodPost, "/v1/api/generate", arguments)
	if wait := header.Get("Retry-After"); status != http.StatusTooManyRequests || wait == "" || !strings.Contains(string(body), "generate_key_day") {
		t.Errorf("over REST it is refused with %d, Retry-After %q, %s", status, wait, body)
	}
	stored, err := s.Cluster.Kubectl(t.Context(), nil, "get", "accountledger", system.Account, "-o", "json")
	must(t, err)
	var ledger v1alpha1.AccountLedger
	must(t, json.Unmarshal([]byte(stored), &ledger))
	if !slices.Contains(ledger.Spec.KeysToday, v1alpha1.KeyUsage{Key: idOf(key), Count: 1}) {
		t.Errorf("the ledger has %v, want one credit of %s", ledger.Spec.KeysToday, idOf(key))
	}
}

// The key ends, and the articles stay.
func testStopping(t *testing.T, s *system.System, key string) {
	t.Helper()
	pressroom(t, s, strings.ReplaceAll(onPage(t, "pressroom keys revoke"), "aa3kq2vxw5ntb6ha", idOf(key)))
	// Every replica learns of it within a moment.
	for {
		status, header, body := request(t, s, key, http.MethodPost, "/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`)
		if status == http.StatusUnauthorized {
			if challenge := header.Get("WWW-Authenticate"); !strings.HasPrefix(challenge, "Bearer ") {
				t.Errorf("the challenge is %q", challenge)
			}
			return
		}
		if t.Context().Err() != nil {
			t.Fatalf("a revoked key is answered %d %s", status, body)
		}
	}
}
