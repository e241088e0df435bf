package connectors_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestWhatEachTypeOfCMSSupports(t *testing.T) {
	for cms, want := range map[v1alpha1.CMSType]struct {
		mode   lifecycle.Mode
		tested bool
	}{
		v1alpha1.CMSHeadless:  {lifecycle.Push, true},
		v1alpha1.CMSNone:      {lifecycle.Pull, false},
		v1alpha1.CMSWordPress: {lifecycle.Unsupported, false},
		v1alpha1.CMSWebflow:   {lifecycle.Push, true},
		v1alpha1.CMSShopify:   {lifecycle.Push, true},
		"Other":               {lifecycle.Unsupported, false},
	} {
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{CMS: v1alpha1.SiteCMS{Type: cms}}}
		if got := connectors.ModeOf(site); got != want.mode {
			t.Errorf("%s: the mode is %s, want %s", cms, got, want.mode)
		}
		if got := connectors.For(site) != nil; got != (want.mode == lifecycle.Push) {
			t.Errorf("%s: has a connector: %t", cms, got)
		}
		if got := connectors.TesterFor(site) != nil; got != want.tested {
			t.Errorf("%s: has a tester: %t, want %t", cms, got, want.tested)
		}
	}
}

func TestASiteThatDoesNotExistHasNoMode(t *testing.T) {
	if got := connectors.ModeOf(nil); got != lifecycle.Unsupported {
		t.Errorf("the mode is %s, want %s", got, lifecycle.Unsupported)
	}
}
