//go:build e2e

package browser_test

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/pressroom-dev/pressroom/test/browsertest"
)

var _ = Describe("A page whose replica is restarted behind a proxy", func() {
	It("follows changes again", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Waits", "A text.")
		replica := facades.StartReplica()
		w := &window{Window: browsertest.Open()}
		w.arrive(replica.URL+t.In("articles"), t.Key, "#a-"+uid)
		w.untilLoaded()
		replica.Stop()
		w.See("#live-state")
		replica.Start()
		DeferCleanup(func() { replica.Stop() })
		w.Until(`document.querySelector("#live-state").hidden`)
		decide(t, uid, "approve", nil)
		w.Until(`document.querySelector("#a-` + uid + ` .badge.approved") !== null`)
	})
})
