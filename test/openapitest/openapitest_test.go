package openapitest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/test/openapitest"
)

const document = `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://api.example"}],
	"paths": {"/a/{uid}": {"post": {
		"parameters": [
			{"name": "uid", "in": "path", "required": true, "schema": {"type": "string", "pattern": "^[0-9]+$"}},
			{"name": "status", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "string", "enum": ["on", "off"]}}}],
		"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
		"responses": {"200": {"description": "A", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
			"4XX": {"description": "E", "content": {"application/json": {"schema": {"type": "object", "required": ["error"]}}}}}}}},
	"webhooks": {"told": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}},
	"components": {"schemas": {"A": {"type": "object", "required": ["n"], "properties": {"n": {"type": ["integer", "null"]}}}}}}`

func TestWhatADocumentDoesNotSayIsAnError(t *testing.T) {
	d := openapitest.Read(t, []byte(document))
	request := func(path, body string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		return r
	}
	answer := func(status int, body string) error {
		return d.CheckAnswer(request("/a/1", ""), status, http.Header{"Content-Type": {"application/json"}}, []byte(body))
	}
	for name, c := range map[string]struct {
		err     error
		wantErr bool
	}{
		"request":              {d.CheckRequest(request("/a/1?status=on,off", `{"n": 1}`)), false},
		"null":                 {d.CheckRequest(request("/a/1", `{"n": null}`)), false},
		"wrong path":           {d.CheckRequest(request("/a/x", `{"n": 1}`)), true},
		"wrong query":          {d.CheckRequest(request("/a/1?status=on,of", `{"n": 1}`)), true},
		"wrong body":           {d.CheckRequest(request("/a/1", `{"n": "1"}`)), true},
		"no operation":         {d.CheckRequest(request("/b", `{}`)), true},
		"answer":               {answer(200, `{"n": 1}`), false},
		"error":                {answer(404, `{"error": {}}`), false},
		"wrong answer":         {answer(200, `{}`), true},
		"wrong error":          {answer(404, `{}`), true},
		"no such status":       {answer(302, `{}`), true},
		"webhook":              {d.CheckWebhook("told", []byte(`{"n": 1}`)), false},
		"wrong webhook":        {d.CheckWebhook("told", []byte(`{"n": true}`)), true},
		"no such webhook":      {d.CheckWebhook("asked", []byte(`{"n": 1}`)), true},
		"member not described": {d.CheckWebhook("told", []byte(`{"n": 1, "m": 1}`)), true},
	} {
		if (c.err != nil) != c.wantErr {
			t.Errorf("%s: got %v, want an error: %t", name, c.err, c.wantErr)
		}
	}
}
