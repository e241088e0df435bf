package system

import (
	"context"
	"path/filepath"
	"time"
)

// fieldManager owns the installed fields. It differs from kubectl's own name, so that an edit by hand can be recognised.
const fieldManager = "--field-manager=pressroom-dev"

// install applies the system namespace, the CRDs, the roles and the admission policies of config.
func (s *System) install(ctx context.Context) error {
	began := time.Now()
	// The Deployments of config/manager and config/apiserver are left out: there are no nodes here.
	for _, args := range [][]string{
		{"apply", "--server-side", "--force-conflicts", fieldManager, "-f", s.config("default", "namespace.yaml")},
		{"apply", "--server-side", "--force-conflicts", fieldManager, "-k", s.config("crd")},
		{"apply", "--server-side", "--force-conflicts", fieldManager, "-k", s.config("rbac")},
		{"apply", "--server-side", "--force-conflicts", fieldManager, "-k", s.config("policy")},
		{"wait", "--for=condition=Established", "--timeout=2m", "-f", s.config("crd", "bases")},
	} {
		if _, err := s.Cluster.Kubectl(ctx, nil, args...); err != nil {
			return err
		}
	}
	s.Say("CRDs, roles and admission policies are installed (%s)", since(began))
	return nil
}

func (s *System) config(elements ...string) string {
	return filepath.Join(append([]string{s.Root, "config"}, elements...)...)
}

func since(began time.Time) time.Duration { return time.Since(began).Round(100 * time.Millisecond) }
