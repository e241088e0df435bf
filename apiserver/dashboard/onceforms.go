package dashboard

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// secretView is the data of the page that shows a secret once. It answers a form directly: a page that a redirect leads to could be got
// twice.
type secretView struct {
	Heading, Lead string
	// Fields are what is shown beside the secret.
	Fields        []secretField
	Label, Secret string
	// Receivers shows how a receiver verifies what is signed with the secret.
	Receivers bool
	// Next is the path that leads on.
	Next string
}

type secretField struct{ Label, Value string }

func (v *visit) showSecret(view secretView) *answer {
	return v.page("secret.html", view.Heading, view)
}

// once is the header by which an operation is done once for a form and what its fields hold, however often the form is sent. If its answer
// has a secret, whoever sends the form again gets it again.
func (v *visit) once() http.Header {
	fields := maps.Clone(v.request.PostForm)
	fields.Del(fieldTicket)
	sum := sha256.Sum256([]byte(v.url.Path + "?" + fields.Encode()))
	return http.Header{"Idempotency-Key": {v.formID + "-" + hex.EncodeToString(sum[:8])}}
}

// notDone stands above a form with problems at its fields.
const notDone = "Nothing has been done yet: see below what must be."

// formProblem is what stands above a form that was refused: what is wrong with a field stands there.
func formProblem(refused *problem.APIError) string {
	if len(refused.Problem.Details) > 0 {
		return notDone
	}
	return sentence(refused.Problem.Message)
}

// byField returns problems by field: those of an item of a list, such as events[0], count for the list.
func byField(problems map[string]string) map[string]string {
	out := map[string]string{}
	for name, problem := range problems {
		list, _, _ := strings.Cut(name, "[")
		out[list] = problem
	}
	return out
}

// urlQuery returns a query with one parameter.
func urlQuery(name, value string) string { return url.Values{name: {value}}.Encode() }
