package rest

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const (
	// siteSecretPrefix begins the names of the Secrets that the facade makes for sites: an admission policy demands it.
	siteSecretPrefix = "pressroom-site-"
	subjectSite      = "site"
)

// siteSecret is the Secret of a site's connection, before it is made.
type siteSecret struct {
	name   string
	values map[string]string
	// shown is the signing secret that was made; empty if all values were entered.
	shown string
}

// newSiteSecret names a Secret for a site with random bytes, and makes its signing secret of others.
func newSiteSecret(site string, random io.Reader) (siteSecret, error) {
	const suffixBytes, valueBytes = 5, 32
	bytes := make([]byte, suffixBytes+valueBytes)
	if _, err := io.ReadFull(random, bytes); err != nil {
		return siteSecret{}, fmt.Errorf("making a signing secret: %w", err)
	}
	return siteSecret{
		name:  siteSecretPrefix + site + "-" + hex.EncodeToString(bytes[:suffixBytes]),
		shown: base64.RawURLEncoding.EncodeToString(bytes[suffixBytes:]),
	}, nil
}

// complete takes what was entered for the connection. The signing secret that was made is only used if none was entered.
func (secret siteSecret) complete(form connectors.Form, entered map[string]string) siteSecret {
	secret.values = entered
	generated := form.Generated()
	if generated == "" || entered[generated] != "" {
		secret.shown = ""
		return secret
	}
	secret.values = map[string]string{generated: secret.shown}
	return secret
}

// createSiteSecret creates the Secret of a connection. It says for which address it is, and is deleted with its site.
func (s *service) createSiteSecret(ctx context.Context, site *v1alpha1.Site, secret siteSecret) error {
	ctx, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	object := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: site.Namespace, Name: secret.name,
			Annotations: map[string]string{v1alpha1.AddressAnnotation: connectors.For(site).Connection(site).Address},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "Site", Name: site.Name, UID: site.UID,
			}},
		},
		Type: corev1.SecretTypeOpaque,
		Data: map[string][]byte{},
	}
	for key, value := range secret.values {
		object.Data[key] = []byte(value)
	}
	err := s.Client.Create(ctx, object, client.FieldOwner(managerCreate))
	if apierrors.IsAlreadyExists(err) {
		// The name is random: an interrupted call with the same Idempotency-Key has created it.
		return nil
	}
	return aboutSite(err)
}

// deleteSiteSecret deletes a Secret that no site names anymore. It is owned by its site, so one that stays is deleted with that.
func (s *service) deleteSiteSecret(ctx context.Context, namespace, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Limits.CallTimeout)
	defer cancel()
	object := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if err := client.IgnoreNotFound(s.Client.Delete(ctx, object)); err != nil {
		s.Log.Info("a Secret that no site names is left until its site is deleted", "secret", name, "error", err.Error())
	}
}

func aboutSite(err error) error {
	return problem.WithResource(subjectSite, problem.MarkUnreachable(err))
}

// liveSite reads a site from kube-apiserver. A site that has just been created is found by the workspace that the request names,
// although the index does not have it yet.
func (s *service) liveSite(ctx context.Context, c *call, on OnSite) (*v1alpha1.Site, error) {
	key := client.ObjectKey{Namespace: on.Workspace, Name: on.UID}
	found, err := c.findSite(on)
	switch {
	case err == nil:
		key = client.ObjectKeyFromObject(found.Object)
	case on.Workspace == "" || !identity.IsUID(on.UID) || !c.opens(on.Workspace):
		return nil, err
	default:
		if wait := s.unknown.lookups.Take(c.principal.Account); wait > 0 {
			return nil, problem.TooManyRequests(wait)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.Limits.CallTimeout)
	defer cancel()
	site := &v1alpha1.Site{}
	if err := s.Client.Get(ctx, key, site); err != nil {
		return nil, aboutSite(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return nil, problem.NotFound(subjectSite)
	}
	return site, nil
}
