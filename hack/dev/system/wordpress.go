package system

import (
	"context"
	"fmt"
	"strings"
)

// WordPressSite is the name of the Site that ConnectWordPress makes.
const WordPressSite = "acme-news"

// wordPressManifest is a Site of a WordPress with its credentials.
const wordPressManifest = `apiVersion: v1
kind: Secret
metadata: {name: acme-wordpress, namespace: %[1]s}
stringData: {username: %[2]q, password: %[3]q}
---
apiVersion: pressroom.dev/v1alpha1
kind: Site
metadata: {name: %[4]s, namespace: %[1]s}
spec:
  domain: news.acme.example
  review: {policy: %[6]s}
  cms:
    type: WordPress
    wordPress: {url: %[5]q, credentialsSecretRef: {name: acme-wordpress}, categories: [news]}
`

// ConnectWordPress makes a Site of a WordPress, and waits until its connection has been tested. review is the Site's review policy.
func (s *System) ConnectWordPress(ctx context.Context, url, username, password, review string) error {
	manifest := fmt.Sprintf(wordPressManifest, Workspace, username, password, WordPressSite, url, review)
	if _, err := s.Cluster.Kubectl(ctx, strings.NewReader(manifest), "apply", "--server-side", fieldManager, "-f", "-"); err != nil {
		return err
	}
	_, err := s.Cluster.Kubectl(ctx, nil,
		"wait", "--for=condition=Connected", "--timeout=2m", "-n", Workspace, "site.pressroom.dev/"+WordPressSite)
	return err
}
