package controllers_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/controllertest"
)

// textReads counts the live reads of an article.
type textReads struct {
	client.Reader
	name string
	n    int
}

// Get implements client.Reader.
func (r *textReads) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if _, is := obj.(*v1alpha1.Article); is && key.Name == r.name {
		r.n++
	}
	return r.Reader.Get(ctx, key, obj, opts...)
}

var _ = Describe("Content that is refused", func() {
	It("is read and parsed once, and again once it is other content", func() {
		w := newWorld()
		w.createSite()
		reads := &textReads{Reader: api, name: "blank"}
		w.Process = controllertest.NewProcess(controllertest.Options{
			Client: w.client, Live: reads, Clock: w.clock, Generator: w.generator, Limits: w.limits,
		})
		key := w.createArticle("blank", withText("Blank", " \n\n "))
		for range 3 {
			w.Reconcile(key)
		}
		Expect(reason(w.get(key), v1alpha1.ConditionReady)).To(Equal("False/InvalidContent"))
		Expect(reads.n).To(Equal(1))
		w.edit(key, withText("Not blank", "Text."))
		w.Reconcile(key)
		Expect(reads.n).To(Equal(2))
		Expect(w.get(key).Status.Revision).NotTo(BeNil())
	})
})
