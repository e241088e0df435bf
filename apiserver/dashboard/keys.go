package dashboard

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

const keysPath = "/account/keys"

func keyRoutes() []route {
	return []route{
		page(keysPath, v1alpha1.ScopeManage, showKeys),
		page(keysPath+"/new", v1alpha1.ScopeManage, newKey),
		form(keysPath+"/new", v1alpha1.ScopeManage, "create-key", makeKey),
		form(keysPath+"/revoke", v1alpha1.ScopeManage, "revoke-key", revokeKey),
	}
}

func showKeys(v *visit) (*answer, error) {
	list, err := call[rest.KeyList](v, rest.Request{Operation: "list-keys"})
	if err != nil {
		return nil, err
	}
	return v.page("keys.html", "API keys", list), nil
}

// keyForm is the data of the form that makes an API key.
type keyForm struct {
	Name, Days string
	// Own are the scopes that the person can hand on, and Scopes those that are ticked.
	Own, Scopes []string
	// All are the workspaces that can be ticked.
	All, Workspaces []string
	// Ends is when the person's own key ends, after which no key that they make works; nil if never.
	Ends     *time.Time
	Lives    []keyLife
	Problem  string
	Problems map[string]string
}

// keyLife is how long a key works.
type keyLife struct{ Days, Text string }

// Has reports whether a scope is ticked.
func (f keyForm) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }

// In reports whether a workspace is ticked.
func (f keyForm) In(workspace string) bool { return slices.Contains(f.Workspaces, workspace) }

func (v *visit) keyForm(f keyForm) *answer {
	f.Own, f.All = scopeNames(v.person.Scopes), v.workspaces
	f.Lives = []keyLife{{"", "Until it is revoked"}}
	if ends := v.person.ExpiresAt; !ends.IsZero() {
		f.Ends, f.Lives[0].Text = &ends, "As long as your own key"
	}
	for _, days := range []int{365, 90, 30, 7} {
		if f.Ends == nil || !v.now().AddDate(0, 0, days).After(*f.Ends) {
			f.Lives = append(f.Lives, keyLife{strconv.Itoa(days), strconv.Itoa(days) + " days"})
		}
	}
	return v.page("keyform.html", "Make an API key", f)
}

func newKey(v *visit) (*answer, error) {
	return v.keyForm(keyForm{Scopes: []string{"read", "write"}}), nil
}

func makeKey(v *visit) (*answer, error) {
	f := keyForm{Name: v.form("name"), Days: v.form("days"), Scopes: v.forms("scopes"), Workspaces: v.forms("workspaces")}
	body := rest.MakeKeyRequest{Name: f.Name, Scopes: f.Scopes, Workspaces: f.Workspaces}
	if days, err := strconv.Atoi(f.Days); err == nil && days > 0 {
		// The end of a day, so that a form that is sent twice asks for the same.
		body.ExpiresAt = new(v.now().UTC().Truncate(24*time.Hour).AddDate(0, 0, days))
	}
	made, err := call[rest.MadeKey](v, rest.Request{Operation: "create-key", Header: v.once(), Body: body})
	if refused, ok := refusal(err); ok && refused.GetStatus() < http.StatusInternalServerError {
		f.Problem, f.Problems = formProblem(refused), byField(fieldProblems(err))
		return v.keyForm(f).with(http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return nil, err
	}
	return v.showSecret(secretView{
		Heading: "API key made", Lead: "Programs send this key in the header x-api-key.", Label: "API key",
		Secret: made.Secret, Next: Root + keysPath,
		Fields: []secretField{{"Name", made.Name}, {"ID", made.ID}},
	}), nil
}

func revokeKey(v *visit) (*answer, error) {
	_, err := call[rest.NoRequest](v, rest.Request{Operation: "revoke-key", Path: map[string]string{"id": v.form("id")}})
	if isStatus(err, http.StatusNotFound) {
		return v.redirectProblem(Root+keysPath, "There is no such key any more."), nil
	}
	if isStatus(err, http.StatusConflict) {
		return v.redirectProblem(Root+keysPath, problemOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return v.redirect(Root+keysPath, "Revoked. It stops working within a second or two, and so does the access that it gave to apps."), nil
}
