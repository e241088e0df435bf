package apiserver

import (
	"cmp"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/informers"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// connect prepares a replica's cache, and its client of kube-apiserver without a cache. It sends no request yet.
func connect(o Options, x *index.Index, health *informers.Health) (cache.Cache, client.Client, error) {
	config := rest.AddUserAgent(rest.CopyConfig(o.Config), "apiserver")
	scheme := runtime.NewScheme()
	if err := cmp.Or(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme), internalv1alpha1.AddToScheme(scheme)); err != nil {
		return nil, nil, err
	}
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, nil, fmt.Errorf("making the client of kube-apiserver: %w", err)
	}
	mapper := knownKinds()
	kinds, err := x.CacheByObject()
	if err != nil {
		return nil, nil, fmt.Errorf("configuring the cache: %w", err)
	}
	maps.Copy(kinds, auth.CacheByObject())
	c, err := cache.New(config, health.Observe(cache.Options{
		Scheme: scheme, HTTPClient: transport, Mapper: mapper, ByObject: kinds,
		// A kind without a registered informer is a mistake: the cache must not list and watch it silently.
		ReaderFailOnMissingInformer: true,
	}))
	if err != nil {
		return nil, nil, fmt.Errorf("making the cache: %w", err)
	}
	live, err := client.New(config, client.Options{Scheme: scheme, HTTPClient: transport, Mapper: mapper,
		FieldOwner: operation.FieldManager})
	if err != nil {
		return nil, nil, fmt.Errorf("making the client of kube-apiserver: %w", err)
	}
	return c, kube.NewClient(live, kube.DefaultTimeout), nil
}

// knownKinds maps the kinds of the facade to their resources. Without discovery a replica starts while kube-apiserver is
// unavailable or does not have the kinds yet, and works once it has them.
func knownKinds() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, k := range []struct {
		group                  schema.GroupVersion
		kind, singular, plural string
		scope                  meta.RESTScope
	}{
		{corev1.SchemeGroupVersion, "Namespace", "namespace", "namespaces", meta.RESTScopeRoot},
		{v1alpha1.GroupVersion, "Account", "account", "accounts", meta.RESTScopeRoot},
		{v1alpha1.GroupVersion, "AccountLedger", "accountledger", "accountledgers", meta.RESTScopeRoot},
		{v1alpha1.GroupVersion, "APIKey", "apikey", "apikeys", meta.RESTScopeRoot},
		{v1alpha1.GroupVersion, "Site", "site", "sites", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "Article", "article", "articles", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "ArticleRevision", "articlerevision", "articlerevisions", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "EventSubscription", "eventsubscription", "eventsubscriptions", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "Brief", "brief", "briefs", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "EventDelivery", "eventdelivery", "eventdeliveries", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "Post", "post", "posts", meta.RESTScopeNamespace},
		{internalv1alpha1.GroupVersion, "IdempotencyRecord", "idempotencyrecord", "idempotencyrecords", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "OAuthClient", "oauthclient", "oauthclients", meta.RESTScopeRoot},
		{v1alpha1.GroupVersion, "OAuthGrant", "oauthgrant", "oauthgrants", meta.RESTScopeRoot},
		{corev1.SchemeGroupVersion, "Secret", "secret", "secrets", meta.RESTScopeNamespace},
		{eventsv1.SchemeGroupVersion, "Event", "event", "events", meta.RESTScopeNamespace},
	} {
		mapper.AddSpecific(k.group.WithKind(k.kind), k.group.WithResource(k.plural), k.group.WithResource(k.singular), k.scope)
		// As discovery does: the cache looks up whether a list is namespaced.
		mapper.Add(k.group.WithKind(k.kind+"List"), k.scope)
	}
	return mapper
}
