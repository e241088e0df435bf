package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

const kubeconfigFile = `apiVersion: v1
kind: Config
current-context: c
clusters: [{name: k, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: c, context: {cluster: k}}]
`

func TestRequestsToKubeAPIServerAreLimitedByFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, []byte(kubeconfigFile), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		args      []string
		wantQPS   float32
		wantBurst int
		wantErr   string
	}{
		{"as they are by default", nil, 1000, 2000, ""},
		{"as they are given", []string{"--kube-api-qps=0.5", "--kube-api-burst=7"}, 0.5, 7, ""},
		{"to none", []string{"--kube-api-qps=0"}, 0, 0, "--kube-api-qps must be above zero"},
		{"to none at once", []string{"--kube-api-burst=0"}, 0, 0, "--kube-api-burst at least 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd, f := &cobra.Command{}, kubeAPIFlags{}
			addClusterFlags(cmd.Flags())
			f.add(cmd.Flags())
			if err := cmd.ParseFlags(append(tt.args, "--kubeconfig="+path)); err != nil {
				t.Fatal(err)
			}
			config, err := f.config(cmd)
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Fatalf("err = %v, want %s", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if config.QPS != tt.wantQPS || config.Burst != tt.wantBurst {
				t.Errorf("%v a second, %d at once, want %v and %d", config.QPS, config.Burst, tt.wantQPS, tt.wantBurst)
			}
		})
	}
}
