package webhook

import (
	"context"
	"encoding/json"

	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
)

// testPayload is the body of a connection test. It has none of an article's fields, so that a receiver that ignores the event
// header finds nothing to post in it. It names the Site for people who read the receiver's log.
type testPayload struct {
	Type    string `json:"type"`
	Test    bool   `json:"test"`
	Message string `json:"message"`
	Nonce   string `json:"nonce"`
	SiteUID string `json:"site_uid"`
	Domain  string `json:"domain"`
}

// Test implements publish.Tester by one signed request that is no article.
func (Connector) Test(ctx context.Context, t publish.Target, nonce string) publish.Outcome {
	body, err := json.Marshal(testPayload{
		Type: TestEvent, Test: true, Message: "This tests the connection. It is no article: there is nothing to post.",
		Nonce: nonce, SiteUID: identity.UID(identity.KindSite, t.Site.Namespace, t.Site.Name), Domain: t.Site.Spec.Domain,
	})
	if err != nil {
		return publish.NotSent(true, "the test could not be encoded")
	}
	return post(ctx, t, signedpost.Request{URL: t.Site.Spec.CMS.Headless.URL, Event: TestEvent, Body: body})
}
