package site

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
)

// maxObjectName is the most that Kubernetes takes as a name, in bytes.
const maxObjectName = 253

// connect changes the connection of a site as the request says. If the connection needs its credentials again, it returns the Secret
// that must be created, which is the one that was made or has what was entered.
func (r *UpdateSiteRequest) connect(site *v1alpha1.Site, made connectionSecret) (secret connectionSecret, err error) {
	if r.CMSType == nil && r.Connection == nil && !r.NewSigningSecret {
		return connectionSecret{}, nil
	}
	form, earlier, ok := r.form(site)
	if !ok {
		return connectionSecret{}, problem.Conflict(problem.ReasonNotSupported,
			"the connection of sites of this cms_type cannot be changed here")
	}
	entered, faults := form.Read(r.Connection, earlier, connectors.SecretOf(site))
	renew := len(entered.Secrets) > 0 || (r.NewSigningSecret && form.Generated() != "") ||
		!form.Same(entered.CMS, site.Spec.CMS)
	if renew {
		entered, _ = form.Read(r.Connection, earlier, made.name)
		faults = append(faults, form.Missing(entered.Secrets)...)
	}
	details := connectionDetails(faults)
	if r.NewSigningSecret && form.Generated() == "" {
		details = append(details, problem.ErrorDetail{Field: "new_signing_secret", Message: "must be left out for this cms_type"})
	}
	if len(details) > 0 {
		return connectionSecret{}, problem.Invalid(details...)
	}
	if len(made.name) > maxObjectName {
		return connectionSecret{}, problem.Conflict(problem.ReasonNotSupported,
			"the site's name is too long for a secret of its own: only the operator of the installation can change its connection")
	}
	site.Spec.CMS = entered.CMS
	if !renew || form.Type == v1alpha1.CMSNone {
		return connectionSecret{}, nil
	}
	return made.complete(form, entered.Secrets), nil
}

func connectionDetails(faults []siteform.Fault) []problem.ErrorDetail {
	details := make([]problem.ErrorDetail, 0, len(faults)+1)
	for _, f := range faults {
		details = append(details, problem.ErrorDetail{Field: "connection." + f.Field, Message: f.Message})
	}
	return details
}

// form returns the form of the connection, and the connection before if that is of the same type.
func (r *UpdateSiteRequest) form(site *v1alpha1.Site) (form siteform.Form, earlier *v1alpha1.SiteCMS, ok bool) {
	if r.CMSType != nil && !strings.EqualFold(string(*r.CMSType), string(site.Spec.CMS.Type)) {
		form, ok = connectors.FormOf(*r.CMSType)
		return form, nil, ok
	}
	form, ok = connectors.FormOf(site.Spec.CMS.Type)
	return form, &site.Spec.CMS, ok
}

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
func newSecret(site string) connectionSecret {
	const suffixBytes, valueBytes = 5, 32
	bytes := make([]byte, suffixBytes+valueBytes)
	rand.Read(bytes)
	return connectionSecret{
		name:  secretPrefix + site + "-" + hex.EncodeToString(bytes[:suffixBytes]),
		shown: base64.RawURLEncoding.EncodeToString(bytes[suffixBytes:]),
	}
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
