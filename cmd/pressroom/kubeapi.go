package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
)

// kubeAPIFlags limit a program's requests to kube-apiserver.
type kubeAPIFlags struct {
	qps   float32
	burst int
}

// add adds the flags. The defaults are more than kube-apiserver serves to one client on a few cores: its own priority and
// fairness protects it, and a limit of the client would only delay what it has room for.
func (f *kubeAPIFlags) add(flags *pflag.FlagSet) {
	flags.Float32Var(&f.qps, "kube-api-qps", 1000, "requests a second to kube-apiserver, above zero")
	flags.IntVar(&f.burst, "kube-api-burst", 2000, "requests to kube-apiserver at once beyond --kube-api-qps, at least 1")
}

// config reaches kube-apiserver within the limits.
func (f *kubeAPIFlags) config(cmd *cobra.Command) (*rest.Config, error) {
	if f.qps <= 0 || f.burst < 1 {
		return nil, errors.New("--kube-api-qps must be above zero, and --kube-api-burst at least 1")
	}
	config, err := restConfig(cmd)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = f.qps, f.burst
	return config, nil
}
