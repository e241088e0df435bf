package dashboard

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// generated is what became of a line.
type generated struct {
	Keyword string
	// Path of the article; empty if there is none, and Problem says why.
	Path, Problem string
}

// resultView is the page with what became of each line.
type resultView struct {
	Lines []generated
	Made  int
	// Again are the keywords that made no article, and Form has the other fields.
	Again []string
	Form  makeView
}

// onceForLine is the header under which a line of the form makes one article, however often the form is sent.
func (v *visit) onceForLine(i int) http.Header {
	return http.Header{"Idempotency-Key": {v.formID + "-line-" + strconv.Itoa(i+1)}}
}

// generate asks for an article for each keyword. Each line has an Idempotency-Key of the form's id and its number, so a form that is sent
// twice charges each line once.
func generate(v *visit) (*answer, error) {
	view := makeView{
		Kind: "generate", Site: v.form("site"), Keywords: v.form("keywords"), Secondary: v.form("secondary"), Tone: v.form("tone"),
		Length: v.form("length"),
	}
	keywords := lines(view.Keywords)
	switch {
	case len(keywords) == 0:
		view.Problems = map[string]string{"keyword": "Write at least one keyword."}
	case len(keywords) > maxKeywords:
		view.Problems = map[string]string{"keyword": fmt.Sprintf("At most %d at once; these are %d.", maxKeywords, len(keywords))}
	}
	if view.Problems != nil {
		view.Problem = "Nothing has been generated."
		return v.makeAgain(view, http.StatusUnprocessableEntity)
	}
	result := resultView{}
	for i, keyword := range keywords {
		line := generated{Keyword: keyword}
		made, err := call[rest.GenerateAnswer](v, rest.Request{
			Operation: "generate-article", Header: v.onceForLine(i), Body: rest.GenerateRequest{
				SiteUID: rest.SiteUID(view.Site), Keyword: keyword, SecondaryKeywords: lines(view.Secondary), Tone: view.Tone,
				Length: view.Length,
			},
		})
		if err == nil {
			line.Path = v.articlePath(made.BlogUID)
			result.Made++
		} else {
			line.Problem = lineProblem(err)
			result.Again = append(result.Again, keyword)
		}
		result.Lines = append(result.Lines, line)
	}
	result.Form = view
	return v.page("generated.html", "Generating "+plural(result.Made, "article"), result), nil
}

// lineProblem says why a line made no article.
func lineProblem(err error) string {
	refused, ok := refusal(err)
	if !ok {
		return "It is not known whether this was accepted. Look at the list of articles."
	}
	switch refused.Problem.Code {
	case problem.CodeInsufficientCredits:
		return "No credit is left. Whoever runs this server can add some."
	case problem.CodeRateLimited:
		return sentence(refused.Problem.Message)
	case problem.CodeConflict:
		return sentBefore(refused.Problem.Details)
	case problem.CodeValidation:
		for _, d := range refused.Problem.Details {
			return sentence(fieldName(d.Field) + ": " + plainly(d.Message))
		}
	}
	return problemOf(err)
}

// sentBefore says that a line of a form was sent before with other values, and in which fields they differ where that is known.
func sentBefore(details []problem.Detail) string {
	differs := make([]string, 0, len(details))
	for _, d := range details {
		differs = append(differs, strings.ToLower(fieldName(d.Field)))
	}
	other := strings.Join(differs, ", ")
	if other == "" {
		other = "values"
	}
	return "This line was sent before with other " + other + ", and made its article then. Open a new form for another one."
}
