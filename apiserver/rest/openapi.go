package rest

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Version of the contract, which is also the prefix of every path. It only ever grows.
const Version = "1.0.0"

const description = `Generates articles for a target keyword, holds them for review, publishes them and delivers them to your own site.

Every request carries an API key in the header ` + "`x-api-key`" + `; requests about articles also name a workspace in
` + "`x-workspace-id`" + `. In bodies, null means the same as absent, and unknown fields are errors.`

// The tags of operations.
const (
	tagSites     = "Sites"
	tagArticles  = "Articles"
	tagEditorial = "Editorial"
	tagEvents    = "Events"
	tagOAuth     = "OAuth"
	tagAccount   = "Account"
)

// The security schemes.
const (
	keyScheme   = "apiKey"
	basicScheme = "clientSecret"
)

// config is the framework's configuration: one format, nothing added to answers, and no documentation pages.
func config() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Pressroom API", Version: Version, Description: description},
			Servers: []*huma.Server{{URL: "/", Description: "The host that serves this document."}},
			Tags: []*huma.Tag{
				{Name: tagAccount, Description: "Whose credential it is, and what the account has used."},
				{Name: tagSites, Description: "What the key opens."},
				{Name: tagArticles, Description: "Generating, reading and writing articles."},
				{Name: tagEditorial, Description: "Review and publishing."},
				{Name: tagEvents, Description: "Having events sent to you."},
				{Name: tagOAuth, Description: "Apps that people give access to their accounts, and what those apps call."},
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
		Formats:       map[string]huma.Format{problem.ContentType: jsonbody.Format()},
		DefaultFormat: problem.ContentType,
	}
}

// The errors of each kind of operation, beside those of every operation.
var (
	inWorkspace = []int{http.StatusBadRequest, http.StatusNotFound}
	creating    = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge}
	editing     = append([]int{http.StatusPreconditionFailed}, creating...)
	deleting    = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed}
	generating  = append([]int{http.StatusPaymentRequired}, creating...)
	everywhere  = []int{
		http.StatusMethodNotAllowed, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable,
	}
)

// operation returns what all operations have in common: JSON, limits of the body, and the documented errors.
func (s *service) operation(method, path, id string, errors ...int) huma.Operation {
	op := huma.Operation{
		Method: method, Path: path, OperationID: id,
		Middlewares: huma.Middlewares{s.prepareBody},
		// prepareBody reads the body, whose form may take more bytes than what the client has sent.
		MaxBodyBytes: 2 * jsonbody.MaxContentBytes, BodyReadTimeout: s.Limits.BodyTimeout,
		Responses: map[string]*huma.Response{},
		// A misspelt filter would list everything.
		RejectUnknownQueryParameters: true,
	}
	for _, status := range append(errors, everywhere...) {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + responseName(status)}
	}
	return op
}

func responseName(status int) string {
	return strings.ReplaceAll(http.StatusText(status), " ", "")
}

// exampleDetail and exampleWait are in the document.
var exampleDetail = problem.Detail{Field: "keyword", Message: "expected length >= 2"}

const exampleWait = 42 * time.Second

// sharedResponses are the errors that operations reference, each with an example.
func sharedResponses(schemas huma.Registry) map[string]*huma.Response {
	schema := schemas.Schema(reflect.TypeFor[problem.APIError](), true, "APIError")
	out := map[string]*huma.Response{}
	for _, e := range []struct {
		description string
		example     *problem.APIError
	}{
		{"A field is missing or not as it must be; details names every one.", problem.Invalid(exampleDetail)},
		{"No API key, or one that does not work.", problem.Unauthorized()},
		{"Not enough credits left.", problem.InsufficientCredits()},
		{"The key lacks the operation's scope.", problem.InsufficientScope("write")},
		{"No such workspace, site, article, revision or event subscription, as far as the key may see.", problem.NotFound("article")},
		{"The path does not support the method; the header Allow lists those that it does.", problem.MethodNotAllowed(http.MethodPut)},
		{"The article's state does not allow it, or an Idempotency-Key was used for another request.", problem.Conflict(
			"the text may not change while the article is being delivered or once it is published")},
		{"The article is not the one that If-Match names.", problem.PreconditionFailed()},
		{"The body has more bytes than the operation takes: " + maxBodyExtension + " says how many.", problem.TooLarge(jsonbody.MaxBytes)},
		{"A limit is reached, such as a site's articles per day. Retry-After says when to try again.", problem.DailyLimit(exampleWait)},
		{"Our fault. The answer's x-request-id helps us to find the cause.", problem.Internal("")},
		{"Something that the answer needs is unavailable. Retry-After says when to try again.", problem.Starting()},
	} {
		out[responseName(e.example.GetStatus())] = &huma.Response{
			Description: e.description,
			Headers:     responseHeaders(e.example),
			Content:     map[string]*huma.MediaType{problem.ContentType: {Schema: schema, Example: e.example}},
		}
	}
	return out
}

func responseHeaders(e *problem.APIError) map[string]*huma.Header {
	headers := map[string]*huma.Header{middleware.RequestIDHeader: requestIDParam()}
	if e.GetHeaders().Get("Retry-After") != "" {
		headers["Retry-After"] = &huma.Header{Description: "Seconds to wait.", Schema: &huma.Schema{Type: huma.TypeInteger}}
	}
	return headers
}

func requestIDParam() *huma.Header {
	return &huma.Header{
		Description: "Id of the request: yours if it was safe to log, else a new one.", Schema: &huma.Schema{Type: huma.TypeString},
	}
}
