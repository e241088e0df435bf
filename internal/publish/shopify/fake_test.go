package shopify_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/pressroom-dev/pressroom/internal/publish/shopify"
)

const (
	shop         = "acme.myshopify.com"
	accessToken  = "shpat_0123456789abcdef0123456789abcdef"
	clientID     = "client-0123456789abcdef"
	clientSecret = "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"
	blogNumber   = "241253187"
	blogID       = "gid://shopify/Blog/" + blogNumber
)

// excerpt is the part of the schema that Pressroom uses. The fake executes it, so that it needs no network.
var excerpt = sync.OnceValue(func() *ast.Schema {
	text, err := os.ReadFile("testdata/schema.graphql")
	if err != nil {
		panic(err)
	}
	return gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: string(text)})
})

// post is an article of the shop.
type post struct {
	id, title, handle, body, summary, author string
	created, updated                         time.Time
	published                                bool
	tags                                     []any
	// image is what was sent of the featured image.
	image map[string]any
	// metafields are types and values by "namespace.key".
	metafields map[string][2]string
}

// fake executes Shopify's schema: it refuses what the schema does not allow, and resolves the rest.
type fake struct {
	mu     sync.Mutex
	schema *ast.Schema
	scopes []string
	// blogs are the handles of blogs by their ids.
	blogs map[string]string
	posts []*post
	// searchLags makes the search find nothing, as Shopify's does for some seconds after a creation.
	searchLags bool
	// tokens that are valid, and how many were granted.
	tokens  map[string]bool
	granted int
	// refuse answers a request in place of the fake, if it returns true.
	refuse func(http.ResponseWriter, *http.Request) bool
	// userError is what mutations answer, if it is set.
	userError map[string]any
	// created counts the articles ever made.
	created int
	// handles is what becomes of a handle.
	handles func(string) string
}

func newFake() *fake {
	return &fake{
		schema: excerpt(), scopes: []string{"read_content", "write_content"}, blogs: map[string]string{blogID: "news"},
		tokens: map[string]bool{accessToken: true}, handles: func(handle string) string { return handle },
	}
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.refuse != nil && f.refuse(w, r):
	case r.URL.Path == "/admin/oauth/access_token" && r.Method == http.MethodPost:
		f.grant(w, r)
	case r.URL.Path != "/admin/api/"+shopify.APIVersion+"/graphql.json" || r.Method != http.MethodPost:
		answer(w, http.StatusNotFound, map[string]any{"errors": "Not Found"})
	case !f.tokens[r.Header.Get("X-Shopify-Access-Token")]:
		answer(w, http.StatusUnauthorized, map[string]any{
			"errors": "[API] Invalid API key or access token (unrecognized login or wrong password)",
		})
	default:
		f.execute(w, r)
	}
}

// grant is the client-credentials grant.
func (f *fake) grant(w http.ResponseWriter, r *http.Request) {
	var request map[string]string
	if json.NewDecoder(r.Body).Decode(&request) != nil || request["grant_type"] != "client_credentials" ||
		request["client_id"] != clientID || request["client_secret"] != clientSecret {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_client", "error_description": "Client authentication failed"})
		return
	}
	f.granted++
	token := fmt.Sprintf("shpat_granted%d", f.granted)
	f.tokens[token] = true
	answer(w, http.StatusOK, map[string]any{"access_token": token, "scope": strings.Join(f.scopes, ","), "expires_in": 86399})
}

func (f *fake) execute(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || r.Header.Get("Content-Type") != "application/json" {
		answer(w, http.StatusBadRequest, map[string]any{"errors": "Bad Request"})
		return
	}
	document, problems := gqlparser.LoadQueryWithRules(f.schema, request.Query, rules.NewDefaultRules())
	if len(problems) > 0 {
		answer(w, http.StatusOK, map[string]any{"errors": problems})
		return
	}
	operation := document.Operations[0]
	variables, err := validator.VariableValues(f.schema, operation, request.Variables)
	if err != nil {
		answer(w, http.StatusOK, map[string]any{"errors": []any{map[string]any{"message": err.Error(), "extensions": map[string]any{"code": "INVALID_VARIABLE"}}}})
		return
	}
	e := execution{variables: variables}
	if e.denied(f.scopes, operation) {
		answer(w, http.StatusOK, map[string]any{"data": nil, "errors": []any{map[string]any{
			"message":    "Access denied for articleCreate field. Required access: `write_content` access scope.",
			"extensions": map[string]any{"code": "ACCESS_DENIED", "requiredAccess": "`write_content` access scope."},
		}}})
		return
	}
	data := e.project(operation.SelectionSet, map[string]any{
		"shop":                   map[string]any{"primaryDomain": map[string]any{"url": "https://www.acme.example"}},
		"currentAppInstallation": map[string]any{"accessScopes": f.accessScopes()},
		"blog":                   f.blog,
		"article":                f.article,
		"articles":               f.search,
		"articleCreate":          f.create,
		"articleUpdate":          f.update,
	})
	answer(w, http.StatusOK, map[string]any{"data": data, "extensions": cost(2000)})
}

// cost is what Shopify says of the cost of a request of 100 points.
func cost(available float64) map[string]any {
	return map[string]any{"cost": map[string]any{
		"requestedQueryCost": 100, "actualQueryCost": 12,
		"throttleStatus": map[string]any{"maximumAvailable": 2000.0, "currentlyAvailable": available, "restoreRate": 50.0},
	}}
}

func (f *fake) accessScopes() []any {
	scopes := []any{}
	for _, scope := range f.scopes {
		scopes = append(scopes, map[string]any{"handle": scope})
	}
	return scopes
}

func (f *fake) blog(args map[string]any) any {
	id := args["id"].(string)
	handle, ok := f.blogs[id]
	if !ok {
		return nil
	}
	return map[string]any{"id": id, "handle": handle, "articles": func(args map[string]any) any {
		nodes := []any{}
		for _, p := range slices.Backward(f.posts) {
			nodes = append(nodes, f.show(p))
		}
		return map[string]any{"nodes": nodes}
	}}
}

func (f *fake) article(args map[string]any) any {
	for _, p := range f.posts {
		if p.id == args["id"] {
			return f.show(p)
		}
	}
	return nil
}

var byHandle = regexp.MustCompile(`^handle:'([^']*)' AND blog_id:([0-9]+)$`)

// search finds by words, as Shopify's does: a handle matches also as a part.
func (f *fake) search(args map[string]any) any {
	nodes := []any{}
	wanted := byHandle.FindStringSubmatch(fmt.Sprint(args["query"]))
	for _, p := range f.posts {
		if len(wanted) == 3 && wanted[2] == blogNumber && strings.Contains(p.handle, wanted[1]) && !f.searchLags {
			nodes = append(nodes, f.show(p))
		}
	}
	return map[string]any{"nodes": nodes}
}

func (f *fake) show(p *post) map[string]any {
	return map[string]any{"id": p.id, "handle": p.handle, "title": p.title, "body": p.body, "summary": p.summary, "isPublished": p.published,
		"tags": p.tags, "createdAt": p.created.UTC().Format(time.RFC3339), "updatedAt": p.updated.UTC().Format(time.RFC3339),
		"author": map[string]any{"name": p.author}, "image": p.shownImage(), "blog": map[string]any{"id": blogID, "handle": f.blogs[blogID]},
		"metafield": func(args map[string]any) any {
			m, ok := p.metafields[fmt.Sprintf("%s.%s", args["namespace"], args["key"])]
			if !ok {
				return nil
			}
			return map[string]any{"type": m[0], "value": m[1]}
		},
	}
}

func (f *fake) create(args map[string]any) any {
	input := args["article"].(map[string]any)
	switch {
	case f.userError != nil:
		return payload(nil, f.userError)
	case f.blogs[input["blogId"].(string)] == "":
		return payload(nil, userError("NOT_FOUND", "Blog does not exist", "article", "blogId"))
	case f.taken(input, nil):
		return payload(nil, userError("TAKEN", "Handle has already been taken", "article", "handle"))
	}
	f.created++
	p := &post{id: fmt.Sprintf("gid://shopify/Article/%d", 1000+f.created), metafields: map[string][2]string{}}
	p.created = time.Now()
	f.posts = append(f.posts, p)
	return f.write(p, input)
}

func (f *fake) update(args map[string]any) any {
	input := args["article"].(map[string]any)
	for _, p := range f.posts {
		switch {
		case p.id != args["id"]:
		case f.userError != nil:
			return payload(nil, f.userError)
		case f.taken(input, p):
			return payload(nil, userError("TAKEN", "Handle has already been taken", "article", "handle"))
		default:
			return f.write(p, input)
		}
	}
	return payload(nil, userError("NOT_FOUND", "Article does not exist", "id"))
}

func (f *fake) taken(input map[string]any, by *post) bool {
	for _, p := range f.posts {
		if p != by && p.handle == input["handle"] {
			return true
		}
	}
	return false
}

func (f *fake) write(p *post, input map[string]any) any {
	// A field that is not sent stays as it is.
	set := func(name string, field *string) {
		if text, ok := input[name].(string); ok {
			*field = text
		}
	}
	set("title", &p.title)
	set("handle", &p.handle)
	set("body", &p.body)
	set("summary", &p.summary)
	p.handle = f.handles(p.handle)
	if p.updated.IsZero() {
		p.updated = p.created
	} else {
		p.updated = p.updated.Add(time.Minute)
	}
	p.published, _ = input["isPublished"].(bool)
	if author, ok := input["author"].(map[string]any); ok {
		p.author, _ = author["name"].(string)
		p.tags, _ = input["tags"].([]any)
	}
	if image, ok := input["image"].(map[string]any); ok {
		p.image = image
	}
	metafields, _ := input["metafields"].([]any)
	for _, m := range metafields {
		m := m.(map[string]any)
		name, kind := fmt.Sprintf("%s.%s", m["namespace"], m["key"]), m["type"].(string)
		if old, ok := p.metafields[name]; ok && old[0] != kind {
			return payload(nil, userError("INVALID_TYPE", "Type can't be changed", "article", "metafields", "0", "type"))
		}
		p.metafields[name] = [2]string{kind, m["value"].(string)}
	}
	return payload(f.show(p))
}

func payload(article any, problems ...any) any {
	if problems == nil {
		problems = []any{}
	}
	return map[string]any{"article": article, "userErrors": problems}
}

func userError(code, message string, field ...any) map[string]any {
	return map[string]any{"code": code, "message": message, "field": field}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// A client that has gone away is no failure of the fake.
	_ = json.NewEncoder(w).Encode(body)
}

// shownImage is the image, which the shop has copied.
func (p *post) shownImage() any {
	if p.image == nil {
		return nil
	}
	return map[string]any{"altText": p.image["altText"]}
}
