package eventsubscription_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestTheTimeToRecoverHasABeginningBeforeItsEnd(t *testing.T) {
	api := operationtest.New(t)
	out, _ := subscribed(t, api, create(`{"url":"https://a.example","events":["*"]}`))
	for body, want := range map[string]string{
		`{}`:                    "since",
		`{"since":"yesterday"}`: "since",
		`{"since":"2026-11-20T09:00:00Z","until":"2026-11-20T09:00:00Z"}`: "until",
		`{"since":"2026-11-20T09:00:00Z","until":"2026-11-20T08:00:00Z"}`: "until",
	} {
		r := operationtest.Request{Method: http.MethodPost, Path: subscriptionsPath + "/" + out.UID + "/recover", Body: body}
		operationtest.WantFields(t, api.Do(r), want)
	}
}

// Each event that is sent again is a write, as each item of a bulk request: what the account has no bytes for is left to the next request.
func TestEachRecoveredEventCountsAsAWrite(t *testing.T) {
	api := operationtest.NewAlone(t)
	api.Account.Spec.Limits.WrittenBytesPerMinute = new(int64(64 << 10))
	out, subscription := subscribed(t, api, create(`{"url":"https://a.example","events":["*"]}`))
	for n := range 100 {
		d := &v1alpha1.EventDelivery{}
		d.Namespace, d.Name = operationtest.Workspace, fmt.Sprintf("f4ac9b1e-0000-8000-8000-%012d", n)
		d.Spec.SubscriptionRef.Name = subscription.Name
		d.Spec.Time = v1alpha1.NewMicroTime(operationtest.Began.Add(-time.Duration(n) * time.Minute))
		d.Status.Cycle = &v1alpha1.DeliveryCycle{Number: 1, State: v1alpha1.CycleFailed}
		d.Status.FinishTime = new(d.Spec.Time)
		api.Objects.Add(d)
	}
	got := api.Do(operationtest.Request{
		Method: http.MethodPost, Path: subscriptionsPath + "/" + out.UID + "/recover", Body: `{"since":"2026-11-01T00:00:00Z"}`,
	})
	sent, _ := got.Body["redelivered"].(float64)
	if got.Status != http.StatusOK || sent < 25 || sent > 31 || got.Body["until"] == nil {
		t.Errorf("128 KiB are those of 32 writes, of which one made the subscription: got %d: %s", got.Status, got.Raw)
	}
}
