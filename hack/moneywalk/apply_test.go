package moneywalk_test

import (
	"context"
	"encoding/json"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Apply is a server-side apply of an article. There are no managers of fields in memory: it sets those that it names.
func (v *view) Apply(ctx context.Context, wanted runtime.ApplyConfiguration, _ ...client.ApplyOption) error {
	object, ok := wanted.(runtime.Unstructured)
	if !ok {
		return errors.New("not unstructured")
	}
	data, err := json.Marshal(wanted)
	if err != nil {
		return err
	}
	a := &v1alpha1.Article{}
	if err := json.Unmarshal(data, a); err != nil {
		return err
	}
	return v.gate(ctx, "apply "+v.w.store.path(a, client.ObjectKeyFromObject(a)), func() error {
		if err := v.w.store.apply(a, data); err != nil {
			return err
		}
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(a)
		object.SetUnstructuredContent(content)
		return err
	})
}

// apply sets the fields of an object that exists under the same uid.
func (s *store) apply(o client.Object, data []byte) error {
	found, err := s.find(o, client.ObjectKeyFromObject(o))
	if err != nil || found.GetUID() != o.GetUID() {
		return apierrors.NewConflict(resource(s.gvk(o).Kind), o.GetName(), errors.New("there is no object of this uid"))
	}
	return s.patch(o, client.RawPatch("application/merge-patch+json", data), false)
}
