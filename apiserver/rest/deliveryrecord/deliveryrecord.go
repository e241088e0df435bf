// Package deliveryrecord is how answers of the REST API show requests to receivers: of articles, of events, and of tests.
package deliveryrecord

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// DeliveryRecord is what was sent, and how it was answered.
type DeliveryRecord struct {
	NextAttemptAt *string           `json:"next_attempt_at" format:"date-time" doc:"Null if none is due."`
	Attempts      []DeliveryAttempt `json:"attempts" maxItems:"8" doc:"The last 8, oldest first."`
	LastAnswer    *ReceiverAnswer   `json:"last_answer" doc:"What the receiver answered last; null while it has answered nothing."`
}

// DeliveryAttempt is one request to the receiver.
type DeliveryAttempt struct {
	Cycle  int32 `json:"cycle" doc:"1, and one more for each redelivery."`
	Number int32 `json:"number" minimum:"1" maximum:"4" doc:"Number of the attempt in its cycle."`
	AttemptResult
}

// AttemptResult is the result of one request to a receiver.
type AttemptResult struct {
	StartedAt    string `json:"started_at" format:"date-time" doc:"When it began."`
	Outcome      string `json:"outcome" enum:"in_progress,accepted,rejected,timeout,connection_failed,address_blocked,not_sent,unknown"`
	ErrorClass   string `json:"error_class" doc:"Kind of what went wrong, such as timeout or server_error; empty if nothing did."`
	HTTPStatus   *int32 `json:"http_status" doc:"Null if no answer came."`
	Milliseconds int64  `json:"milliseconds" doc:"How long it took."`
	Message      string `json:"message" doc:"What went wrong, for people; empty if nothing did."`
}

// ReceiverAnswer is the answer of a receiver.
type ReceiverAnswer struct {
	HTTPStatus int32  `json:"http_status" doc:"HTTP status of the answer."`
	Snippet    string `json:"snippet" maxLength:"200" doc:"Beginning of the body, without what has the form of a credential."`
}

// PresentRecord returns what an answer shows of a delivery.
func PresentRecord(r *v1alpha1.DeliveryRecord) DeliveryRecord {
	out := DeliveryRecord{Attempts: []DeliveryAttempt{}}
	if r.Cycle == nil {
		return out
	}
	out.NextAttemptAt = operation.WhenOrNull(r.Cycle.NextAttemptTime)
	for i := range r.Attempts {
		a := &r.Attempts[i]
		out.Attempts = append(out.Attempts, DeliveryAttempt{a.Cycle, a.Number, PresentResult(a.StartTime.Time, a.AttemptResult)})
	}
	if answer := r.LastAnswer; answer != nil {
		out.LastAnswer = &ReceiverAnswer{HTTPStatus: answer.HTTPStatus, Snippet: answer.Snippet}
	}
	return out
}

// PresentResult returns what an answer shows of one request.
func PresentResult(started time.Time, r v1alpha1.AttemptResult) AttemptResult {
	out := AttemptResult{
		StartedAt: operation.Milliseconds(started), Outcome: operation.SnakeCase(string(r.Outcome)),
		ErrorClass:   operation.SnakeCase(string(r.ErrorClass)),
		Milliseconds: r.Milliseconds, Message: r.Message,
	}
	if r.HTTPStatus != 0 {
		out.HTTPStatus = new(r.HTTPStatus)
	}
	return out
}
