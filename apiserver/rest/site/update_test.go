package site_test

import (
	"context"
	"net/http"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// refusing is a kube-apiserver that refuses to change Sites, and counts the Secrets that there are.
type refusing struct {
	client.Client
	made, left int
}

func (r *refusing) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	if _, ok := o.(*corev1.Secret); ok {
		r.made++
		r.left++
		return nil
	}
	return r.Client.Create(ctx, o, opts...)
}

func (r *refusing) Patch(ctx context.Context, o client.Object, p client.Patch, opts ...client.PatchOption) error {
	if _, ok := o.(*v1alpha1.Site); ok {
		return operationtest.Invalid("spec.cms.headless.url", "must be an address")
	}
	return r.Client.Patch(ctx, o, p, opts...)
}

func (r *refusing) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	if _, ok := o.(*corev1.Secret); ok {
		r.left--
		return nil
	}
	return r.Client.Delete(ctx, o, opts...)
}

func TestAConnectionThatIsRefusedLeavesNoSecret(t *testing.T) {
	api := operationtest.NewAlone(t)
	kubernetes := &refusing{Client: api.Objects}
	api.Deps.Client = kube.NewClient(kubernetes, 0)
	api.Objects.Add(api.Site(operationtest.Workspace, operationtest.SiteUID))
	got := api.Do(operationtest.Request{
		Method: http.MethodPatch, Path: "/v1/api/sites/" + operationtest.SiteUID, Key: operationtest.ManagerKey,
		Body: `{"cms_type":"headless","connection":{"url":"https://blog.example.com/hook"}}`,
	})
	if got.Status != http.StatusBadRequest {
		t.Errorf("got %d %s, want what kube-apiserver refuses", got.Status, got.Raw)
	}
	if kubernetes.made != 1 || kubernetes.left != 0 {
		t.Errorf("%d Secrets were made, and %d are left", kubernetes.made, kubernetes.left)
	}
}
