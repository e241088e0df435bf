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
	o := publish.Outcome{Kind: publish.ConnectionFailed, Message: egress.Describe(err)}
	switch {
	case errors.Is(err, egress.ErrBlocked):
		o.Kind, o.Final = publish.AddressBlocked, true
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.Kind, o.Message = publish.Timeout, egress.Describe(context.DeadlineExceeded)
	}
	return o
}

// unreadable is the outcome where the URL is none.
func unreadable() publish.Outcome {
	return publish.Outcome{Kind: publish.AddressBlocked, Final: true, Message: "blocked: the URL cannot be read"}
}

// answered judges an answer by its status; only that of a 2xx is read any further (contract, section 6).
func answered(resp *http.Response, now time.Time) publish.Outcome {
	status := resp.StatusCode
	if status >= 200 && status <= 299 {
		id, link := readAnswer(resp.Body)
		return publish.Outcome{Kind: publish.Accepted, HTTPStatus: status, ID: id, URL: link}
	}
	if status < 100 {
		return publish.Outcome{Kind: publish.ConnectionFailed, Message: "the answer has no valid HTTP status"}
	}
	return publish.Outcome{
		Kind:       publish.Rejected,
		HTTPStatus: status,
		Message:    rejection(status),
		Final:      status == http.StatusGone,
		RetryAfter: retryAfter(resp, now),
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
