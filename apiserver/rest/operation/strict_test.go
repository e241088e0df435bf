package operation_test

import (
	"net/http"
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
