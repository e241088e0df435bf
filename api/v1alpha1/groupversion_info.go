// Package v1alpha1 holds the kinds of the API group pressroom.dev: Account, APIKey, Site, Article, ArticleRevision, Post, Brief,
// EventSubscription, EventDelivery, OAuthClient and OAuthGrant.
// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
// +kubebuilder:ac:output:package=../applyconfiguration
// +groupName=pressroom.dev
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of every kind in this package.
var GroupVersion = schema.GroupVersion{Group: "pressroom.dev", Version: "v1alpha1"}

// SchemeGroupVersion is GroupVersion, under the name that generators look for.
var SchemeGroupVersion = GroupVersion

// SchemeBuilder collects the functions that add this package's kinds to a scheme.
var SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

// AddToScheme adds this package's kinds to a scheme.
var AddToScheme = SchemeBuilder.AddToScheme

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&Account{}, &AccountList{},
		&AccountLedger{}, &AccountLedgerList{},
		&APIKey{}, &APIKeyList{},
		&Site{}, &SiteList{},
		&Article{}, &ArticleList{},
		&ArticleRevision{}, &ArticleRevisionList{},
		&Post{}, &PostList{},
		&Brief{}, &BriefList{},
		&EventSubscription{}, &EventSubscriptionList{},
		&EventDelivery{}, &EventDeliveryList{},
		&OAuthClient{}, &OAuthClientList{},
		&OAuthGrant{}, &OAuthGrantList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
