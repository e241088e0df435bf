package site

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// secretPrefix begins the names of the Secrets that the facade makes for sites: an admission policy demands it.
const secretPrefix = "pressroom-site-"

// connectionSecret is the Secret of a site's connection, before it is made.
type connectionSecret struct {
	name   string
	values map[string]string
	// shown is the signing secret that was made; empty if all values were entered.
	shown string
}

// newSecret names a Secret for a site with random bytes, and makes its signing secret of others.
func newSecret(site string) (connectionSecret, error) {
	const suffixBytes, valueBytes = 5, 32
	bytes := make([]byte, suffixBytes+valueBytes)
	if _, err := rand.Read(bytes); err != nil {
		return connectionSecret{}, fmt.Errorf("making a signing secret: %w", err)
	}
	return connectionSecret{
		name:  secretPrefix + site + "-" + hex.EncodeToString(bytes[:suffixBytes]),
		shown: base64.RawURLEncoding.EncodeToString(bytes[suffixBytes:]),
	}, nil
}

// complete takes what was entered for the connection. The signing secret that was made is only used if none was entered.
func (secret connectionSecret) complete(form siteform.Form, entered map[string]string) connectionSecret {
	secret.values = entered
	generated := form.Generated()
	if generated == "" || entered[generated] != "" {
		secret.shown = ""
		return secret
	}
	secret.values = map[string]string{generated: secret.shown}
	return secret
}

// createSecret creates the Secret of a connection. It says for which address it is, and is deleted with its site.
func (s *service) createSecret(ctx context.Context, site *v1alpha1.Site, secret connectionSecret) error {
	address := map[string]string{v1alpha1.AddressAnnotation: connectors.For(site).Connection(site).Address}
	return kube.CreateSecret(ctx, s.Client, site, "Site", secret.name, secret.values, address)
}

// deleteSecret deletes a Secret that no site names anymore.
func (s *service) deleteSecret(ctx context.Context, namespace, name string) {
	kube.DeleteSecret(ctx, s.Client, s.Log, namespace, name)
}
