// Package keys has the pages of API keys.
package keys

import (
	"embed"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/key"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show(keysPath, v1alpha1.ScopeManage, showKeys),
		page.Show(keysPath+"/new", v1alpha1.ScopeManage, newKey),
		page.Form(keysPath+"/new", key.Create, page.Sent(makeKey)),
		page.Form(keysPath+"/revoke", key.Revoke, page.Sent(revokeKey)),
		page.Show(keysPath+"/:id", v1alpha1.ScopeManage, showActivity),
	}}
}

const keysPath = "/account/keys"

func showKeys(v *page.Visit) (*page.Answer, error) {
	list, err := page.Call(v, key.List, struct{}{})
	if err != nil {
		return nil, err
	}
	return v.Page("keys.html", "API keys", list.Body), nil
}

// keyForm is the data of the form that makes an API key.
type keyForm struct {
	page.FormProblems
	entered

	// Own are the scopes that the person can hand on.
	Own []string
	// All are the workspaces that can be ticked.
	All []string
	// Ends is when the person's own key ends, after which no key that they make works; nil if never.
	Ends  *time.Time
	Lives []keyLife
}

// entered is what can be entered into the form. Days are how long the key works; 0 for as long as possible. CreditsPerDay is a number, or
// empty for any number. For is forAgent, or empty.
type entered struct {
	Name, For          string
	Days               int
	Scopes, Workspaces []string
	CreditsPerDay      string `json:"credits_per_day"`
}

// forAgent is said of a key for an agent: it reads and writes in one workspace.
const forAgent = "agent"

// Agent reports whether the key is for an agent.
func (f keyForm) Agent() bool { return f.For == forAgent }

// keyLife is how long a key works.
type keyLife struct {
	Days int
	Text string
}

// Has reports whether a scope is ticked.
func (f keyForm) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }

// In reports whether a workspace is ticked.
func (f keyForm) In(workspace string) bool { return slices.Contains(f.Workspaces, workspace) }

func showKeyForm(v *page.Visit, f keyForm) *page.Answer {
	f.Own, f.All = operation.ScopeNames(v.Person.Scopes), v.Person.Opens
	title := "Make an API key"
	if f.Agent() {
		title = "Make an API key for an agent"
		f.Own = slices.DeleteFunc(f.Own, func(scope string) bool { return scope != "read" && scope != "write" })
		if len(f.Workspaces) == 0 && len(f.All) > 0 {
			f.Workspaces = f.All[:1]
		}
	}
	f.Lives = []keyLife{{Text: "Until it is revoked"}}
	if ends := v.Person.ExpiresAt; !ends.IsZero() {
		f.Ends, f.Lives[0].Text = &ends, "As long as your own key"
	}
	for _, days := range []int{365, 90, 30, 7} {
		if f.Ends == nil || !v.Now().AddDate(0, 0, days).After(*f.Ends) {
			f.Lives = append(f.Lives, keyLife{days, strconv.Itoa(days) + " days"})
		}
	}
	return v.Page("form.html", title, f)
}

// newKey shows the form, for an agent with the limits that `pressroom keys create --for-agent` sets.
func newKey(v *page.Visit) (*page.Answer, error) {
	e := entered{Scopes: []string{"read", "write"}}
	if v.Query("for") == forAgent {
		e.For, e.Days, e.CreditsPerDay = forAgent, 90, "20"
	}
	return showKeyForm(v, keyForm{entered: e}), nil
}

// wholeNumber reads a number of 32 bits.
func wholeNumber(typed string) (int32, bool) {
	n, err := strconv.ParseInt(typed, 10, 32)
	return int32(n), err == nil
}

func makeKey(v *page.Visit, e entered) (*page.Answer, error) {
	f, body := keyForm{entered: e}, key.CreateAPIKeyRequest{Name: e.Name, Scopes: e.Scopes, Workspaces: e.Workspaces}
	if e.Days > 0 {
		// The end of a day, so that a form that is sent twice asks for the same.
		body.ExpiresAt = new(v.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, e.Days))
	}
	if typed := e.CreditsPerDay; typed != "" {
		credits, ok := wholeNumber(typed)
		if !ok {
			f.Problem, f.Problems = page.NotDone, map[string]string{"credits_per_day": "must be a whole number"}
			return showKeyForm(v, f).With(http.StatusUnprocessableEntity), nil
		}
		body.CreditsPerDay = new(credits)
	}
	out, err := page.Call(v, key.Create, key.CreateInput{Idempotent: v.Once(), Body: body})
	if f.Refused(err) {
		return showKeyForm(v, f).With(http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return v.ShownBefore(err, func(string) string { return page.Root + keysPath })
	}
	made, lead := out.Body, "Programs send this key in the header x-api-key."
	if f.Agent() {
		lead = "An agent sends this key in the header x-api-key to the path /mcp of the REST API."
	}
	return v.ShowSecret(page.SecretView{
		Heading: "API key made", Lead: lead, Label: "API key",
		Secret: made.Secret, Next: page.Root + keysPath,
		Fields: []page.SecretField{{Label: "Name", Value: made.Name}, {Label: "ID", Value: made.ID}},
	}), nil
}

func revokeKey(v *page.Visit, on key.OnKey) (*page.Answer, error) {
	_, err := page.Call(v, key.Revoke, key.RevokeInput{OnKey: on})
	if page.IsStatus(err, http.StatusNotFound) {
		return v.RedirectProblem(page.Root+keysPath, "There is no such key any more."), nil
	}
	return v.Back(page.Root+keysPath, "Revoked. It stops working within a second or two, and so does the access that it gave to apps.", err)
}
