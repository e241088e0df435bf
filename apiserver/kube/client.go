// Package kube is how the facade talks to kube-apiserver: a client whose calls are bounded in time and whose errors name a resource of the
// REST API, and one way to change an object that other programs and manifests write as well.
package kube

import (
	"cmp"
	"context"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// DefaultTimeout bounds a call.
const DefaultTimeout = 10 * time.Second

// resources are what the REST API calls the kinds. The others are about articles.
var resources = map[string]string{
	"Account": "account", "AccountLedger": "account", "APIKey": "API key", "Brief": "brief", "EventDelivery": "delivery",
	"EventSubscription": "event subscription", "OAuthClient": "app", "OAuthGrant": "grant", "Secret": "secret", "Site": "site",
	// Only those of briefs are read live.
	"PartialObjectMetadata": "brief",
}

// bounded is a client whose calls end after a time. An error of it says which resource the call was about, and whether kube-apiserver has
// answered (see problem.FromKubernetes). It is still the error of kube-apiserver for package apierrors.
type bounded struct {
	client.Client
	timeout time.Duration
}

// NewClient returns a client that bounds the calls of another one, by DefaultTimeout if timeout is zero.
func NewClient(c client.Client, timeout time.Duration) client.Client {
	return &bounded{Client: c, timeout: cmp.Or(timeout, DefaultTimeout)}
}

func (c *bounded) call(ctx context.Context, about runtime.Object, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	err := problem.MarkUnreachable(do(ctx))
	if err == nil {
		return nil
	}
	return problem.WithResource(resourceOf(about), err)
}

// resourceOf returns what the REST API calls the kind of an object, which has the name of its Go type.
func resourceOf(o runtime.Object) string {
	kind := strings.TrimSuffix(reflect.TypeOf(o).Elem().Name(), "List")
	return cmp.Or(resources[kind], "article")
}

// Get implements client.Client.
func (c *bounded) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	return c.call(ctx, o, func(ctx context.Context) error { return c.Client.Get(ctx, key, o, opts...) })
}

// Lists is the share of a request in the lists that are read from kube-apiserver.
type Lists interface {
	// BeginList waits until another list may be read, or returns an error. The function that it returns says that it was.
	BeginList(ctx context.Context) (end func(), err error)
}

type listsKey struct{}

// WithLists returns a context in which lists take from a share.
func WithLists(ctx context.Context, l Lists) context.Context {
	return context.WithValue(ctx, listsKey{}, l)
}

// List implements client.Client. kube-apiserver reads the whole list, however little of it the answer needs, so each list takes from the
// share of the request.
func (c *bounded) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	if share, ok := ctx.Value(listsKey{}).(Lists); ok {
		end, err := share.BeginList(ctx)
		if err != nil {
			return err
		}
		defer end()
	}
	return c.call(ctx, list, func(ctx context.Context) error { return c.Client.List(ctx, list, opts...) })
}

// Create implements client.Client.
func (c *bounded) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	return c.call(ctx, o, func(ctx context.Context) error { return c.Client.Create(ctx, o, opts...) })
}

// Delete implements client.Client.
func (c *bounded) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	return c.call(ctx, o, func(ctx context.Context) error { return c.Client.Delete(ctx, o, opts...) })
}

// Patch implements client.Client.
func (c *bounded) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return c.call(ctx, o, func(ctx context.Context) error { return c.Client.Patch(ctx, o, patch, opts...) })
}

// Status implements client.Client.
func (c *bounded) Status() client.SubResourceWriter {
	return &status{SubResourceWriter: c.Client.Status(), bounded: c}
}

type status struct {
	client.SubResourceWriter
	bounded *bounded
}

// Patch implements client.SubResourceWriter.
func (s *status) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	return s.bounded.call(ctx, o, func(ctx context.Context) error { return s.SubResourceWriter.Patch(ctx, o, patch, opts...) })
}
