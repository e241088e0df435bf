package dashboard

import (
	"html/template"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// attemptsView is the data of a table of attempts.
type attemptsView struct {
	Label string
	// Of is how many attempts a delivery has at most.
	Of   int
	Rows []attemptRow
}

type attemptRow struct {
	rest.EventAttempt

	Started template.HTML
	Outcome mark
}

// attempts returns a table of attempts.
func (l *layout) attempts(label string, all []rest.EventAttempt) attemptsView {
	view := attemptsView{Label: label, Of: maxAttempts, Rows: make([]attemptRow, 0, len(all))}
	for _, a := range all {
		view.Rows = append(view.Rows, attemptRow{a, l.When(a.StartedAt), outcomes[a.Outcome]})
	}
	return view
}
