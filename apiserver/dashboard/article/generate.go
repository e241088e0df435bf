package article

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/batch"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

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
	case len(keywords) > batch.MaxArticles:
		view.Problems = map[string]string{"keyword": fmt.Sprintf("At most %d at once; these are %d.", batch.MaxArticles, len(keywords))}
	}
	if view.Problems != nil {
		view.Problem = "Nothing has been generated."
		return makeAgain(v, view, http.StatusUnprocessableEntity)
	}
	made, refused := []string{}, []batch.Line{}
	for i, l := range lineKeys(v, keywords, view.Lines) {
		out, err := page.Call(v, generation.Generate, generation.GenerateInput{
			Idempotent: operation.Idempotent{Key: l.Key}, Body: generation.GenerateRequest{
				SiteUID: operation.SiteUID(view.Site), Keyword: l.Keyword, SecondaryKeywords: page.Lines(view.Secondary), Tone: view.Tone,
				Length: view.Length, BriefUID: operation.BriefUID(view.Brief), Instructions: view.Instructions,
			},
		})
		if err == nil {
			made = append(made, out.Body.BlogUID)
			continue
		}
		line := batch.Line{Number: i, Keyword: l.Keyword, Problem: lineProblem(err)}
		if !page.IsRefused(err) {
			line.Key = l.Key
		}
		refused = append(refused, line)
	}
	return batch.LeadTo(v, made, batch.Refused{Lines: refused, Form: batch.Form{
		Site: form.Site, Secondary: form.Secondary, Tone: form.Tone, Length: form.Length, Brief: form.Brief,
		Instructions: form.Instructions,
	}})
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
