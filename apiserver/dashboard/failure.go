package dashboard

import (
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// messageView says one thing, and leads on.
type messageView struct {
	Text    string
	Details []string
	// Back is the path that leads on.
	Back, BackText string
}

// message answers with a page that says one thing.
func (v *visit) message(status int, title, text string, details ...string) *answer {
	view := messageView{Text: text, Details: details, Back: Root, BackText: "To the start"}
	if v.workspace != "" {
		view.Back, view.BackText = v.path("articles"), "To the articles"
	}
	if article := v.articlePath(v.param("uid")); status != http.StatusNotFound && strings.HasPrefix(v.url.Path, article+"/") {
		view.Back, view.BackText = article, "To the article"
	}
	return v.page("message.html", title, view).with(status)
}

func (v *visit) notFound() *answer {
	return v.message(http.StatusNotFound, "Not found", "There is nothing here, or it is not open to you.")
}

func (v *visit) forbidden(s v1alpha1.Scope) *answer {
	return v.message(http.StatusForbidden, "You may not do this",
		"It needs the scope "+strings.ToLower(string(s))+". Whoever runs this server can give it to you.")
}

// failure answers with a page that says what went wrong, in the words of the operation that was refused.
func (v *visit) failure(err error) *answer {
	refused, ok := refusal(err)
	if !ok {
		v.dashboard.log.Error(err, "making a page", "path", v.url.Path)
		return v.message(http.StatusInternalServerError, "Something went wrong",
			"Nothing more is known here; the log of the server has the reason.")
	}
	var details []string
	for _, d := range refused.Problem.Details {
		details = append(details, d.Field+": "+d.Message)
	}
	var a *answer
	switch status := refused.GetStatus(); status {
	case http.StatusNotFound:
		a = v.notFound()
	case http.StatusForbidden:
		a = v.message(status, "You may not do this", sentence(refused.Problem.Message))
	case http.StatusConflict, http.StatusPreconditionFailed:
		a = v.message(status, "That is not possible now", "Nothing has been done: "+sentence(refused.Problem.Message))
	case http.StatusTooManyRequests:
		a = v.message(status, "Too much at once", sentence(refused.Problem.Message))
	case http.StatusServiceUnavailable:
		a = v.message(status, "Not available at the moment", "Try again in a few seconds.")
	default:
		a = v.message(status, "That cannot be done", sentence(refused.Problem.Message), details...)
	}
	a.header = refused.GetHeaders()
	return a
}

// problemOf returns what went wrong in one sentence, to be shown beside a form.
func problemOf(err error) string {
	if refused, ok := refusal(err); ok {
		return sentence(refused.Problem.Message)
	}
	return "It is not known whether this has been done. Look again in a moment."
}

// sentence returns a message with a capital letter and a full stop.
func sentence(message string) string {
	if message == "" {
		return message
	}
	message = strings.ToUpper(message[:1]) + message[1:]
	if strings.HasSuffix(message, ".") {
		return message
	}
	return message + "."
}
