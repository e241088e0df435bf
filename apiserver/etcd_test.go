package apiserver_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// etcdDump returns everything in etcd, keys and values, by etcd's own JSON gateway.
func etcdDump() string {
	GinkgoHelper()
	address := cluster.ControlPlane.Etcd.URL.String() + "/v3/kv/range"
	// All keys from the first byte on.
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(`{"key":"AA==","range_end":"AA=="}`))
	Expect(err).NotTo(HaveOccurred())
	got, err := sendBy(httpClient, q)
	Expect(err).NotTo(HaveOccurred())
	var dump struct {
		KVs []struct {
			Key   string `json:"key"`
			Value string `json:"value"`
		} `json:"kvs"`
	}
	Expect(json.Unmarshal([]byte(got.raw), &dump)).To(Succeed(), "%.300s", got.raw)
	var all strings.Builder
	for _, kv := range dump.KVs {
		for _, encoded := range []string{kv.Key, kv.Value} {
			plain, err := base64.StdEncoding.DecodeString(encoded)
			Expect(err).NotTo(HaveOccurred())
			all.Write(plain)
			all.WriteByte('\n')
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
	It("holds no key, code, token, verifier, session or client secret in the clear after 50 flows", func() {
		replicas := startReplicas()
		t := newTenant(replicas...)
		var secrets, there []string
		for i := range 50 {
			r := replicas[i%len(replicas)]
			// The key registers the app, signs in, and makes an article that the token approves.
			own := t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
			o := newTool(own, r)
			f := o.consent(r, everything)
			token := f.token(r)
			uid := r.ask(own, "POST", "/v1/api/blogs", t.written("Shoes"), "Idempotency-Key", own.key).text("uid")
			t.takeIn(uid)
			Eventually(func() answer { return r.ask(own, "GET", "/v1/api/blogs/"+uid, nil) }).Should(saying(200, "review"))
			Expect(r.ask(own.with(token), "POST", "/v1/api/blogs/"+uid+"/approve", nil)).To(saying(200, "approved"))
			for _, credential := range []string{own.key, f.code, token, o.ClientSecret} {
				secrets = append(secrets, credential, secretPart(credential))
			}
			secrets = append(secrets, f.verifier, f.state, f.session)
			there = append(there, "/apikeys/"+systemNamespace+"/"+grantOf(own.key), "/oauthgrants/"+systemNamespace+"/"+grantOf(token))
		}
		dump := etcdDump()
		for _, name := range there {
			Expect(strings.Contains(dump, name)).To(BeTrue(), "the dump lacks %s", name)
		}
		for _, secret := range secrets {
			Expect(secret).NotTo(BeEmpty())
			Expect(strings.Contains(dump, secret)).To(BeFalse(), "a secret is in etcd")
		}
	})
})
