package site

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// setShared sets the condition DestinationShared. A Site of another workspace is not named: it may belong to another customer.
func (r *Reconciler) setShared(ctx context.Context, site *v1alpha1.Site, set conditions.Setter) error {
	sites, err := r.sharing(ctx, site)
	message := sharedMessages(sites)(site.Name)
	set.SetIf(message != "", v1alpha1.ConditionDestinationShared, conditions.True(v1alpha1.ReasonSameURL, message))
	return err
}

// sharing returns the Sites that have the destination of a Site, with itself; none if nothing is sent to it.
func (r *Reconciler) sharing(ctx context.Context, site *v1alpha1.Site) ([]v1alpha1.Site, error) {
	var list v1alpha1.SiteList
	if connectors.ModeOf(site) != lifecycle.Push {
		return nil, nil
	}
	of := client.MatchingFields{base.DestinationIndex: base.DestinationOf(site)}
	if err := r.Client.List(ctx, &list, client.UnsafeDisableDeepCopy, of); err != nil {
		return nil, fmt.Errorf("looking for sites of the same destination: %w", err)
	}
	return list.Items, nil
}

// sharedMessages returns the message of a Site of a destination by its name. If there are many, one more changes no message but its own.
func sharedMessages(sites []v1alpha1.Site) func(name string) string {
	elsewhere := slices.ContainsFunc(sites, func(s v1alpha1.Site) bool { return s.Namespace != sites[0].Namespace })
	return func(name string) string {
		switch {
		case elsewhere:
			return "a Site of another workspace has the same URL: articles with the same slug overwrite each other's posts"
		case len(sites) > 2:
			return "other Sites have the same URL: they share their slugs"
		case len(sites) == 2 && sites[0].Name == name:
			return fmt.Sprintf("the Site %q has the same URL: the two share their slugs", sites[1].Name)
		case len(sites) == 2:
			return fmt.Sprintf("the Site %q has the same URL: the two share their slugs", sites[0].Name)
		default:
			return ""
		}
	}
}

// sitesSharing maps a Site, as it is and as it was before a change, to those Sites of its destination whose condition is outdated. A Site
// whose condition the cache does not have yet is reconciled when the watch reports that write.
func (r *Reconciler) sitesSharing(ctx context.Context, obj client.Object) (outdated []ctrl.Request) {
	site, ok := obj.(*v1alpha1.Site)
	if !ok {
		return nil
	}
	sites, err := r.sharing(ctx, site)
	if err != nil {
		log.FromContext(ctx).Error(err, "mapping a Site to those of its destination")
	}
	message := sharedMessages(sites)
	for i := range sites {
		stored := ""
		if c := meta.FindStatusCondition(sites[i].Status.Conditions, v1alpha1.ConditionDestinationShared); c != nil {
			stored = c.Message
		}
		if stored != message(sites[i].Name) {
			outdated = append(outdated, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&sites[i])})
		}
	}
	return outdated
}
