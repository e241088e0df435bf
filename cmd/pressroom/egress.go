package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/internal/egress"
)

// egressFlags say which of the addresses that customers name are sent to, and how. The controller and the facade have the same.
type egressFlags struct {
	allow, deny   []string
	proxy         string
	proxyResolves bool
}

func (f *egressFlags) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.allow, "allow-cidr", nil,
		"for development only: addresses that may be sent to although they are not public")
	flags.StringSliceVar(&f.deny, "deny-cidr", nil,
		"addresses that may not be sent to, such as the cluster's service, pod and node ranges")
	flags.StringVar(&f.proxy, "egress-proxy", "",
		"HTTP proxy for what is sent to models, receivers and CMSs and read from other addresses that customers name, such as "+
			"http://proxy.example.com:3128; it is asked to CONNECT to addresses that were looked up and checked here")
	flags.BoolVar(&f.proxyResolves, "egress-proxy-resolves", false,
		"have --egress-proxy look names up; it must then refuse private addresses itself")
}

// policy returns what the flags say. The address of kube-apiserver is always denied.
func (f *egressFlags) policy() (egress.Policy, error) {
	allow, err := egress.ParseCIDRs(f.allow)
	if err != nil {
		return egress.Policy{}, fmt.Errorf("--allow-cidr %w", err)
	}
	deny, err := egress.ParseCIDRs(f.deny)
	if err != nil {
		return egress.Policy{}, fmt.Errorf("--deny-cidr %w", err)
	}
	policy := egress.Policy{AllowCIDRs: allow, DenyCIDRs: slices.Concat(deny, egress.ClusterDenyList(os.Getenv))}
	if f.proxy == "" {
		if f.proxyResolves {
			return policy, errors.New("--egress-proxy-resolves needs --egress-proxy")
		}
		return policy, nil
	}
	if policy.Proxy, err = egress.ParseProxy(f.proxy); err != nil {
		return policy, fmt.Errorf("--egress-proxy %w", err)
	}
	policy.Proxy.ResolvesNames = f.proxyResolves
	return policy, nil
}

// warnOfPrivate logs a warning if a policy allows addresses that are not public.
func warnOfPrivate(p egress.Policy) {
	if len(p.AllowCIDRs) > 0 {
		ctrl.Log.Info("WARNING: --allow-cidr lets customers reach addresses that are not public. This is for development only.",
			"cidrs", fmt.Sprint(p.AllowCIDRs))
	}
}
