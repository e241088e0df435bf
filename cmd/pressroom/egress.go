package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/internal/egress"
)

// egressFlags say which of the addresses that customers name are sent to. The controller and the facade have the same.
type egressFlags struct{ allow, deny []string }

func (f *egressFlags) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.allow, "allow-cidr", nil,
		"for development only: addresses that may be sent to although they are not public")
	flags.StringSliceVar(&f.deny, "deny-cidr", nil,
		"addresses that may not be sent to, such as the cluster's service, pod and node ranges")
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
	return egress.Policy{AllowCIDRs: allow, DenyCIDRs: slices.Concat(deny, egress.ClusterDenyList(os.Getenv))}, nil
}

// warnOfPrivate logs a warning if a policy allows addresses that are not public.
func warnOfPrivate(p egress.Policy) {
	if len(p.AllowCIDRs) > 0 {
		ctrl.Log.Info("WARNING: --allow-cidr lets customers reach addresses that are not public. This is for development only.",
			"cidrs", fmt.Sprint(p.AllowCIDRs))
	}
}
