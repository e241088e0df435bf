package rest_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func TestKeysThatDoNotWorkGet401WithoutAHint(t *testing.T) {
	api := newAPI(t)
	var first string
	for _, r := range []request{
		{path: "/v1/api/sites", key: "-"},
		{path: "/v1/api/sites", key: "unknown"},
		{path: "/v1/api/sites", key: "-", header: map[string]string{"Authorization": "Bearer " + rightKey}},
		{path: "/v1/api/blogs", key: "-", workspace: "-"},
		{path: "/v1/api/blogs?limit=abc", key: "unknown", workspace: otherWorkspace},
		{method: "POST", path: "/v1/api/generate", key: "unknown", body: "{"},
		{method: "POST", path: "/v1/api/generate", key: "unknown", body: strings.Repeat("x", 2<<20)},
	} {
		got := api.do(r.withID("r-1"))
		wantFailure(t, got, http.StatusUnauthorized, problem.CodeUnauthorized)
		if first == "" {
			first = got.Raw
		}
		if got.Raw != first {
			t.Errorf("%s %s tells the cases apart: %s and %s", r.method, r.path, got.Raw, first)
		}
	}
}

func TestAuthorizationBesideAKeyIsIgnored(t *testing.T) {
	api := newAPI(t)
	got := api.do(request{path: "/v1/api/sites", header: map[string]string{"Authorization": "Bearer junk"}})
	if got.Status != http.StatusOK {
		t.Errorf("got %d, want 200: %s", got.Status, got.Raw)
	}
}

func TestTheWorkspaceMustBeNamedAndTheKeys(t *testing.T) {
	api := newAPI(t)
	api.namespace("acme-shop", "acme")
	article := api.article(nil)
	for _, r := range []request{
		{path: "/v1/api/blogs"},
		{path: "/v1/api/blogs/" + article.Name},
		{method: "POST", path: "/v1/api/generate", body: generateBody(nil)},
		{method: "PATCH", path: "/v1/api/blogs/" + article.Name, body: "{}"},
		{method: "DELETE", path: "/v1/api/blogs/" + article.Name},
		{method: "POST", path: "/v1/api/blogs/" + article.Name + "/approve"},
		{method: "POST", path: "/v1/api/blogs/" + article.Name + "/publish"},
		{method: "POST", path: "/v1/api/blogs/" + article.Name + "/archive"},
		{method: "POST", path: "/v1/api/blogs/" + article.Name + "/regenerate"},
		{method: "POST", path: "/v1/api/blogs/" + article.Name + "/redeliver"},
	} {
		r.workspace = "-"
		wantFields(t, api.do(r), "x-workspace-id")

		r.workspace = "no-such"
		unknown := api.do(r.withID("r-1"))
		wantFailure(t, unknown, http.StatusNotFound, problem.CodeNotFound)
		r.workspace = otherWorkspace
		if foreign := api.do(r.withID("r-1")); foreign.Raw != unknown.Raw || foreign.Status != unknown.Status {
			t.Errorf("%s %s tells a foreign workspace from one that is not there: %s", r.method, r.path, foreign.Raw)
		}
		r.workspace, r.key = workspace, limitedKey
		if outside := api.do(r.withID("r-1")); outside.Raw != unknown.Raw || outside.Status != unknown.Status {
			t.Errorf("%s %s: a workspace that is not the key's: %s", r.method, r.path, outside.Raw)
		}
	}
	if got := api.do(request{path: "/v1/api/blogs", workspace: "acme-shop", key: limitedKey}); got.Status != http.StatusOK {
		t.Errorf("the key's own workspace: got %d: %s", got.Status, got.Raw)
	}
}

func TestGenerateNamesEveryFailingField(t *testing.T) {
	eleven := strings.Split(strings.Repeat("shoe,", 10)+"shoe", ",")
	for _, c := range []struct {
		name string
		body string
		want []string
	}{
		{"a keyword of one character", generateBody(map[string]any{"keyword": "x"}), []string{"keyword"}},
		{"a keyword of one character of three bytes", generateBody(map[string]any{"keyword": "鞋"}), []string{"keyword"}},
		{"a keyword of one character and blanks", generateBody(map[string]any{"keyword": "  x \n"}), []string{"keyword"}},
		{"a keyword of 201 characters", generateBody(map[string]any{"keyword": strings.Repeat("é", 201)}), []string{"keyword"}},
		{"no keyword", generateBody(map[string]any{"keyword": nil}), []string{"keyword"}},
		{"a null keyword", `{"site_uid":"` + siteUID + `","keyword":null}`, []string{"keyword"}},
		{"eleven secondary keywords", generateBody(map[string]any{"secondary_keywords": eleven}), []string{"secondary_keywords"}},
		{"a blank secondary keyword", generateBody(map[string]any{"secondary_keywords": []string{"a", " "}}), []string{"secondary_keywords[1]"}},
		{"an unknown site", generateBody(map[string]any{"site_uid": "0198f0a1-0000-7000-8000-00000000ffff"}), []string{"site_uid"}},
		{"another workspace's site", generateBody(map[string]any{"site_uid": otherSiteUID}), []string{"site_uid"}},
		{"a malformed site", generateBody(map[string]any{"site_uid": "acme"}), []string{"site_uid"}},
		{"a site's uid in another notation", generateBody(map[string]any{"site_uid": "urn:uuid:" + siteUID}), []string{"site_uid"}},
		{"a site's uid without hyphens", generateBody(map[string]any{"site_uid": strings.ReplaceAll(siteUID, "-", "")}), []string{"site_uid"}},
		{"an empty site", generateBody(map[string]any{"site_uid": ""}), []string{"site_uid"}},
		{"wrong types", `{"site_uid":7,"keyword":["x"],"secondary_keywords":"a","tone":{}}`, []string{"keyword", "secondary_keywords", "site_uid", "tone"}},
		{"a list of wrong types", generateBody(map[string]any{"secondary_keywords": []any{"a", 1, nil}}), []string{"secondary_keywords[1]", "secondary_keywords[2]"}},
		{"an unknown field", generateBody(map[string]any{"language": "en"}), []string{"language"}},
		{"a field in another case", `{"site_uid":"` + siteUID + `","Keyword":"trail shoes"}`, []string{"Keyword", "keyword"}},
		{"everything at once", `{"site_uid":"` + otherSiteUID + `","keyword":"x","secondary_keywords":["a","b","c","d","e","f","g","h","i","j","k"],"x":1}`,
			[]string{"keyword", "secondary_keywords", "site_uid", "x"}},
		{"nothing", `{}`, []string{"keyword", "site_uid"}},
		{"broken JSON", `{"site_uid":`, []string{"body"}},
		{"two values", generateBody(nil) + `{}`, []string{"body"}},
		{"a list", `[]`, []string{"body"}},
		{"null", `null`, []string{"body"}},
		{"no UTF-8", "{\"site_uid\":\"\xff\"}", []string{"body"}},
		{"no body", "", []string{"body"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			wantFields(t, api.do(request{method: "POST", path: "/v1/api/generate", body: c.body}), c.want...)
			if len(api.ledger.charges) > 0 || len(api.objects.articles) > 0 {
				t.Error("something was charged or created")
			}
		})
	}
}

func TestFieldsOfHeadersQueryAndBodyAreNamedTogether(t *testing.T) {
	api := newAPI(t)
	got := api.do(request{method: "POST", path: "/v1/api/generate", workspace: "-", body: `{"keyword":"x"}`,
		header: map[string]string{"Idempotency-Key": strings.Repeat("k", 256)}})
	wantFields(t, got, "Idempotency-Key", "keyword", "site_uid", "x-workspace-id")
	wantFields(t, api.do(request{path: "/v1/api/blogs?limit=0&cursor=junk&status=open&site_uid=x", workspace: "-"}),
		"cursor", "limit", "site_uid", "status", "x-workspace-id")
}

func TestWhatIsWrongDoesNotDependOnTheOrderOfMembers(t *testing.T) {
	api := newAPI(t)
	for _, body := range []string{`{"note":"why","publish_at":true}`, `{"publish_at":true,"note":"why"}`} {
		wantFields(t, api.do(request{method: "POST", path: "/v1/api/blogs/bulk", body: body}), "items", "note", "operation", "publish_at")
	}
}

func TestListParametersThatAreWrongAreNamed(t *testing.T) {
	api := newAPI(t)
	for query, want := range map[string]string{
		"limit=0": "limit", "limit=101": "limit", "limit=abc": "limit", "limit=-1": "limit", "limit=1.5": "limit",
		"limit=99999999999999999999": "limit", "cursor=junk": "cursor", "cursor=0198F0A1B2C3D4E5F6A7B8C9": "cursor",
		"cursor=0198f0a1b2c3d4e5f6a7b8c9x": "cursor", "status=Published": "status", "site_uid=acme": "site_uid",
		"status=review,publishd": "status", "status=review,": "status", "publication=nope": "publication",
	} {
		wantFields(t, api.do(request{path: "/v1/api/blogs?" + query}), want)
	}
}

// The framework names the layout of Go's package time.
func TestATimeThatIsNoneIsToldWhatItMustBe(t *testing.T) {
	api := newAPI(t)
	for _, r := range []request{
		{path: "/v1/api/blogs?published_since=2026-11-23"},
		{path: "/v1/api/calendar?from=2026-11-23T09:00:00Z&to=tomorrow"},
		{method: "POST", path: "/v1/api/blogs/" + api.article(nil).Name + "/publish", body: `{"publish_at":"2026-11-23"}`},
	} {
		detail := failureOf(t, api.do(r)).Problem.Details[0]
		if detail.Message != "must be a date and time of RFC 3339, such as 2026-11-20T09:00:00Z" || detail.Code != problem.DetailMalformed {
			t.Errorf("%s: got %+v", r.path, detail)
		}
	}
}

func TestUnknownQueryParametersAreNamed(t *testing.T) {
	api := newAPI(t)
	uid := api.article(nil).Name
	wantFields(t, api.do(request{path: "/v1/api/blogs?stauts=published&limit=0&Limit=1"}), "Limit", "stauts")
	for _, r := range []request{
		{path: "/v1/api/sites?x=1"},
		{path: "/v1/api/workspaces?x"},
		{path: "/v1/api/blogs/" + uid + "?x=1"},
		{method: "POST", path: "/v1/api/generate?x=1", body: generateBody(nil)},
		{method: "POST", path: "/v1/api/blogs/" + uid + "/archive?x="},
		{method: "DELETE", path: "/v1/api/blogs/" + uid + "?x=1"},
		{path: "/v1/api/event-subscriptions?x=1"},
		{path: "/v1/api/oauth/clients?x=1"},
	} {
		wantFields(t, api.do(r), "x")
	}
	wantFailure(t, api.do(request{path: "/v1/api/sites?x=1", key: "-"}), http.StatusUnauthorized, problem.CodeUnauthorized)
}

func TestAQueryThatCannotBeReadExactlyIsRefused(t *testing.T) {
	api := newAPI(t)
	for query, want := range map[string]string{
		"status=published;":                 "status",
		"q=50%+off":                         "q",
		"q=shoes;boots":                     "q",
		"q=%zz":                             "q",
		"status=review&status=published":    "status",
		"limit=1&limit=2":                   "limit",
		"site_uid=&status=review":           "site_uid",
		"status":                            "status",
		"published_since=":                  "published_since",
		"cursor=":                           "cursor",
		"site_uid=" + siteUID + ";&limit=1": "site_uid",
	} {
		wantFields(t, api.do(request{path: "/v1/api/blogs?" + query}), want)
	}
	wantFields(t, api.do(request{path: "/v1/api/blogs/counts?site_uid=" + siteUID + ";"}), "site_uid")
	wantFields(t, api.do(request{path: "/v1/api/blogs?" + "%zz&limit=1&"}), "%zz")
}

func TestAnIdempotencyKeyIsRefusedWhereItWouldBeIgnored(t *testing.T) {
	api := newAPI(t)
	uid := api.article(nil).Name
	key := map[string]string{"Idempotency-Key": "k"}
	for _, r := range []request{
		{method: "POST", path: "/v1/api/blogs/" + uid + "/archive"},
		{method: "PATCH", path: "/v1/api/blogs/" + uid, body: `{"title":"Shoes"}`},
		{method: "DELETE", path: "/v1/api/blogs/" + uid},
	} {
		r.header = key
		wantFields(t, api.do(r), "Idempotency-Key")
	}
	if got := api.do(request{path: "/v1/api/blogs/" + uid, header: key}); got.Status != http.StatusOK {
		t.Errorf("a read with a key: %d %s", got.Status, got.Raw)
	}
}

func TestUUIDsMayBeInUpperCase(t *testing.T) {
	api := newAPI(t)
	uid := api.article(func(a *v1alpha1.Article) { a.Name = "0198f0a1-b2c3-7d4e-95f6-a7b8c9d0beef" }).Name
	if got := api.do(request{path: "/v1/api/blogs/" + strings.ToUpper(uid)}); got.Status != http.StatusOK {
		t.Errorf("in a path: %d %s", got.Status, got.Raw)
	}
	if got := api.uids("site_uid=" + strings.ToUpper(siteUID)); !slices.Contains(got, uid) {
		t.Errorf("in a query: got %v", got)
	}
	body := generateBody(map[string]any{"site_uid": strings.ToUpper(siteUID)})
	if got := api.do(request{method: "POST", path: "/v1/api/generate", body: body}); got.Status != http.StatusAccepted {
		t.Errorf("in a body: %d %s", got.Status, got.Raw)
	}
}

func TestAMemberThatComesTwiceIsRefused(t *testing.T) {
	api := newAPI(t)
	for body, want := range map[string]string{
		`{"site_uid":"` + siteUID + `","keyword":"shoes","keyword":"boots"}`:                                                   "keyword",
		`{"site_uid":"` + siteUID + `","keyword":"shoes","\u006beyword":"boots"}`:                                              "keyword",
		`{"site_uid":"` + siteUID + `","title":"T","content_markdown":"M","faq":[{"question":"Q","answer":"A","answer":"B"}]}`: "faq[0].answer",
	} {
		path := "/v1/api/generate"
		if strings.Contains(body, "title") {
			path = "/v1/api/blogs"
		}
		got := api.do(request{method: "POST", path: path, body: body})
		wantFields(t, got, want)
		if !strings.Contains(got.Raw, "must not come twice") {
			t.Errorf("%s: got %s", body, got.Raw)
		}
	}
	if len(api.ledger.charges) != 0 || len(api.objects.articles) != 0 {
		t.Error("something was charged or created")
	}
}

func TestBodiesMustBeJSON(t *testing.T) {
	api := newAPI(t)
	for _, contentType := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml", ";"} {
		got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: map[string]string{"Content-Type": contentType}})
		wantFields(t, got, "content-type")
	}
	for _, contentType := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON"} {
		got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: map[string]string{"Content-Type": contentType}})
		if got.Status != http.StatusAccepted {
			t.Errorf("%s: got %d: %s", contentType, got.Status, got.Raw)
		}
	}
}

func TestATypeWithoutABodyIsNoFault(t *testing.T) {
	api := newAPI(t)
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	if got := api.do(request{path: "/v1/api/sites", header: form}); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
	got := api.do(request{method: "POST", path: "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa/approve", header: form})
	wantFailure(t, got, http.StatusNotFound, problem.CodeNotFound)
}

// TestAClientThatSendsFirstSeesWhyItIsRefused writes a whole large body before it reads, as simple clients do.
func TestAClientThatSendsFirstSeesWhyItIsRefused(t *testing.T) {
	api := newAPI(t)
	server := httptest.NewServer(api)
	defer server.Close()
	for key, want := range map[string]string{rightKey: "413 ", "unknown": "401 "} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Repeat("x", 4<<20)
		_, err = fmt.Fprintf(c, "POST /v1/api/generate HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: %s\r\nx-workspace-id: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", key, workspace, len(body), body)
		if err != nil {
			t.Errorf("with the key %s: sending: %v", key, err)
		}
		got, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 "+want) {
			t.Errorf("with the key %s: got %.60q, %v, want %s", key, got, err, want)
		}
		c.Close()
	}
}

func TestAnswersAreKeptOutOfCaches(t *testing.T) {
	api := newAPI(t)
	for path, want := range map[string]string{
		"/v1/api/sites": "private, no-cache", "/v1/api/blogs?limit=0": "no-store", "/nothing": "no-store",
	} {
		if got := api.do(request{path: path}).Header; got.Get("Cache-Control") != want || got.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestLimitsAreToldAndCreateNothing(t *testing.T) {
	for _, c := range []struct {
		name           string
		err            error
		wantStatus     int
		wantCode       problem.Code
		wantRetryAfter string
	}{
		{"no credits", &ledger.LimitError{Code: ledger.InsufficientCredits}, 402, problem.CodeInsufficientCredits, ""},
		{"over the day's limit", &ledger.LimitError{Code: ledger.DailyLimit, RetryAfter: 3 * time.Hour}, 429, problem.CodeRateLimited, "10800"},
		{"the 61st request in a minute", &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: 1100 * time.Millisecond}, 429, problem.CodeRateLimited, "2"},
		{"an account without a ledger", &ledger.LimitError{Code: ledger.Missing}, 503, problem.CodeUnavailable, "5"},
		{"too many at once", &ledger.LimitError{Code: ledger.Busy, RetryAfter: time.Second}, 503, problem.CodeUnavailable, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			api.ledger.err = c.err
			got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)})
			wantFailure(t, got, c.wantStatus, c.wantCode)
			if after := got.Header.Get("Retry-After"); after != c.wantRetryAfter {
				t.Errorf("Retry-After is %q, want %q", after, c.wantRetryAfter)
			}
			if len(api.objects.articles) > 0 {
				t.Error("an article was created")
			}
		})
	}
}

func TestUnknownArticlesAreNotFoundAlike(t *testing.T) {
	api := newAPI(t)
	var first string
	for _, uid := range []string{"0198f0a1-0000-7000-8000-00000000aaaa", "junk", "0198F0A1-0000-7000-8000-00000000AAAA", "%2e%2e", "my-article"} {
		for _, suffix := range []string{"", "/approve", "/publish", "/archive", "/regenerate", "/redeliver"} {
			method := http.MethodPost
			if suffix == "" {
				method = http.MethodGet
			}
			got := api.do(request{method: method, path: "/v1/api/blogs/" + uid + suffix}.withID("r-1"))
			wantFailure(t, got, http.StatusNotFound, problem.CodeNotFound)
			if first == "" {
				first = got.Raw
			}
			if got.Raw != first {
				t.Errorf("%s%s: %s differs from %s", uid, suffix, got.Raw, first)
			}
		}
	}
}
