package apiserver

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
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
)

// connection is how a replica reaches kube-apiserver.
type connection struct {
	cache cache.Cache
	// client reads and writes live.
	client client.Client
}

// connect prepares the connection. Nothing is asked of kube-apiserver yet.
func connect(o Options, x *index.Index) (connection, error) {
	config := rest.AddUserAgent(rest.CopyConfig(o.Config), "apiserver")
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return connection{}, err
	}
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return connection{}, err
	}
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		return connection{}, fmt.Errorf("making the client of kube-apiserver: %w", err)
	}
	mapper := knownKinds()
	kinds, err := x.CacheByObject()
	if err != nil {
		return connection{}, fmt.Errorf("configuring the cache: %w", err)
	}
	maps.Copy(kinds, auth.CacheByObject(o.SystemNamespace))
	c, err := cache.New(config, cache.Options{
		Scheme: scheme, HTTPClient: transport, Mapper: mapper, ByObject: kinds,
		// A kind that nobody has registered is a mistake, and must not be listed and watched silently.
		ReaderFailOnMissingInformer: true,
	})
	if err != nil {
		return connection{}, fmt.Errorf("making the cache: %w", err)
	}
	live, err := client.New(config, client.Options{Scheme: scheme, HTTPClient: transport, Mapper: mapper})
	if err != nil {
		return connection{}, fmt.Errorf("making the client of kube-apiserver: %w", err)
	}
	return connection{cache: c, client: live}, nil
}

// knownKinds says how the kinds of the facade are called in URLs. Nothing is discovered, so a replica starts while the
// API server is away or does not have the kinds yet, and goes on when it does.
func knownKinds() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, k := range []struct {
		group                  schema.GroupVersion
		kind, singular, plural string
		scope                  meta.RESTScope
	}{
		{corev1.SchemeGroupVersion, "Namespace", "namespace", "namespaces", meta.RESTScopeRoot},
		{v1alpha1.GroupVersion, "Account", "account", "accounts", meta.RESTScopeRoot},
		{v1alpha1.GroupVersion, "APIKey", "apikey", "apikeys", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "Site", "site", "sites", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "Article", "article", "articles", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "ArticleRevision", "articlerevision", "articlerevisions", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "EventSubscription", "eventsubscription", "eventsubscriptions", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "EventDelivery", "eventdelivery", "eventdeliveries", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "OAuthClient", "oauthclient", "oauthclients", meta.RESTScopeNamespace},
		{v1alpha1.GroupVersion, "OAuthGrant", "oauthgrant", "oauthgrants", meta.RESTScopeNamespace},
		{corev1.SchemeGroupVersion, "Secret", "secret", "secrets", meta.RESTScopeNamespace},
	} {
		mapper.AddSpecific(k.group.WithKind(k.kind), k.group.WithResource(k.plural), k.group.WithResource(k.singular), k.scope)
		// As discovery has it: the cache looks up whether a list is of a kind that lives in namespaces.
		mapper.Add(k.group.WithKind(k.kind+"List"), k.scope)
	}
	return mapper
}
