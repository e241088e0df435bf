package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestTheFlagsOfEgressAreReadOrRefused(t *testing.T) {
	for _, tt := range []struct {
		name, flags string
		wantProxy   bool
		wantErr     string
	}{
		{name: "none"},
		{name: "a proxy", flags: "--egress-proxy=http://proxy.example.com:3128", wantProxy: true},
		{name: "a proxy with a password that resolves names", flags: "--egress-proxy=http://me:secret@10.0.0.7:3128 --egress-proxy-resolves", wantProxy: true},
		{name: "a proxy that speaks TLS", flags: "--egress-proxy=https://me:secret@proxy.example.com:3128", wantErr: "--egress-proxy must be"},
		{name: "no port", flags: "--egress-proxy=http://me:secret@proxy.example.com", wantErr: "--egress-proxy must be"},
		{name: "a path", flags: "--egress-proxy=http://me:secret@proxy.example.com:3128/pac", wantErr: "--egress-proxy must be"},
		{name: "no address", flags: "--egress-proxy=secret", wantErr: "--egress-proxy must be"},
		{name: "no proxy to resolve names", flags: "--egress-proxy-resolves", wantErr: "needs --egress-proxy"},
		{name: "no network", flags: "--deny-cidr=all", wantErr: "--deny-cidr must be"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &egressFlags{}
			set := pflag.NewFlagSet(tt.name, pflag.ContinueOnError)
			f.add(set)
			if err := set.Parse(strings.Fields(tt.flags)); err != nil {
				t.Fatal(err)
			}
			p, err := f.policy()
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) || strings.Contains(err.Error(), "secret") {
					t.Errorf("error = %v, want one that says %q, without the password", err, tt.wantErr)
				}
				return
			}
			if err != nil || (p.Proxy != nil) != tt.wantProxy || p.Proxy != nil && p.Proxy.ResolvesNames != strings.Contains(tt.flags, "resolves") {
				t.Errorf("the policy is %+v, %v", p, err)
			}
		})
	}
}
