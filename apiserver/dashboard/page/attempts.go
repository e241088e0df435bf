package page

import (
	"html/template"

	"github.com/pressroom-dev/pressroom/apiserver/rest/attempt"
)

// AttemptsView is the data of a table of attempts.
type AttemptsView struct {
	Label string
	// Of is how many attempts a delivery has at most.
	Of   int
	Rows []attemptRow
}

type attemptRow struct {
	attempt.EventAttempt

	Started template.HTML
	Outcome Mark
}

// Attempts returns a table of attempts.
func (l *Layout) Attempts(label string, all []attempt.EventAttempt) AttemptsView {
	view := AttemptsView{Label: label, Of: MaxAttempts, Rows: make([]attemptRow, 0, len(all))}
	for _, a := range all {
		view.Rows = append(view.Rows, attemptRow{a, l.When(a.StartedAt), Outcomes[a.Outcome]})
	}
	return view
}
