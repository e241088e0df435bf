package page

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// messageView says one thing, and leads on.
type messageView struct {
	Text    string
	Details []string
	// Back is the path that leads on.
	Back, BackText string
}

// Message answers with a page that says one thing.
func (v *Visit) Message(status int, title, text string, details ...string) *Answer {
	view := messageView{Text: text, Details: details, Back: Root, BackText: "To the start"}
	if v.Workspace != "" {
		view.Back, view.BackText = v.Path("articles"), "To the articles"
	}
	if article := v.ArticlePath(v.Param("uid")); status != http.StatusNotFound && strings.HasPrefix(v.url.Path, article+"/") {
		view.Back, view.BackText = article, "To the article"
	}
	return v.Page("message.html", title, view).With(status)
}

// NotFound answers for what does not exist, or is not open to the person.
func (v *Visit) NotFound() *Answer {
	return v.Message(http.StatusNotFound, "Not found", "There is nothing here, or it is not open to you.")
}

// Forbidden answers a person who lacks a scope.
func (v *Visit) Forbidden(s v1alpha1.Scope) *Answer {
	return v.Message(http.StatusForbidden, "You may not do this",
		"It needs the scope "+strings.ToLower(string(s))+". The operator of this server can give it to you.")
}

// Failure answers with a page that says what went wrong, in the words of the operation that was refused.
func (v *Visit) Failure(err error) *Answer {
	refused, ok := Refusal(err)
	if !ok {
		v.Deps.Log.Error(err, "making a page", "path", v.url.Path)
		return v.Message(http.StatusInternalServerError, "Something went wrong",
			"Nothing more is known here; the log of the server has the reason.")
	}
	var details []string
	for _, d := range refused.Problem.Details {
		details = append(details, cmp.Or(Words.Fields[d.Field], plainName.Replace(d.Field))+": "+inWords(Plainly(d.Message), v.Zone))
	}
	var a *Answer
	switch status := refused.GetStatus(); status {
	case http.StatusNotFound:
		a = v.NotFound()
	case http.StatusForbidden:
		a = v.Message(status, "You may not do this", v.Say(refused.Problem.Message))
	case http.StatusConflict, http.StatusPreconditionFailed:
		a = v.Message(status, "That is not possible now", "Nothing has been done: "+v.Say(refused.Problem.Message))
	case http.StatusTooManyRequests:
		a = v.Message(status, "Too much at once", v.Say(refused.Problem.Message))
	case http.StatusServiceUnavailable:
		a = v.Message(status, "Not available at the moment", "Try again in a few seconds.")
	default:
		a = v.Message(status, "That cannot be done", v.Say(refused.Problem.Message), details...)
	}
	a.Header = refused.GetHeaders()
	return a
}

// plainName writes the name of a field of the REST API as words.
var plainName = strings.NewReplacer("_", " ", ".", " ")

// ProblemOf returns what went wrong in one sentence, to be shown beside a form.
func ProblemOf(err error) string {
	if refused, ok := Refusal(err); ok {
		return Sentence(inWords(refused.Problem.Message, time.UTC))
	}
	return "It is not known whether this has been done. Look again in a moment."
}

// Sentence returns a message with a capital letter and a full stop.
func Sentence(message string) string {
	if message == "" {
		return message
	}
	message = strings.ToUpper(message[:1]) + message[1:]
	if strings.HasSuffix(message, ".") {
		return message
	}
	return message + "."
}
