package site

import (
	"fmt"
	"testing"

	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// A customer may have many sites of one URL, and change each of them often.
func TestAChangeOfOneOfManySitesReconcilesNoOtherOne(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 2, 3: 3, 4: 1, 200: 1} {
		scheme := apiruntime.NewScheme()
		if err := v1alpha1.AddToScheme(scheme); err != nil {
			t.Fatal(err)
		}
		build := fake.NewClientBuilder().WithScheme(scheme).WithIndex(&v1alpha1.Site{}, base.DestinationIndex, func(o client.Object) []string {
			return []string{base.DestinationOf(o.(*v1alpha1.Site))}
		})
		sites := make([]v1alpha1.Site, n)
		for i := range sites {
			sites[i].Namespace, sites[i].Name = "acme-blog", fmt.Sprintf("site-%03d", i)
			sites[i].Spec.CMS = v1alpha1.SiteCMS{
				Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{URL: "https://acme.example/articles"},
			}
		}
		r := &Reconciler{Base: base.Base{}}
		for i := range sites {
			// Before the last one came.
			if message := sharedMessages(sites[:n-1]); i < n-1 && message(sites[i].Name) != "" {
				c := conditions.True(v1alpha1.ReasonSameURL, message(sites[i].Name))
				c.Type = v1alpha1.ConditionDestinationShared
				sites[i].Status.Conditions = append(sites[i].Status.Conditions, c)
			}
			build.WithObjects(&sites[i])
		}
		r.Client = build.Build()
		if got := r.sitesSharing(t.Context(), &sites[n-1]); len(got) != want {
			t.Errorf("site %d of a URL reconciles %d sites, want %d", n, len(got), want)
		}
	}
}
