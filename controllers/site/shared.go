package site

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// setShared sets the condition DestinationShared. A Site of another workspace is not named: it may belong to another customer.
func (r *Reconciler) setShared(ctx context.Context, site *v1alpha1.Site, set conditions.Setter) error {
	message := ""
	if connectors.ModeOf(site) == lifecycle.Push {
		var list v1alpha1.SiteList
		err := r.Client.List(ctx, &list, client.UnsafeDisableDeepCopy, sharing(site))
		if err != nil {
			return fmt.Errorf("looking for sites of the same destination: %w", err)
		}
		message = sharedMessage(site, list.Items)
	}
	set.SetIf(message != "", v1alpha1.ConditionDestinationShared, conditions.True(v1alpha1.ReasonSameURL, message))
	return nil
}

// sharing selects the Sites that have the destination of a Site.
func sharing(site *v1alpha1.Site) client.MatchingFields {
	return client.MatchingFields{base.DestinationIndex: base.DestinationOf(site)}
}

// sharedMessage names another Site of the workspace with the destination, or says that a Site of another workspace has it.
func sharedMessage(site *v1alpha1.Site, sites []v1alpha1.Site) string {
	same, elsewhere := "", false
	for i := range sites {
		switch other := &sites[i]; {
		case other.Namespace != site.Namespace:
			elsewhere = true
		case other.Name != site.Name && (same == "" || other.Name < same):
			same = other.Name
		}
	}
	switch {
	case elsewhere:
		return "a Site of another workspace has the same URL: articles with the same slug overwrite each other's posts"
	case same != "":
		return fmt.Sprintf("the Site %q has the same URL: the two share their slugs", same)
	default:
		return ""
	}
}

// sitesSharing maps a Site, as it is and as it was before a change, to the Sites that have its destination.
func (r *Reconciler) sitesSharing(ctx context.Context, obj client.Object) []ctrl.Request {
	site, ok := obj.(*v1alpha1.Site)
	if !ok || connectors.ModeOf(site) != lifecycle.Push {
		return nil
	}
	return r.Requests(ctx, &v1alpha1.SiteList{}, sharing(site))
}
