//go:build e2e

package install

import (
	"net/netip"
	"slices"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// No network is there to enforce the policies, so this reads them as Kubernetes documents them.
func TestTheNetworkPoliciesLetThroughWhatClustersNeed(t *testing.T) {
	policies := map[string]*networkingv1.NetworkPolicy{}
	for _, object := range newTool(t, "").render(t, systemNamespace, "--set", "networkPolicy.enabled=true") {
		if object.GetKind() == "NetworkPolicy" {
			policy := &networkingv1.NetworkPolicy{}
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, policy); err != nil {
				t.Fatal(err)
			}
			policies[policy.Name] = policy
		}
	}
	for _, tt := range []struct {
		name string
		to   destination
		want bool
	}{
		{"CoreDNS", destination{"kube-system", "10.244.0.3", 53, "UDP"}, true},
		{"DNS over TCP", destination{"kube-system", "10.244.0.3", 53, "TCP"}, true},
		{"DNS of OpenShift", destination{"openshift-dns", "10.128.0.9", 5353, "UDP"}, true},
		{"NodeLocal DNSCache", destination{"", "169.254.20.10", 53, "UDP"}, true},
		{"kube-apiserver", destination{"", "192.168.49.2", 6443, "TCP"}, true},
		{"kube-apiserver of minikube", destination{"", "192.168.49.2", 8443, "TCP"}, true},
		{"kube-apiserver of MicroK8s", destination{"", "10.1.2.3", 16443, "TCP"}, true},
		{"the Service of kube-apiserver", destination{"", "10.96.0.1", 443, "TCP"}, true},
		{"a model or a receiver", destination{"", "93.184.215.14", 443, "TCP"}, true},
		{"a receiver with a port of its own", destination{"", "2606:4700::1111", 8000, "TCP"}, true},
		{"the metadata of a cloud", destination{"", "169.254.169.254", 80, "TCP"}, false},
		{"another Pod", destination{"shop", "10.244.0.7", 80, "TCP"}, false},
		{"a database", destination{"", "192.168.1.5", 5432, "TCP"}, false},
		{"DNS of somebody's namespace", destination{"shop", "10.244.0.7", 53, "UDP"}, false},
	} {
		for _, program := range []string{"controller", "apiserver"} {
			policy := policies["pressroom-"+program+"-egress"]
			if policy == nil {
				t.Fatalf("there is no policy for the %s", program)
			}
			if got := slices.ContainsFunc(policy.Spec.Egress, tt.to.allowedBy); got != tt.want {
				t.Errorf("the %s reaches %s: %t, want %t", program, tt.name, got, tt.want)
			}
		}
	}
}

// destination is where a Pod connects to. An address outside of the cluster has no namespace.
type destination struct {
	namespace, address string
	port               int32
	protocol           string
}

func (d destination) allowedBy(rule networkingv1.NetworkPolicyEgressRule) bool {
	onPort := len(rule.Ports) == 0 || slices.ContainsFunc(rule.Ports, func(p networkingv1.NetworkPolicyPort) bool {
		return p.Port.IntVal == d.port && string(*p.Protocol) == d.protocol
	})
	return onPort && (len(rule.To) == 0 || slices.ContainsFunc(rule.To, d.isPeer))
}

func (d destination) isPeer(peer networkingv1.NetworkPolicyPeer) bool {
	if peer.NamespaceSelector != nil {
		selector, err := metav1.LabelSelectorAsSelector(peer.NamespaceSelector)
		return err == nil && d.namespace != "" && selector.Matches(labels.Set{"kubernetes.io/metadata.name": d.namespace})
	}
	within := func(cidr string) bool { return netip.MustParsePrefix(cidr).Contains(netip.MustParseAddr(d.address)) }
	return within(peer.IPBlock.CIDR) && !slices.ContainsFunc(peer.IPBlock.Except, within)
}
