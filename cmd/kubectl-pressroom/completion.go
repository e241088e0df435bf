package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// completionTimeout bounds how long a shell hangs if kube-apiserver does not answer.
	completionTimeout = 3 * time.Second
	// completionLimit bounds how many names are read: nobody chooses from more.
	completionLimit = 500
)

// complete has the values of a flag completed.
func complete(cmd *cobra.Command, flag string, values func(begun string) []string) {
	// The flag exists.
	_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return beginningWith(begun, values(begun)), cobra.ShellCompDirectiveNoFileComp
	})
}

// completeArticles completes the names of the caller's articles in the namespace, without those that are given already.
func (e *environment) completeArticles(cmd *cobra.Command, given []string, begun string) ([]string, cobra.ShellCompDirective) {
	names := beginningWith(begun, e.names(cmd.Context(), v1alpha1.GroupVersion.WithKind("Article")))
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(given, name) })
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (e *environment) completeArticle(cmd *cobra.Command, given []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(given) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return e.completeArticles(cmd, given, begun)
}

// names reads the names of objects of the namespace that the caller may list, none if that fails: a shell has no place for errors.
func (e *environment) names(ctx context.Context, kind schema.GroupVersionKind) []string {
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	s, err := e.connect()
	if err != nil {
		return nil
	}
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	namespace := s.namespace
	if kind.Group == "" {
		namespace = ""
	}
	if err := s.List(ctx, list, client.InNamespace(namespace), client.Limit(completionLimit)); err != nil {
		return nil
	}
	names := make([]string, 0, len(list.Items))
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return names
}

// beginningWith keeps the names that begin with what was typed.
func beginningWith(begun string, names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, begun) })
}
