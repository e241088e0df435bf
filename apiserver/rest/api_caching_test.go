package rest_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAClientThatHasTheAnswerGets304(t *testing.T) {
	api := operationtest.New(t)
	a := api.Published()
	otherAPI := operationtest.New(t)
	for _, path := range []string{"/v1/api/blogs", "/v1/api/blogs/" + a.Name, "/v1/api/sites", "/v1/api/whoami", "/v1/api/workspaces"} {
		first := api.Do(operationtest.Request{Path: path})
		tag := first.Header.Get("ETag")
		if first.Status != http.StatusOK || len(tag) < 20 || tag[0] != '"' || first.Header.Get("Vary") == "" {
			t.Fatalf("%s: got %d with %v", path, first.Status, first.Header)
		}
		for header, wantStatus := range map[string]int{
			tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200, tag[1 : len(tag)-1]: 200,
		} {
			got := api.Do(operationtest.Request{Path: path, Header: map[string]string{"If-None-Match": header}})
			if got.Status != wantStatus || got.Header.Get("ETag") != tag || (got.Raw == "") != (wantStatus == 304) {
				t.Errorf("%s with %q: got %d, %q with %d bytes, want %d", path, header, got.Status, got.Header.Get("ETag"), len(got.Raw), wantStatus)
			}
		}
	}
	if api.Do(operationtest.Request{Path: "/v1/api/sites"}).Header.Get("ETag") != otherAPI.Do(operationtest.Request{Path: "/v1/api/sites"}).Header.Get("ETag") {
		t.Error("two replicas have different tags for the same answer")
	}
	before := api.Do(operationtest.Request{Path: "/v1/api/blogs"}).Header.Get("ETag")
	api.Article(nil)
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs", Header: map[string]string{"If-None-Match": before}}); got.Status != http.StatusOK {
		t.Errorf("a changed list: got %d", got.Status)
	}
	failed := api.Do(operationtest.Request{Path: "/v1/api/blogs?limit=0", Header: map[string]string{"If-None-Match": "*"}})
	operationtest.WantFailure(t, failed, http.StatusBadRequest, problem.CodeValidation)
	if failed.Header.Get("ETag") != "" {
		t.Error("an error has an entity tag")
	}
}

func TestAnswersAreKeptOutOfCaches(t *testing.T) {
	api := operationtest.New(t)
	for path, want := range map[string]string{
		"/v1/api/sites": "private, no-cache", "/v1/api/blogs?limit=0": "no-store", "/nothing": "no-store",
	} {
		if got := api.Do(operationtest.Request{Path: path}).Header; got.Get("Cache-Control") != want || got.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, got)
		}
	}
}
