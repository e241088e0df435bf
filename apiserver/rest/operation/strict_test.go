package operation_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestFieldsOfHeadersQueryAndBodyAreNamedTogether(t *testing.T) {
	api := operationtest.New(t)
	got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Workspace: "-", Body: `{"keyword":"x"}`,
		Header: map[string]string{"Idempotency-Key": strings.Repeat("k", 256)}})
	operationtest.WantFields(t, got, "Idempotency-Key", "keyword", "site_uid", "x-workspace-id")
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?limit=0&cursor=junk&status=open&site_uid=x", Workspace: "-"}),
		"cursor", "limit", "site_uid", "status", "x-workspace-id")
}

func TestUnknownQueryParametersAreNamed(t *testing.T) {
	api := operationtest.New(t)
	uid := api.Article(nil).Name
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?stauts=published&limit=0&Limit=1"}), "Limit", "stauts")
	for _, r := range []operationtest.Request{
		{Path: "/v1/api/sites?x=1"},
		{Path: "/v1/api/workspaces?x"},
		{Path: "/v1/api/blogs/" + uid + "?x=1"},
		{Method: "POST", Path: "/v1/api/generate?x=1", Body: operationtest.GenerateBody(nil)},
		{Method: "POST", Path: "/v1/api/blogs/" + uid + "/archive?x="},
		{Method: "DELETE", Path: "/v1/api/blogs/" + uid + "?x=1"},
		{Path: "/v1/api/event-subscriptions?x=1"},
		{Path: "/v1/api/oauth/clients?x=1"},
	} {
		operationtest.WantFields(t, api.Do(r), "x")
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/sites?x=1", Key: "-"}), http.StatusUnauthorized, problem.CodeUnauthorized)
}

func TestAQueryThatCannotBeReadExactlyIsRefused(t *testing.T) {
	api := operationtest.New(t)
	for query, want := range map[string]string{
		"status=published;":              "status",
		"q=50%+off":                      "q",
		"q=shoes;boots":                  "q",
		"q=%zz":                          "q",
		"status=review&status=published": "status",
		"limit=1&limit=2":                "limit",
		"site_uid=&status=review":        "site_uid",
		"status":                         "status",
		"published_since=":               "published_since",
		"cursor=":                        "cursor",
		"limit=%2B5":                     "limit",
		"limit=05":                       "limit",
		"limit=-0":                       "limit",
		"limit=5%20":                     "limit",
		"limit=0x5":                      "limit",
		"q=%ff":                          "q",
		"q=%c3%28":                       "q",
		"q=a%00b":                        "q",
		"q=%1b[31m":                      "q",
		"q=%c2%85":                       "q",
		"site_uid=" + operationtest.SiteUID + ";&limit=1": "site_uid",
	} {
		operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?" + query}), want)
	}
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/counts?site_uid=" + operationtest.SiteUID + ";"}), "site_uid")
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?" + "%zz&limit=1&"}), "%zz")
}

func TestAnIdempotencyKeyIsRefusedWhereItWouldBeIgnored(t *testing.T) {
	api := operationtest.New(t)
	uid := api.Article(nil).Name
	key := map[string]string{"Idempotency-Key": "k"}
	for _, r := range []operationtest.Request{
		{Method: "POST", Path: "/v1/api/blogs/" + uid + "/archive"},
		{Method: "PATCH", Path: "/v1/api/blogs/" + uid, Body: `{"title":"Shoes"}`},
		{Method: "DELETE", Path: "/v1/api/blogs/" + uid},
	} {
		r.Header = key
		operationtest.WantFields(t, api.Do(r), "Idempotency-Key")
	}
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + uid, Header: key}); got.Status != http.StatusOK {
		t.Errorf("a read with a key: %d %s", got.Status, got.Raw)
	}
}

// A client that sends a condition relies on it.
func TestAHeaderThatWouldBeIgnoredIsRefused(t *testing.T) {
	api := operationtest.New(t)
	uid := api.Article(nil).Name
	blog, blogs := "/v1/api/blogs/"+uid, "/v1/api/blogs"
	body := operationtest.GenerateBody(nil)
	for _, c := range []struct {
		method, path, body string
		names              []string
	}{
		{"GET", blog, "", []string{"If-Match", "Content-Range", "X-HTTP-Method-Override"}},
		{"POST", blogs, operationtest.Written("a"), []string{"If-Match", "If-None-Match", "If-Unmodified-Since", "Content-Range", "X-HTTP-Method-Override"}},
		{"POST", "/v1/api/generate", body, []string{"If-Match", "If-None-Match", "If-Unmodified-Since"}},
		{"PATCH", blog, `{"title":"T"}`, []string{"If-None-Match", "If-Unmodified-Since", "Content-Range"}},
		{"DELETE", blog, "", []string{"If-None-Match", "If-Unmodified-Since"}},
		{"POST", blogs + "/bulk", `{"operation":"archive","items":[{"uid":"` + uid + `"}]}`, []string{"If-Match"}},
		{"POST", "/v1/api/sites/" + operationtest.SiteUID + "/test", "", []string{"If-Match"}},
	} {
		for _, name := range c.names {
			got := api.Do(operationtest.Request{Method: c.method, Path: c.path, Body: c.body, Header: map[string]string{name: `"x"`}})
			operationtest.WantFields(t, got, name)
			if code := operationtest.Failure(t, got).Problem.Details[0].Code; code != problem.DetailNotSupported {
				t.Errorf("%s %s with %s: got the code %s", c.method, c.path, name, code)
			}
		}
	}
	for _, name := range []string{"If-None-Match", "If-Unmodified-Since", "If-Modified-Since", "Range", "Prefer", "Idempotency-Key"} {
		if got := api.Do(operationtest.Request{Path: blog, Header: map[string]string{name: "x"}}); got.Status != http.StatusOK {
			t.Errorf("a read with %s: got %d: %s", name, got.Status, got.Raw)
		}
	}
}

// Two headers of a name say two things: neither counts.
func TestAHeaderThatComesTwiceIsRefused(t *testing.T) {
	api := operationtest.New(t)
	uid := api.Article(nil).Name
	for _, name := range []string{"x-workspace-id", "x-api-key", "Authorization", "Idempotency-Key", "If-Match", "Content-Type", "x-request-id"} {
		for _, second := range []string{"", operationtest.OtherWorkspace} {
			q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/api/blogs/"+uid+"/regenerate", strings.NewReader("{}"))
			for header, value := range map[string]string{
				"x-api-key": operationtest.RightKey, "x-workspace-id": operationtest.Workspace, "Content-Type": "application/json",
			} {
				q.Header.Set(header, value)
			}
			first := q.Header.Get(name)
			if first == "" {
				first = "x"
				q.Header.Set(name, first)
			}
			if second == "" {
				second = first
			}
			q.Header.Add(name, second)
			answer := httptest.NewRecorder()
			api.ServeHTTP(answer, q)
			if got := answer.Body.String(); answer.Code != http.StatusBadRequest || !strings.Contains(got, `{"field":"`+name+`","code":"duplicate","message":"must not come twice"}`) {
				t.Errorf("%s: got %d: %s", name, answer.Code, got)
			}
		}
	}
	if len(api.Ledger.Charges) != 0 {
		t.Error("something was charged")
	}
}

func TestAnIdempotencyKeyIsPrintableASCII(t *testing.T) {
	api := operationtest.New(t)
	for key, wantRefused := range map[string]bool{
		"order 4711~!": false, "a\tb": true, "é": true, "\x80": true, "a\x7f": true, strings.Repeat("k", 255): false, strings.Repeat("k", 256): true,
	} {
		got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: map[string]string{"Idempotency-Key": key}})
		if wantRefused {
			operationtest.WantFields(t, got, "Idempotency-Key")
		} else if got.Status != http.StatusAccepted {
			t.Errorf("%q: got %d: %s", key, got.Status, got.Raw)
		}
	}
}

func TestANumberInAPathHasOneForm(t *testing.T) {
	api := operationtest.New(t)
	path := "/v1/api/blogs/" + api.WithRevisions(1).Name + "/revisions/"
	if got := api.Do(operationtest.Request{Path: path + "1"}); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
	for _, number := range []string{"+1", "01", "-0", "1.0", "x", "1e0"} {
		operationtest.WantFields(t, api.Do(operationtest.Request{Path: path + number}), "number")
	}
}

func TestUUIDsMayBeInUpperCase(t *testing.T) {
	api := operationtest.New(t)
	uid := api.Article(func(a *v1alpha1.Article) { a.Name = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0beef" }).Name
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + strings.ToUpper(uid)}); got.Status != http.StatusOK {
		t.Errorf("in a path: %d %s", got.Status, got.Raw)
	}
	if got := api.UIDs("site_uid=" + strings.ToUpper(operationtest.SiteUID)); !slices.Contains(got, uid) {
		t.Errorf("in a query: got %v", got)
	}
	body := operationtest.GenerateBody(map[string]any{"site_uid": strings.ToUpper(operationtest.SiteUID)})
	if got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: body}); got.Status != http.StatusAccepted {
		t.Errorf("in a body: %d %s", got.Status, got.Raw)
	}
}
