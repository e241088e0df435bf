package operation_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAnEmptyKeyIsRefused(t *testing.T) {
	api := operationtest.New(t)
	for _, r := range []operationtest.Request{
		{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)},
		{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody}, {Method: "POST", Path: operationtest.ClientsPath + "/pr_ci_new/rotate-secret"},
		{Method: "POST", Path: "/v1/api/event-subscriptions", Body: `{"url":"https://example.com/","events":["*"]}`},
		{Method: "POST", Path: "/v1/api/event-subscriptions/" + operationtest.AnyUID + "/rotate-secret"},
	} {
		r.Header = map[string]string{"Idempotency-Key": ""}
		operationtest.WantFields(t, api.Do(r), "Idempotency-Key")
	}
}
