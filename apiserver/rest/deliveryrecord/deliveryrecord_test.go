package deliveryrecord_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/deliveryrecord"
)

var began = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func TestADeliveryIsShownWithItsAttemptsAndTheLastAnswer(t *testing.T) {
	next := v1alpha1.NewMicroTime(began.Add(time.Minute))
	got := deliveryrecord.PresentRecord(&v1alpha1.DeliveryRecord{
		Cycle: &v1alpha1.DeliveryCycle{Number: 2, NextAttemptTime: &next},
		Attempts: []v1alpha1.DeliveryAttempt{
			{Cycle: 1, Number: 4, StartTime: v1alpha1.NewMicroTime(began), AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptTimeout, ErrorClass: v1alpha1.ErrorTimeout, Milliseconds: 30_000, Message: "no answer within 30 s",
			}},
			{Cycle: 2, Number: 1, StartTime: v1alpha1.NewMicroTime(began.Add(time.Second)), AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorServer, HTTPStatus: 503, Milliseconds: 7,
			}},
		},
		LastAnswer: &v1alpha1.ReceiverAnswer{HTTPStatus: 503, Snippet: "<b>busy</b>"},
	})
	want := deliveryrecord.DeliveryRecord{
		NextAttemptAt: new("2026-11-20T09:01:00.000Z"),
		Attempts: []deliveryrecord.DeliveryAttempt{
			{Cycle: 1, Number: 4, AttemptResult: deliveryrecord.AttemptResult{
				StartedAt: "2026-11-20T09:00:00.000Z", Outcome: "timeout", ErrorClass: "timeout", Milliseconds: 30_000, Message: "no answer within 30 s",
			}},
			{Cycle: 2, Number: 1, AttemptResult: deliveryrecord.AttemptResult{
				StartedAt: "2026-11-20T09:00:01.000Z", Outcome: "rejected", ErrorClass: "server_error", HTTPStatus: new(int32(503)), Milliseconds: 7,
			}},
		},
		LastAnswer: &deliveryrecord.ReceiverAnswer{HTTPStatus: 503, Snippet: "<b>busy</b>"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the delivery (-want +got):\n%s", diff)
	}
}

func TestADeliveryOfWhichNothingWasSentHasAnEmptyList(t *testing.T) {
	if got := deliveryrecord.PresentRecord(&v1alpha1.DeliveryRecord{}); got.Attempts == nil || len(got.Attempts) != 0 || got.NextAttemptAt != nil {
		t.Errorf("got %+v", got)
	}
}
