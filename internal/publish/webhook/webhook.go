// Package webhook publishes articles by the signed webhook of the contract (sections 2, 5 and 6).
package webhook

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
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
	body, err := Payload(t.Site.Spec.CMS.Headless.PayloadFormat, a)
	if err != nil {
		return publish.NotSent(true, "the payload format is not known")
	}
	return post(ctx, t, Event, body)
}

// post sends one event to a Site's webhook, signed as the contract requires.
func post(ctx context.Context, t publish.Target, event string, body []byte) publish.Outcome {
	headless := t.Site.Spec.CMS.Headless
	secret := t.Secrets[headless.SigningSecretRef]
	if len(secret) == 0 {
		// Anybody can sign with an empty key.
		return publish.NotSent(false, "the signing secret is empty")
	}
	signature := Sign(secret, body)
	return signedpost.Send(ctx, t.HTTP, t.Clock, signedpost.Request{
		URL: headless.URL, Event: event, Body: body, Signature: http.Header{SignatureHeader: {signature}},
		Secrets: []string{string(secret), signature},
	})
}
