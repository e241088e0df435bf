package page

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// SecretView is the data of the page that shows a secret once. It answers a form directly: a page that a redirect leads to could be got
// twice.
type SecretView struct {
	Heading, Lead string
	// Fields are what is shown beside the secret.
	Fields        []SecretField
	Label, Secret string
	// Receivers shows how a receiver verifies what is signed with the secret.
	Receivers bool
	// Next is the path that leads on.
	Next string
}

// SecretField is shown beside a secret.
type SecretField struct{ Label, Value string }

// ShowSecret answers with the page that shows a secret once.
func (v *Visit) ShowSecret(view SecretView) *Answer {
	return v.Page("secret.html", view.Heading, view)
}

// ShownBefore answers a form that is sent again after its secret was shown, for example by a reload. It says what was made, and leads to
// it. It returns any other error.
func (v *Visit) ShownBefore(err error, next func(id string) string) (*Answer, error) {
	if !problem.IsSecretShown(err) {
		return nil, err
	}
	refused, _ := Refusal(err)
	id := refused.Problem.Details[0].Message
	return v.ShowSecret(SecretView{
		Heading: "Shown once", Next: next(id), Fields: []SecretField{{"ID", id}},
		Lead: "It is made, and its secret was shown when this form was sent first. " +
			"Nobody can show it again: if you do not have it, make a new one.",
	}).With(http.StatusConflict), nil
}

// Once is the key by which an operation is done once for a form and what its fields hold, however often the form is sent. A form that
// calls an operation several times says which call it is.
func (v *Visit) Once(call ...string) operation.Idempotent {
	fields := maps.Clone(v.request.PostForm)
	fields.Del(fieldTicket)
	sum := sha256.Sum256([]byte(v.url.Path + "?" + fields.Encode() + strings.Join(call, " ")))
	return operation.Idempotent{Key: v.FormID + "-" + hex.EncodeToString(sum[:8])}
}

// NotDone stands above a form with problems at its fields.
const NotDone = "Nothing has been done yet: see below what must be."

// FormProblems are what is wrong with a form that was sent.
type FormProblems struct {
	// Problem is about the whole form, and Problems are about fields, by their names in the REST API. One about an item of a list, such as
	// events[0], is about the list.
	Problem  string
	Problems map[string]string
	// Changed means that the settings have changed since the form was shown.
	Changed bool
}

// Refused takes the problems from the error of an operation, and reports whether the person can correct the form.
func (p *FormProblems) Refused(err error) bool {
	refused, ok := Refusal(err)
	if !ok || !IsRefused(err) || problem.IsSecretShown(err) {
		return false
	}
	p.Problem, p.Problems = ProblemOf(err), map[string]string{}
	for name, wrong := range FieldProblems(err) {
		list, _, _ := strings.Cut(name, "[")
		p.Problems[list] = wrong
	}
	if p.Changed = refused.Problem.Reason == problem.ReasonSettingsChanged; p.Changed {
		p.Problem = "Somebody has changed this meanwhile, and nothing has been done yet: see below what it is now. " +
			"Save again to replace it with what you have typed."
	} else if len(p.Problems) > 0 {
		p.Problem = NotDone
	}
	return true
}
