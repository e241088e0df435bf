package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// unanswered judges an attempt that ended without an answer.
func unanswered(ctx context.Context, err error) publish.Outcome {
	o := publish.Outcome{Kind: publish.ConnectionFailed, Class: publish.Class(egress.Classify(err)), Message: egress.Describe(err)}
	switch {
	case errors.Is(err, egress.ErrBlocked):
		o.Kind, o.Final = publish.AddressBlocked, true
	case o.Class == publish.Class(egress.Timeout), errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.Kind, o.Class = publish.Timeout, publish.Class(egress.Timeout)
		o.Message = egress.Describe(context.DeadlineExceeded)
	}
	return o
}

// unreadable is the outcome where the URL is none.
func unreadable() publish.Outcome {
	return publish.Outcome{
		Kind: publish.AddressBlocked, Class: publish.Class(egress.AddressBlocked), Final: true, Message: "blocked: the URL cannot be read",
	}
}

// NotSent is the outcome where something that a request needs is not there.
func NotSent(final bool, missing string) publish.Outcome {
	return publish.Outcome{Kind: publish.NotSent, Class: publish.ClassNotSent, Final: final, Message: "nothing was sent: " + missing}
}

// answered judges an answer by its status; only that of a 2xx can say what became of the article (contract, section 6).
func answered(resp *http.Response, body *recorder, now time.Time, giveUp func()) publish.Outcome {
	status := resp.StatusCode
	if status >= 200 && status <= 299 {
		id, link := readAnswer(body)
		return publish.Outcome{Kind: publish.Accepted, HTTPStatus: status, ID: id, URL: link}
	}
	if status < 100 {
		return publish.Outcome{
			Kind: publish.ConnectionFailed, Class: publish.Class(egress.InvalidAnswer), Message: "the answer has no valid HTTP status",
		}
	}
	late := time.AfterFunc(explanationTime, giveUp)
	defer late.Stop()
	body.fill()
	return publish.Outcome{
		Kind:       publish.Rejected,
		Class:      classOf(status),
		HTTPStatus: status,
		Message:    rejection(status),
		Final:      status == http.StatusGone,
		RetryAfter: retryAfter(resp, now),
	}
}

// classOf is the class of a status that is no success.
func classOf(status int) publish.Class {
	switch status / 100 {
	case 3:
		return publish.ClassRedirect
	case 4:
		return publish.ClassClientError
	case 5:
		return publish.ClassServerError
	default:
		return publish.ClassUnexpectedStatus
	}
}

// rejection is written by us: the text beside the status is the receiver's, and could be anything.
func rejection(status int) string {
	message := fmt.Sprintf("the receiver answered %d", status)
	if text := http.StatusText(status); text != "" {
		message += " " + text
	}
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		message += ": redirects are not followed"
	case http.StatusGone:
		message += ": it wants no more"
	}
	return message
}
