package eventsubscription_test

import (
	"net/http"
	"testing"

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
