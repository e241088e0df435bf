package cluster

import (
	"context"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// tokenSeconds is how long a ServiceAccount's token lasts. Each start makes new ones.
const tokenSeconds = 30 * 24 * 60 * 60

// ServiceAccountKubeconfig requests a token of a ServiceAccount and returns a kubeconfig that uses it, so that a program runs
// with the rights that it has in a cluster.
func (c *Cluster) ServiceAccountKubeconfig(ctx context.Context, namespace, name string) (string, error) {
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		return "", fmt.Errorf("making a client: %w", err)
	}
	request := &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: new(int64(tokenSeconds))},
	}
	answer, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name, request, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("asking for a token of the ServiceAccount %s/%s: %w", namespace, name, err)
	}
	config, err := clientcmd.LoadFromFile(c.Kubeconfig())
	if err != nil {
		return "", fmt.Errorf("reading the administrator's kubeconfig: %w", err)
	}
	for user := range config.AuthInfos {
		config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: answer.Status.Token}
	}
	path := c.path(name + ".kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return "", fmt.Errorf("writing %s: %w", path, err)
	}
	return path, nil
}
