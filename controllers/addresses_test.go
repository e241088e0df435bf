package controllers_test

import (
	"encoding/json"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr/funcr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

var _ = Describe("An address that is not public", func() {
	for _, c := range channels() {
		It("is final, and no message names it, at "+c.name, func() {
			t := newTenant()
			logged := t.logs()
			// Names of this machine are looked up where something is allowed, and what they resolve to decides.
			client := egress.NewClient(egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}, 0)
			t.Publication.HTTP, t.EventDeliveries.HTTP = client, client
			u, err := url.Parse(t.Receiver.URL)
			Expect(err).NotTo(HaveOccurred())
			c.target(t, "inside", "http://"+net.JoinHostPort("localhost", u.Port())+"/hook")
			key := c.due(t, "blocked", "inside")
			for range 4 {
				c.attempt(t, key)
				t.Clock.Step(24 * time.Hour)
			}
			record := c.records(t)[key.Name]
			Expect(record.Cycle).To(And(HaveField("State", v1alpha1.CycleFailed), HaveField("Reason", v1alpha1.ReasonAddressBlocked)))
			Expect(record.Attempts).To(ConsistOf(HaveField("Outcome", v1alpha1.AttemptAddressBlocked)))
			Expect(t.Receiver.Received()).To(BeEmpty())
			status, err := json.Marshal(c.objects(t))
			Expect(err).NotTo(HaveOccurred())
			close(t.Events.Events)
			// A client says which kube-apiserver it waits for.
			lines := strings.Split(strings.ReplaceAll(logged(), cluster.Config.Host, "kube-apiserver"), "\n")
			told := append(lines, string(status))
			for event := range t.Events.Events {
				told = append(told, event)
			}
			Expect(told).To(ContainElement(ContainSubstring(v1alpha1.ReasonAddressBlocked)))
			for _, line := range told {
				Expect(line).NotTo(Or(ContainSubstring("127.0.0.1"), ContainSubstring("::1")))
			}
		})
	}
})

// logs returns what the process logs.
func (t *tenant) logs() func() string {
	var mu sync.Mutex
	var lines strings.Builder
	t.Ctx = log.IntoContext(t.Ctx, funcr.New(func(prefix, args string) {
		mu.Lock()
		defer mu.Unlock()
		lines.WriteString(prefix + args + "\n")
	}, funcr.Options{Verbosity: 10}))
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return lines.String()
	}
}
