package signedpost

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/retryafter"
)

// unanswered judges an attempt that ended without an answer.
func unanswered(ctx context.Context, err error) publish.Outcome {
	o := publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptConnectionFailed, ErrorClass: v1alpha1.ErrorClass(egress.Classify(err)), Message: egress.Describe(err),
	}}
	switch {
	case errors.Is(err, egress.ErrBlocked):
		o.Outcome, o.Final = v1alpha1.AttemptAddressBlocked, true
	case o.ErrorClass == v1alpha1.ErrorTimeout, errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.Outcome, o.ErrorClass = v1alpha1.AttemptTimeout, v1alpha1.ErrorTimeout
		o.Message = egress.Describe(context.DeadlineExceeded)
	}
	return o
}

// invalidURL is the outcome of a request whose URL cannot be parsed.
func invalidURL() publish.Outcome {
	return publish.Outcome{Final: true, AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptAddressBlocked, ErrorClass: v1alpha1.ErrorAddressBlocked, Message: "blocked: the URL cannot be read",
	}}
}

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
		RetryAfter: retryAfter(resp, now),
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

// retryAfter returns how long the receiver asks not to be called again. Only a 429 or 503 can ask.
func retryAfter(resp *http.Response, now time.Time) time.Duration {
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return retryafter.Parse(resp.Header.Get("Retry-After"), now)
	default:
		return 0
	}
}
