package apiserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// askEtcd sends a request to etcd's JSON gateway, in which numbers of 64 bits are strings. It returns the answers.
func askEtcd(path, body string) *json.Decoder {
	GinkgoHelper()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, cluster.ControlPlane.Etcd.URL.String()+path, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	response, err := http.DefaultClient.Do(q) //nolint:bodyclose // closed when the spec is over
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() error { return response.Body.Close() })
	Expect(response.StatusCode).To(Equal(http.StatusOK))
	return json.NewDecoder(response.Body)
}

// etcdRevision returns the revision of etcd's last write.
func etcdRevision() int64 {
	GinkgoHelper()
	var now struct {
		Header struct {
			Revision int64 `json:"revision,string"`
		} `json:"header"`
	}
	// All keys from the first byte on, and none of them shown.
	Expect(askEtcd("/v3/kv/range", `{"key":"AA==","range_end":"AA==","count_only":true}`).Decode(&now)).To(Succeed())
	return now.Header.Revision
}

// etcdEvents are the events in one message of a watch.
type etcdEvents struct {
	Result struct {
		Canceled        bool   `json:"canceled"`
		CompactRevision string `json:"compact_revision"`
		Events          []struct {
			KV struct {
				Key         []byte `json:"key"`
				Value       []byte `json:"value"`
				ModRevision int64  `json:"mod_revision,string"`
			} `json:"kv"`
		} `json:"events"`
	} `json:"result"`
}

// etcdHistory returns everything that was written to etcd after a revision, keys and values, also what was overwritten or
// deleted since.
func etcdHistory(after int64) string {
	GinkgoHelper()
	last := etcdRevision()
	Expect(last).To(BeNumerically(">", after))
	stream := askEtcd("/v3/watch",
		fmt.Sprintf(`{"create_request":{"key":"AA==","range_end":"AA==","start_revision":"%d"}}`, after+1))
	var all strings.Builder
	for seen := after; seen < last; {
		var told etcdEvents
		Expect(stream.Decode(&told)).To(Succeed())
		Expect(told.Result.Canceled).To(BeFalse(), "the history must be whole: it was compacted at %q", told.Result.CompactRevision)
		for _, event := range told.Result.Events {
			fmt.Fprintf(&all, "%s\n%s\n", event.KV.Key, event.KV.Value)
			seen = event.KV.ModRevision
		}
	}
	return all.String()
}

// secretPart returns the part of a credential that nobody may know, without the checksum.
func secretPart(credential string) string {
	GinkgoHelper()
	parts := strings.Split(credential, "_")
	Expect(parts).To(HaveLen(4))
	return parts[3][:43]
}

var _ = Describe("etcd", func() {
	It("never held any key, code, token, verifier, session or client secret in the clear after a flow on each replica", func() {
		before := etcdRevision()
		replicas := startReplicas()
		t := newTenant(replicas...)
		var secrets, there []string
		for _, r := range replicas {
			// The key registers the app, signs in, and makes an article that the token approves.
			own := t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
			o := newOAuthClient(own, r)
			f := o.consent(r, allTicks)
			token := f.token(r)
			uid := r.ask(own, "POST", "/v1/api/blogs", t.written("Shoes"), "Idempotency-Key", own.Key).Text("uid")
			t.reconcile(uid)
			Eventually(func() testkit.Answer { return r.ask(own, "GET", "/v1/api/blogs/"+uid, nil) }).Should(havingStatus(200, "review"))
			Expect(r.ask(own.with(token), "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(havingStatus(200, "approved"))
			for _, credential := range []string{own.Key, f.code, token, o.ClientSecret} {
				secrets = append(secrets, credential, secretPart(credential))
			}
			secrets = append(secrets, f.verifier, f.state, f.session)
			there = append(there, "/apikeys/"+grantOf(own.Key), "/oauthgrants/"+grantOf(token))
		}
		written := etcdHistory(before)
		for _, name := range there {
			Expect(strings.Contains(written, name)).To(BeTrue(), "the history lacks %s", name)
		}
		for _, secret := range secrets {
			Expect(secret).NotTo(BeEmpty())
			Expect(strings.Contains(written, secret)).To(BeFalse(), "a secret was in etcd")
		}
	})
})
