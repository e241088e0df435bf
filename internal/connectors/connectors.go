// Package connectors lists the types of CMS that can be published to.
package connectors

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/shopify"
	"github.com/pressroom-dev/pressroom/internal/publish/webflow"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

// byType has a line for each supported type of CMS. A type without a line is accepted by the API and cannot be published to.
var byType = map[v1alpha1.CMSType]publish.Connector{
	v1alpha1.CMSHeadless: webhook.Connector{},
	v1alpha1.CMSNone:     pull,
	v1alpha1.CMSShopify:  shopify.New(),
	v1alpha1.CMSWebflow:  webflow.New(),
}

// pull stands for a Site that nothing is sent to.
var pull publish.Connector

// ModeOf returns how articles get to a Site.
func ModeOf(site *v1alpha1.Site) lifecycle.Mode {
	if site == nil {
		return lifecycle.Unsupported
	}
	switch connector, ok := byType[site.Spec.CMS.Type]; {
	case !ok:
		return lifecycle.Unsupported
	case connector == pull:
		return lifecycle.Pull
	default:
		return lifecycle.Push
	}
}

// For returns the connector of a Site whose mode is Push, else nil.
func For(site *v1alpha1.Site) publish.Connector {
	return byType[site.Spec.CMS.Type]
}

// TesterFor returns what tests the connection of a Site, or nil if nothing can.
func TesterFor(site *v1alpha1.Site) publish.Tester {
	tester, _ := For(site).(publish.Tester)
	return tester
}
