package article

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// generated is what became of a line.
type generated struct {
	Keyword string
	// Path of the article; empty if there is none, and Problem says why.
	Path, Problem string
	// Unknown means that it is not known whether there is one.
	Unknown bool
}

// resultView is the page with what became of each line.
type resultView struct {
	Lines []generated
	Made  int
	// Again are the keywords that made no article, and Form has the other fields.
	Again []string
	// Unknown are the lines of which it is not known whether they made one.
	Unknown []lineKey
	Form    makeView
}

// lineKey is the Idempotency-Key under which a line of the form makes one article, however often the form is sent.
type lineKey struct{ Key, Keyword string }

// lineKeys returns the keys of the lines of a form. A line of which it is not known whether it made an article goes on under its key, which
// the form has with its keyword.
func lineKeys(v *page.Visit, keywords, unknown []string) []lineKey {
	var sent []lineKey
	for _, value := range unknown {
		key, keyword, _ := strings.Cut(value, " ")
		sent = append(sent, lineKey{key, keyword})
	}
	keys := make([]lineKey, 0, len(keywords))
	for i, keyword := range keywords {
		key := v.FormID + "-line-" + strconv.Itoa(i+1)
		if j := slices.IndexFunc(sent, func(l lineKey) bool { return l.Keyword == keyword }); j >= 0 {
			key = sent[j].Key
			sent = slices.Delete(sent, j, j+1)
		}
		keys = append(keys, lineKey{key, keyword})
	}
	return keys
}

// generate asks for an article for each keyword. Each line has an Idempotency-Key of the form's id and its number, so a form that is sent
// twice charges each line once.
func generate(v *page.Visit, form generateForm) (*page.Answer, error) {
	view := makeView{Kind: "generate", generateForm: form}
	keywords := page.Lines(view.Keywords)
	switch {
	case len(keywords) == 0:
		view.Problems = map[string]string{"keyword": "Write at least one keyword."}
	case len(keywords) > maxKeywords:
		view.Problems = map[string]string{"keyword": fmt.Sprintf("At most %d at once; these are %d.", maxKeywords, len(keywords))}
	}
	if view.Problems != nil {
		view.Problem = "Nothing has been generated."
		return makeAgain(v, view, http.StatusUnprocessableEntity)
	}
	result := resultView{}
	for _, l := range lineKeys(v, keywords, view.Lines) {
		line := generated{Keyword: l.Keyword}
		made, err := page.Call(v, generation.Generate, generation.GenerateInput{
			Idempotent: operation.Idempotent{Key: l.Key}, Body: generation.GenerateRequest{
				SiteUID: operation.SiteUID(view.Site), Keyword: l.Keyword, SecondaryKeywords: page.Lines(view.Secondary), Tone: view.Tone,
				Length: view.Length, BriefUID: operation.BriefUID(view.Brief), Instructions: view.Instructions,
			},
		})
		if err == nil {
			line.Path = v.ArticlePath(made.Body.BlogUID)
			result.Made++
		} else {
			line.Problem = lineProblem(err)
			result.Again = append(result.Again, l.Keyword)
			if line.Unknown = !page.IsRefused(err); line.Unknown {
				result.Unknown = append(result.Unknown, l)
			}
		}
		result.Lines = append(result.Lines, line)
	}
	result.Form = view
	return v.Page("generated.html", "Generating "+page.Plural(result.Made, "article"), result), nil
}

// lineProblem says why a line made no article.
func lineProblem(err error) string {
	refused, ok := page.Refusal(err)
	if !ok || !page.IsRefused(err) {
		return "It is not known whether this was accepted. Try it again: it makes one article, and takes one credit."
	}
	switch refused.Problem.Code {
	case problem.CodeInsufficientCredits:
		if refused.Problem.Reason == problem.ReasonBudgetReached {
			return page.Sentence(refused.Problem.Message)
		}
		return "No credit is left. The operator of this server can add some."
	case problem.CodeRateLimited:
		return page.Sentence(refused.Problem.Message)
	case problem.CodeConflict:
		return sentBefore(refused.Problem.Details)
	case problem.CodeValidation:
		for _, d := range refused.Problem.Details {
			return page.Sentence(fieldName(d.Field) + ": " + page.Plainly(d.Message))
		}
	}
	return page.ProblemOf(err)
}

// sentBefore says that a line of a form was sent before with other values, and in which fields they differ where that is known.
func sentBefore(details []problem.ErrorDetail) string {
	differs := make([]string, 0, len(details))
	for _, d := range details {
		differs = append(differs, strings.ToLower(fieldName(d.Field)))
	}
	other := cmp.Or(strings.Join(differs, ", "), "values")
	return "This line was sent before with other " + other + ", and made its article then. Open a new form for another one."
}
