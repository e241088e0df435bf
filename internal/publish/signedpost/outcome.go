package signedpost

import (
	"fmt"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

// judge judges an answer by its status. Only the body of a 2xx can name the post (contract, section 6).
func judge(resp *http.Response, body *recorder, now time.Time, stop func()) publish.Outcome {
	status := resp.StatusCode
	if status >= 200 && status <= 299 {
		id, link := readAnswer(body)
		return publish.Outcome{
			ID: id, URL: link, AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted, HTTPStatus: int32(status)},
		}
	}
	if status < 100 || status > 999 {
		return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptConnectionFailed, ErrorClass: v1alpha1.ErrorInvalidAnswer,
			Message: "the answer has no valid HTTP status",
		}}
	}
	late := time.AfterFunc(explanationTime, stop)
	defer late.Stop()
	body.fill()
	return publish.Outcome{
		AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, ErrorClass: classOf(status), HTTPStatus: int32(status), Message: rejection(status),
		},
		Final:      status == http.StatusGone,
		RetryAfter: answer.RetryAfter(status, resp.Header, now),
	}
}

// classOf is the class of a status other than 2xx.
func classOf(status int) v1alpha1.ErrorClass {
	switch status / 100 {
	case 3:
		return v1alpha1.ErrorRedirect
	case 4:
		return v1alpha1.ErrorClient
	case 5:
		return v1alpha1.ErrorServer
	default:
		return v1alpha1.ErrorUnexpectedStatus
	}
}

// rejection describes a status other than 2xx. It leaves out the text that the receiver sent beside the status, which could be
// anything.
func rejection(status int) string {
	message := fmt.Sprintf("the receiver answered %d", status)
	if text := http.StatusText(status); text != "" {
		message += " " + text
	}
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		message += ": redirects are not followed"
	case http.StatusGone:
		message += ": delivery is not retried"
	}
	return message
}
