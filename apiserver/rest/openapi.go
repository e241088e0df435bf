package rest

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Version of the contract, which is also the prefix of every path. It only ever grows.
const Version = "1.0.0"

const description = `Generates articles for a target keyword, holds them for review, publishes them and delivers them to your own site.

Every request carries an API key in the header ` + "`x-api-key`" + `; requests about articles also name a workspace in
` + "`x-workspace-id`" + `. In bodies, null means the same as absent, and unknown fields are errors.`

// The ways to prove who asks.
const (
	keyScheme   = "apiKey"
	basicScheme = "clientSecret"
)

// config is the framework's configuration: one format, nothing added to answers, and no pages of its own.
func config() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Pressroom API", Version: Version, Description: description},
			Tags: []*huma.Tag{
				{Name: "Sites", Description: "What the key opens."},
				{Name: "Articles", Description: "Generating, reading and writing articles."},
				{Name: "Editorial", Description: "Review and publishing."},
				{Name: "Events", Description: "Having events sent to you."},
				{Name: "OAuth", Description: "Apps that people give access to their accounts, and what those apps call."},
			},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					keyScheme: {
						Type: "apiKey", In: "header", Name: "x-api-key",
						Description: "An API key, or an access token of OAuth. The header Authorization is not one.",
					},
					basicScheme: {
						Type: "http", Scheme: "basic",
						Description: "Client id and secret of an app, both form-encoded, for the endpoints of OAuth.",
					},
				},
			},
		},
		Formats:       map[string]huma.Format{jsonType: jsonFormat()},
		DefaultFormat: jsonType,
	}
}

// The errors of each family of operations, beside those of all.
var (
	inWorkspace = []int{http.StatusBadRequest, http.StatusNotFound}
	creating    = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge}
	editing     = creating
	generating  = append([]int{http.StatusPaymentRequired}, creating...)
	everywhere  = []int{
		http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusServiceUnavailable,
	}
)

// operation is what all operations have in common: the key and its scope, JSON, the documented errors.
func (s *service) operation(method, path, id string, scope v1alpha1.Scope, errors ...int) huma.Operation {
	op := huma.Operation{
		Method: method, Path: path, OperationID: id, Tags: []string{tag(id)},
		Security:     []map[string][]string{{keyScheme: {}}},
		Middlewares:  huma.Middlewares{s.authenticate(scope), s.jsonOnly},
		MaxBodyBytes: MaxBodyBytes + 1, BodyReadTimeout: s.Limits.BodyTimeout,
		Responses:  map[string]*huma.Response{},
		Extensions: map[string]any{"x-required-scope": strings.ToLower(string(scope))},
	}
	for _, status := range append(errors, everywhere...) {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + responseName(status)}
	}
	return op
}

func tag(id string) string {
	verb, noun, _ := strings.Cut(id, "-")
	switch {
	case strings.Contains(id, "event"):
		return "Events"
	case strings.HasPrefix(noun, "oauth-client"):
		return "OAuth"
	case noun == "sites" || noun == "workspaces" || strings.HasPrefix(noun, "site"):
		return "Sites"
	case verb == "approve" || verb == "reject" || verb == "publish" || verb == "archive" || verb == "redeliver":
		return "Editorial"
	}
	return "Articles"
}

func responseName(status int) string {
	return strings.ReplaceAll(http.StatusText(status), " ", "")
}

// exampleDetail and exampleWait stand in the document.
var exampleDetail = Detail{Field: "keyword", Message: "expected length >= 2"}

const exampleWait = 42 * time.Second

// sharedResponses are the errors that operations refer to, each with an example.
func sharedResponses(schemas huma.Registry) map[string]*huma.Response {
	schema := schemas.Schema(reflect.TypeFor[APIError](), true, "APIError")
	out := map[string]*huma.Response{}
	for _, e := range []struct {
		description string
		example     *APIError
	}{
		{"A field is missing or not as it must be; details names every one.", invalid(exampleDetail)},
		{"No API key, or one that does not work.", unauthorized()},
		{"Not enough credits left.", insufficientCredits()},
		{"The key lacks the operation's scope.", insufficientScope("write")},
		{"No such workspace, site, article or event subscription, as far as the key may see.", notFound("article")},
		{"The article's state does not allow it, or an Idempotency-Key was used for another request.", frozen()},
		{"The body is larger than 1 MiB.", tooLarge()},
		{"A limit is reached, such as a site's articles per day. Retry-After says when to come back.", dailyLimit(exampleWait)},
		{"Our fault. The answer's x-request-id helps us to find it.", internal("")},
		{"What the answer needs is away for the moment. Retry-After says when to come back.", starting()},
	} {
		out[responseName(e.example.status)] = &huma.Response{
			Description: e.description,
			Headers:     responseHeaders(e.example),
			Content:     map[string]*huma.MediaType{jsonType: {Schema: schema, Example: e.example}},
		}
	}
	return out
}

func responseHeaders(f *APIError) map[string]*huma.Header {
	headers := map[string]*huma.Header{requestIDHeader: requestIDParam()}
	if f.retryAfter > 0 {
		headers["Retry-After"] = &huma.Header{Description: "Seconds to wait.", Schema: &huma.Schema{Type: huma.TypeInteger}}
	}
	return headers
}

func requestIDParam() *huma.Header {
	return &huma.Header{
		Description: "Id of the request: yours where it was sane, else a new one.", Schema: &huma.Schema{Type: huma.TypeString},
	}
}

// noteRequestID documents the header that every answer has on those that are not errors.
func noteRequestID(document *huma.OpenAPI) {
	for _, path := range document.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Patch, path.Delete} {
			if op == nil {
				continue
			}
			response := op.Responses[strconv.Itoa(op.DefaultStatus)]
			if response.Headers == nil {
				response.Headers = map[string]*huma.Header{}
			}
			response.Headers[requestIDHeader] = requestIDParam()
		}
	}
}
