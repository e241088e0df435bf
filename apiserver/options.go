package apiserver

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// Off as an address turns a listener off.
const Off = "0"

// Options configure a Server.
type Options struct {
	// Config is the client configuration for kube-apiserver. Its QPS and burst must be set: client-go allows 5 requests a second
	// otherwise.
	Config *rest.Config
	// SystemNamespace has the records of Idempotency-Keys that belong to no workspace.
	SystemNamespace string
	// Pod that this process runs in, which Kubernetes Events are about. Without its name, none are made.
	Pod corev1.ObjectReference
	// Cell is the code of the installation, with which the ids of credentials begin.
	Cell credential.Cell
	// BindAddress of the REST API, its document and its reference page, such as :8080.
	BindAddress string
	// MetricsBindAddress of /metrics, or Off.
	MetricsBindAddress string
	// HealthProbeBindAddress of /healthz and /readyz, or Off.
	HealthProbeBindAddress string
	// BaseURL is the external address of the REST API, without a slash at the end, and the issuer of OAuth. The default is the
	// address of the listener if that is a loopback address. Otherwise the pages and the metadata of OAuth answer 503.
	BaseURL string
	// AppURL is the external address of the pages, without a path and without a slash at the end. The default is BaseURL.
	AppURL string
	// TLS is the certificate of the REST API and the pages.
	TLS TLSOptions
	// Pages configure the pages and how people sign in.
	Pages PageOptions
	// Egress says which addresses of featured images and of documents of OAuth clients may be reached. The zero value allows public
	// addresses only.
	Egress egress.Policy
	// NoClientRegistration means that accounts may not register OAuth clients over the REST API.
	NoClientRegistration bool
	// ClientMetadataDocuments means that OAuth clients may identify by the URL of a Client ID Metadata Document, which the facade reads.
	ClientMetadataDocuments bool
	// Limits of this replica; the zero value means the defaults.
	Limits operation.Limits
	// Clock is injected for tests; nil means the real one.
	Clock clock.Clock
	// Log may be the zero Logger, which is silent.
	Log logr.Logger
}

func (o *Options) complete() error {
	if o.Config == nil {
		return errors.New("a client configuration for kube-apiserver must be given")
	}
	if o.SystemNamespace == "" {
		return errors.New("the system namespace must be given")
	}
	if err := cmp.Or(checkAddress("--base-url", o.BaseURL), checkAddress("--app-url", o.AppURL), o.Pages.check(), o.checkPages(),
		o.TLS.check()); err != nil {
		return err
	}
	if o.ClientMetadataDocuments && o.Pages.SessionKeyFile == "" {
		return errors.New("--client-metadata-documents needs --session-key-file, without which no pages are served")
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return nil
}

// checkPages refuses an address of the pages with a path: their forms and cookies are for the root of a host.
func (o *Options) checkPages() error {
	if o.Pages.SessionKeyFile == "" {
		return nil
	}
	address := cmp.Or(o.AppURL, o.BaseURL)
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("reading the address of the pages: %w", err)
	}
	if u.Path != "" {
		return fmt.Errorf("the pages cannot be below a path, as in %q: --app-url must be an address without one, "+
			"such as https://app.example.com, and must be given if --base-url has a path", address)
	}
	return nil
}

// checkAddress refuses an external address that other addresses cannot be built on.
func checkAddress(flag, raw string) error {
	if raw == "" {
		return nil
	}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		strings.HasSuffix(raw, "/") {
		return fmt.Errorf("%s must be an http or https address without a query and without a slash at the end, not %q", flag, raw)
	}
	return nil
}
