package mcp_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// twins are the requests that do the same as a tool. UID, SITE and BRIEF are those of the workspace that the request names.
var twins = []struct {
	tool, method, path string
	// arguments are those of the body and of the address. A request has the first as its body.
	body, address map[string]any
}{
	{tool: "whoami", method: "GET", path: "/v1/api/whoami"},
	{tool: "list_workspaces", method: "GET", path: "/v1/api/workspaces"},
	{tool: "get_usage", method: "GET", path: "/v1/api/usage"},
	{tool: "list_sites", method: "GET", path: "/v1/api/sites"},
	{tool: "get_site", method: "GET", path: "/v1/api/sites/SITE", address: map[string]any{"uid": "SITE"}},
	{tool: "list_articles", method: "GET", path: "/v1/api/blogs?limit=5", address: map[string]any{"limit": 5}},
	{tool: "count_articles", method: "GET", path: "/v1/api/blogs/counts"},
	{tool: "get_article", method: "GET", path: "/v1/api/blogs/UID", address: map[string]any{"uid": "UID"}},
	{tool: "list_revisions", method: "GET", path: "/v1/api/blogs/UID/revisions", address: map[string]any{"uid": "UID"}},
	{tool: "get_revision", method: "GET", path: "/v1/api/blogs/UID/revisions/1", address: map[string]any{"uid": "UID", "number": 1}},
	{tool: "list_article_transitions", method: "GET", path: "/v1/api/blogs/UID/transitions", address: map[string]any{"uid": "UID"}},
	{
		tool: "get_calendar", method: "GET", path: "/v1/api/calendar?from=2026-11-20T09:00:00Z&to=2026-11-21T09:00:00Z",
		address: map[string]any{"from": "2026-11-20T09:00:00Z", "to": "2026-11-21T09:00:00Z"},
	},
	{tool: "list_briefs", method: "GET", path: "/v1/api/briefs"},
	{tool: "get_brief", method: "GET", path: "/v1/api/briefs/BRIEF", address: map[string]any{"uid": "BRIEF"}},
	{tool: "preview_text", method: "POST", path: "/v1/api/preview", body: map[string]any{"site_uid": "SITE", "title": "T", "content_markdown": "Text."}},
	{tool: "generate_article", method: "POST", path: "/v1/api/generate", body: map[string]any{"site_uid": "SITE", "keyword": "trail shoes"}},
	{tool: "create_article", method: "POST", path: "/v1/api/blogs", body: map[string]any{"site_uid": "SITE", "title": "T", "content_markdown": "Text."}},
	{tool: "update_article", method: "PATCH", path: "/v1/api/blogs/UID", body: map[string]any{"tone": "dry"}, address: map[string]any{"uid": "UID"}},
	{tool: "submit_article", method: "POST", path: "/v1/api/blogs/UID/submit", address: map[string]any{"uid": "UID"}},
	{tool: "regenerate_article", method: "POST", path: "/v1/api/blogs/UID/regenerate", address: map[string]any{"uid": "UID"}},
	{tool: "publish_article", method: "POST", path: "/v1/api/blogs/UID/publish", address: map[string]any{"uid": "UID"}},
	{tool: "cancel_publication", method: "POST", path: "/v1/api/blogs/UID/cancel-publication", address: map[string]any{"uid": "UID"}},
	{tool: "create_brief", method: "POST", path: "/v1/api/briefs", body: map[string]any{"instructions": "For beginners."}},
}

func TestEachToolAnswersAsItsOperation(t *testing.T) {
	e := serve(t)
	e.Namespace("acme-shop", "acme")
	b := e.Brief("trail-2026", v1alpha1.BriefSpec{Instructions: "For beginners."})
	var brief string
	var list struct {
		Data []struct{ UID string }
	}
	e.Into(operationtest.Request{Path: "/v1/api/briefs"}, &list)
	if brief = list.Data[0].UID; brief == "" {
		t.Fatalf("the brief %s has no uid", b.Name)
	}
	seen := map[string]bool{}
	for _, c := range twins {
		seen[c.tool] = true
		for _, credential := range []string{operationtest.ScopelessKey, operationtest.ReadOnlyKey, operationtest.WriterKey, operationtest.LimitedKey, "rivals"} {
			for _, workspace := range []string{operationtest.Workspace, operationtest.OtherWorkspace, "acme-shop", "nowhere"} {
				// Both have an article of their own.
				values := func() *strings.Replacer {
					return strings.NewReplacer("UID", e.Article(nil).Name, "SITE", operationtest.SiteUID, "BRIEF", brief)
				}
				name := c.tool + " with " + credential + " in " + workspace
				request := operationtest.Request{Method: c.method, Path: c.path, Key: credential, Workspace: workspace}
				if c.body != nil {
					request.Body = jsonOf(t, c.body)
				}
				fill := values()
				request.Path, request.Body = fill.Replace(request.Path), fill.Replace(request.Body)
				if c.tool == "create_article" && credential != operationtest.ReadOnlyKey && workspace == operationtest.Workspace {
					// One that succeeds waits for its revision, which nothing makes here: TestAnArticleIsADraft has it.
					continue
				}
				want := e.Do(request)
				arguments := map[string]any{}
				maps.Copy(arguments, c.body)
				maps.Copy(arguments, c.address)
				if takesWorkspace(c.tool) {
					arguments["workspace_id"] = workspace
				}
				var filled map[string]any
				if err := json.Unmarshal([]byte(values().Replace(jsonOf(t, arguments))), &filled); err != nil {
					t.Fatal(err)
				}
				got, err := e.session(credential).CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: filled})
				switch {
				case want.Status == http.StatusForbidden:
					if err == nil || !strings.Contains(err.Error(), "unknown tool") {
						t.Errorf("%s: got %v, and the operation answers 403", name, err)
					}
				case err != nil:
					t.Errorf("%s: %v, and the operation answers %d", name, err, want.Status)
				case want.Status < http.StatusBadRequest:
					if got.IsError {
						t.Errorf("%s: got %s, and the operation answers %d", name, textOf(t, got), want.Status)
					}
				default:
					wantSameProblem(t, name, textOf(t, got), want.Raw)
				}
			}
		}
	}
	for _, tool := range append(append([]string{"whoami"}, readers...), writers...) {
		if !seen[tool] {
			t.Errorf("%s is not compared with its operation", tool)
		}
	}
}

// wantSameProblem compares the errors of a tool and of an operation.
func wantSameProblem(t *testing.T, name, got, want string) {
	t.Helper()
	var a, b problem.APIError
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil ||
		a.Problem.Code != b.Problem.Code || a.Problem.Status != b.Problem.Status || a.Problem.Reason != b.Problem.Reason {
		t.Errorf("%s: got %s, and the operation answers %s", name, got, want)
	}
}

// session returns the session of a credential, which the calls of a test share.
func (e *endpoint) session(credential string) *sdk.ClientSession {
	e.T.Helper()
	if e.sessions == nil {
		e.sessions = map[string]*sdk.ClientSession{}
	}
	if e.sessions[credential] == nil {
		e.sessions[credential] = e.connect(key(credential), "")
	}
	return e.sessions[credential]
}

// takesWorkspace reports whether a tool has the argument workspace_id. get_site needs it only if sites have the same uid.
func takesWorkspace(tool string) bool {
	switch tool {
	case "whoami", "list_workspaces", "get_usage", "list_sites":
		return false
	}
	return true
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
