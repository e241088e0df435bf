// Package webhook publishes articles by signed webhook (docs/reference/contract.md, Publish webhook).
package webhook

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
)

// Connector publishes to Sites of the type Headless.
type Connector struct{}

// Connection implements publish.Connector.
func (Connector) Connection(site *v1alpha1.Site) publish.Connection {
	headless := site.Spec.CMS.Headless
	return publish.Connection{
		Endpoint: "webhook", Credentials: "signing secret", URL: headless.URL, Address: headless.URL, Host: egress.Host(headless.URL),
		Secrets: []publish.SecretRef{{SecretKeyReference: headless.SigningSecretRef}}, Settings: headless,
	}
}

// Publish implements publish.Connector.
func (Connector) Publish(ctx context.Context, t publish.Target, a publish.Article) publish.Outcome {
	r, err := Unsigned(t.Site, a)
	if err != nil {
		return publish.NotSent(true, "the payload format is not known")
	}
	return post(ctx, t, r)
}

// Unsigned returns the request that publishes an article to a Site of the type Headless, without the signature. It is the same for the
// same article and Site, always.
func Unsigned(site *v1alpha1.Site, a publish.Article) (signedpost.Request, error) {
	headless := site.Spec.CMS.Headless
	if headless.Disclosure != v1alpha1.HeadlessDisclosureSend {
		a.Disclosure = ""
	}
	body, err := Payload(headless.PayloadFormat, a)
	return signedpost.Request{URL: headless.URL, Event: Event, Body: body}, err
}

// post signs a request (docs/reference/contract.md, Signature), and sends it.
func post(ctx context.Context, t publish.Target, r signedpost.Request) publish.Outcome {
	secret := t.Secrets[t.Site.Spec.CMS.Headless.SigningSecretRef]
	if len(secret) == 0 {
		// Anybody can sign with an empty key.
		return publish.NotSent(false, "the signing secret is empty")
	}
	signature := Sign(secret, r.Body)
	r.Signature, r.Secrets = http.Header{SignatureHeader: {signature}}, []string{string(secret), signature}
	return signedpost.Send(ctx, t.HTTP, t.Clock, r)
}

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
