package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// session is a connection to kube-apiserver with the caller's rights, and the namespace that a command is about.
type session struct {
	client.Client

	namespace string
}

func (e *environment) connect() (*session, error) {
	namespace, _, err := e.flags.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config, err := e.config()
	if err != nil {
		return nil, err
	}
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("connecting to kube-apiserver: %w", err)
	}
	return &session{Client: c, namespace: namespace}, nil
}

// config is how to reach kube-apiserver as the caller.
func (e *environment) config() (*rest.Config, error) {
	config, err := e.flags.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.UserAgent = "kubectl-pressroom/" + version
	// client-go would send 5 requests a second. kube-apiserver has limits of its own.
	config.QPS = -1
	config.WarningHandler = rest.NewWarningWriter(e.ErrOut, rest.WarningWriterOptions{Deduplicate: true})
	return config, nil
}

// newScheme has the kinds that the plugin reads and writes.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	builder := runtime.NewSchemeBuilder(v1alpha1.AddToScheme, corev1.AddToScheme, appsv1.AddToScheme, coordinationv1.AddToScheme,
		authenticationv1.AddToScheme)
	return scheme, builder.AddToScheme(scheme)
}

// article reads an article of the namespace.
func (s *session) article(ctx context.Context, name string) (*v1alpha1.Article, error) {
	a := &v1alpha1.Article{}
	return a, s.Get(ctx, client.ObjectKey{Namespace: s.namespace, Name: name}, a)
}

// site reads the Site of an article; nil if it does not exist, or if the caller may not read it.
func (s *session) site(ctx context.Context, a *v1alpha1.Article) (*v1alpha1.Site, error) {
	site := &v1alpha1.Site{}
	err := s.Get(ctx, client.ObjectKey{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name}, site)
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return nil, nil //nolint:nilnil // without the Site, what is published stays
	}
	return site, err
}

// userName returns the name under which kube-apiserver knows the caller, as `kubectl auth whoami` does.
func (s *session) userName(ctx context.Context) (string, error) {
	review := &authenticationv1.SelfSubjectReview{}
	if err := s.Create(ctx, review); err != nil {
		return "", fmt.Errorf("asking kube-apiserver who you are: %w", err)
	}
	return review.Status.UserInfo.Username, nil
}
