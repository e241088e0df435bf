package cluster

import (
	"fmt"
	"os"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// auditPolicy records a line for each request of a ServiceAccount when it is answered, without bodies.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  userGroups: [system:serviceaccounts]
`

// audit makes kube-apiserver write the audit log of Options, if there is to be one.
func (c *Cluster) audit(s *envtest.APIServer) error {
	if c.options.AuditLog == "" {
		return nil
	}
	policy := c.path("audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return fmt.Errorf("writing the audit policy: %w", err)
	}
	s.Configure().
		Set("audit-policy-file", policy).
		Set("audit-log-path", c.options.AuditLog).
		// In megabytes: a file that is rotated is not read.
		Set("audit-log-maxsize", "4096")
	return nil
}
