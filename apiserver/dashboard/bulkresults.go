package dashboard

import (
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// bulkResultsView is the data of the page with the results.
type bulkResultsView struct {
	// DoneText says what has been done with those of Done.
	DoneText     string
	Done, Failed []bulkResult
	Back         string
}

type bulkResult struct {
	Title, Path, Status, Problem string
}

func bulkTitle(action bulkAction, got rest.BulkAnswer) string {
	if got.Failed == 0 {
		return action.Done + ": " + plural(got.Done, "article")
	}
	return plural(got.Failed, "article") + " could not be changed"
}

// bulkProblem says why an article was not changed. Digests say nothing to people.
func bulkProblem(message string) string {
	if strings.HasPrefix(message, "the text has changed") {
		return "Its text has changed since you saw the list. Read it again."
	}
	return sentence(message)
}

func (v *visit) bulkResults(view *bulkView, got rest.BulkAnswer) bulkResultsView {
	titles, out := v.forms("title"), bulkResultsView{DoneText: view.Done, Back: view.Back}
	for i, r := range got.Data {
		result := bulkResult{Title: r.UID, Path: v.path("articles", r.UID), Status: r.Status}
		if i < len(titles) {
			result.Title = titles[i]
		}
		if r.Done {
			out.Done = append(out.Done, result)
			continue
		}
		if r.Problem != nil {
			result.Problem = bulkProblem(r.Problem.Message)
		}
		out.Failed = append(out.Failed, result)
	}
	return out
}
