// Package connectors lists the types of CMS that can be published to.
package connectors

import (
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/shopify"
	"github.com/pressroom-dev/pressroom/internal/publish/siteform"
	"github.com/pressroom-dev/pressroom/internal/publish/webflow"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
	"github.com/pressroom-dev/pressroom/internal/publish/wordpress"
)

type cms struct {
	siteform.Form
	publish.Connector
}

// types has a line for each type of CMS, in the order in which people are offered them. A type without a line is accepted by the API and
// cannot be published to.
var types = []cms{
	{wordpress.Form(), wordpress.New()},
	{webflow.Form(), webflow.New()},
	{shopify.Form(), shopify.New()},
	{webhook.Form(), webhook.Connector{}},
	{pullForm, pull},
}

// pull stands for a Site that nothing is sent to.
var (
	pull     publish.Connector
	pullForm = siteform.Form{
		Type: v1alpha1.CMSNone, Label: "None: the site pulls",
		Help: "Nothing is sent to the site. It reads its articles from the REST API.",
	}
)

// typeNamed returns a type of CMS by its name in the Kubernetes API or in the REST API, which is in lower case.
func typeNamed[T ~string](name T) (cms, bool) {
	i := slices.IndexFunc(types, func(c cms) bool { return strings.EqualFold(string(c.Type), string(name)) })
	if i < 0 {
		return cms{}, false
	}
	return types[i], true
}

// ModeOf returns how articles get to a Site.
func ModeOf(site *v1alpha1.Site) lifecycle.Mode {
	if site == nil {
		return lifecycle.Unsupported
	}
	switch c, ok := typeNamed(site.Spec.CMS.Type); {
	case !ok:
		return lifecycle.Unsupported
	case c.Connector == pull:
		return lifecycle.Pull
	default:
		return lifecycle.Push
	}
}

// For returns the connector of a Site whose mode is Push, else nil.
func For(site *v1alpha1.Site) publish.Connector {
	c, _ := typeNamed(site.Spec.CMS.Type)
	return c.Connector
}

// TesterFor returns the tester of a Site's connection, or nil if its connector has none.
func TesterFor(site *v1alpha1.Site) publish.Tester {
	tester, _ := For(site).(publish.Tester)
	return tester
}

// UnpublisherFor returns the unpublisher of a Site, or nil if its connector has none.
func UnpublisherFor(site *v1alpha1.Site) publish.Unpublisher {
	unpublisher, _ := For(site).(publish.Unpublisher)
	return unpublisher
}

// Forms returns the form of each type of CMS, in the order in which people are offered them.
func Forms() []siteform.Form {
	forms := make([]siteform.Form, 0, len(types))
	for _, c := range types {
		forms = append(forms, c.Form)
	}
	return forms
}

// FormOf returns the form of a type of CMS by its name in the Kubernetes API or in the REST API, and false for a type that has none.
func FormOf[T ~string](name T) (siteform.Form, bool) {
	c, ok := typeNamed(name)
	return c.Form, ok
}

// SecretOf returns the name of the Secret of a connection; empty if the type has none.
func SecretOf(site *v1alpha1.Site) string {
	if ModeOf(site) != lifecycle.Push {
		return ""
	}
	return For(site).Connection(site).Secrets[0].Name
}

// Destination identifies, within a workspace, the place that the posts of a Site are in. It is empty if the Site cannot be
// published to.
func Destination(site *v1alpha1.Site) string {
	switch ModeOf(site) {
	case lifecycle.Push:
		return For(site).Connection(site).Destination()
	case lifecycle.Pull:
		return "pull:" + site.Name
	default:
		return ""
	}
}
