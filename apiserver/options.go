package apiserver

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	facade "github.com/pressroom-dev/pressroom/apiserver/rest"
)

// Off in place of an address turns a listener off.
const Off = "0"

// Options say how a Server works.
type Options struct {
	// Config reaches kube-apiserver. Its QPS and burst must be set: client-go allows 5 requests a second otherwise.
	Config *rest.Config
	// SystemNamespace is where API keys live.
	SystemNamespace string
	// BindAddress of the REST API, its document and its reference page, such as :8080.
	BindAddress string
	// MetricsBindAddress of /metrics, or Off.
	MetricsBindAddress string
	// HealthProbeBindAddress of /healthz and /readyz, or Off.
	HealthProbeBindAddress string
	// BaseURL is the address under which the outside reaches the REST API, without a slash at the end; it is the issuer of
	// OAuth. The address that is really listened on where it is empty.
	BaseURL string
	// AppURL is the address under which people reach the pages, without a path and without a slash at the end; BaseURL where it
	// is empty.
	AppURL string
	// Pages say how people sign in to the pages.
	Pages PageOptions
	// Limits bound what this replica does; the zero value means the defaults.
	Limits facade.Limits
	// Clock is the real one where it is nil.
	Clock clock.Clock
	// Log may be the zero Logger, which is silent.
	Log logr.Logger
}

func (o *Options) complete() error {
	if o.Config == nil {
		return errors.New("a configuration for reaching the API server must be given")
	}
	if o.SystemNamespace == "" {
		return errors.New("the system namespace must be given")
	}
	for _, address := range []*string{&o.BaseURL, &o.AppURL} {
		if err := checkAddress(*address); err != nil {
			return err
		}
	}
	if err := o.checkPages(); err != nil {
		return err
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return nil
}

// checkPages finds fault with an address below which there are no pages: their forms and cookies are for the root of a host.
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
			"such as https://app.example.com, and must be given where --base-url has a path", address)
	}
	return nil
}

// checkAddress finds fault with an address that others build theirs on.
func checkAddress(raw string) error {
	if raw == "" {
		return nil
	}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		strings.HasSuffix(raw, "/") {
		return fmt.Errorf("%q must be an http or https address without a query and without a slash at the end", raw)
	}
	return nil
}
