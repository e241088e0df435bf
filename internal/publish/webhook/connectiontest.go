package webhook

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Test says which connection is tested, for whoever reads the receiver's log.
type Test struct {
	// Nonce of the request for the test.
	Nonce string
	// SiteUID and Domain of the site.
	SiteUID string
	Domain  string
}

// test is the body of a test. It has none of an article's fields, so that a receiver that looks at no header finds nothing to
// post in it.
type test struct {
	Type    string `json:"type"`
	Test    bool   `json:"test"`
	Message string `json:"message"`
	Nonce   string `json:"nonce"`
	SiteUID string `json:"site_uid"`
	Domain  string `json:"domain"`
}

// TestPayload returns the body of a test of a connection.
func TestPayload(t Test) ([]byte, error) {
	body, err := json.Marshal(test{
		Type: TestEvent, Test: true, Message: "This tests the connection. It is no article: there is nothing to post.",
		Nonce: t.Nonce, SiteUID: t.SiteUID, Domain: t.Domain,
	})
	if err != nil {
		return nil, fmt.Errorf("encoding a test: %w", err)
	}
	return body, nil
}

// TestConnection makes one request that tests a target. Its format is not used: a test is no article.
func TestConnection(ctx context.Context, client Client, clock clock.Clock, target Target, t Test) publish.Outcome {
	body, err := TestPayload(t)
	if err != nil {
		return NotSent(true, "the test could not be encoded")
	}
	return Post(ctx, client, clock, target, TestEvent, body)
}
