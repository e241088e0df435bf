package kinds

import (
	"fmt"
	"maps"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/docpage"
)

var _ = Describe("The documentation", func() {
	It("has manifests that kube-apiserver accepts", func(ctx SpecContext) {
		for _, obj := range manifests("config", "samples", "team", "operator", "workspace.yaml") {
			Expect(apply(ctx, admin, obj)).To(Succeed())
		}
		pages, err := docpage.Pages()
		Expect(err).NotTo(HaveOccurred())
		var wrong []string
		kinds := map[string]int{}
		for _, page := range pages {
			for _, obj := range documented(page) {
				kinds[obj.GetKind()]++
				if err := apply(ctx, admin, obj, client.DryRunAll); err != nil {
					wrong = append(wrong, fmt.Sprintf("%s: %s", page, err))
				}
			}
		}
		Expect(wrong).To(BeEmpty())
		for _, kind := range []string{"Account", "APIKey", "Article", "ArticleRevision", "Brief", "EventSubscription", "OAuthClient", "OAuthGrant"} {
			Expect(kinds).To(HaveKey(kind))
		}
		Expect(kinds).To(HaveKeyWithValue("Site", BeNumerically(">=", 6)))
	})
})

// documented returns the objects in the blocks of YAML of a page: those of Kubernetes itself and ours, and a Site for each part of one.
func documented(page string) (objects []*unstructured.Unstructured) {
	GinkgoHelper()
	blocks, err := docpage.Blocks(page)
	Expect(err).NotTo(HaveOccurred())
	for _, b := range blocks {
		if b.Language != "yaml" {
			continue
		}
		found, err := parseManifests([]byte(b.Text))
		Expect(err).NotTo(HaveOccurred(), "%s:%d", page, b.Line)
		for _, obj := range found {
			switch obj.GroupVersionKind().Group {
			case v1alpha1.GroupVersion.Group, "rbac.authorization.k8s.io":
				objects = append(objects, obj)
			case "":
				if obj.GetKind() != "" {
					objects = append(objects, obj)
				} else if obj.Object["cms"] != nil || obj.Object["generator"] != nil {
					objects = append(objects, siteWith(obj.Object))
				}
			}
		}
	}
	return objects
}

// siteWith returns a Site with a part of the spec of one.
func siteWith(part map[string]any) *unstructured.Unstructured {
	spec := map[string]any{"domain": "www.example.com", "cms": map[string]any{"type": "None"}}
	maps.Copy(spec, part)
	obj := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	obj.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Site"))
	obj.SetNamespace(workspace)
	obj.SetName("documented")
	return obj
}
