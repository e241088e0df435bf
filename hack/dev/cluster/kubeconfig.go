package cluster

import (
	"fmt"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// writeKubeconfig writes a kubeconfig for one user. The authority and the user's certificate are written into it, so that a
// copy of the file works too.
func (c *Cluster) writeKubeconfig(path string, user *clientcmdapi.AuthInfo) error {
	authority, err := os.ReadFile(c.authority.certificateFile())
	if err != nil {
		return fmt.Errorf("reading the certificate authority: %w", err)
	}
	const name = "pressroom-dev"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: c.URL(), CertificateAuthorityData: authority}
	config.AuthInfos[name] = user
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

func certificateUser(p pair) (*clientcmdapi.AuthInfo, error) {
	certificate, err := os.ReadFile(p.certificate)
	if err != nil {
		return nil, fmt.Errorf("reading a client's certificate: %w", err)
	}
	key, err := os.ReadFile(p.key)
	if err != nil {
		return nil, fmt.Errorf("reading a client's key: %w", err)
	}
	return &clientcmdapi.AuthInfo{ClientCertificateData: certificate, ClientKeyData: key}, nil
}

// restConfig reads a kubeconfig, with a rate limit that fits a test bed.
func restConfig(kubeconfig string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", kubeconfig, err)
	}
	const perSecond, burst = 200, 400
	config.QPS, config.Burst = perSecond, burst
	return config, nil
}
