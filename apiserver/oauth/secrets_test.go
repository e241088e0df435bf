package oauth_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// etcdDump returns everything in etcd, keys and values, by etcd's own JSON gateway.
func etcdDump() string {
	GinkgoHelper()
	address := cluster.ControlPlane.Etcd.URL.String() + "/v3/kv/range"
	// All keys from the first byte on.
	q, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, strings.NewReader(`{"key":"AA==","range_end":"AA=="}`))
	Expect(err).NotTo(HaveOccurred())
	response, err := http.DefaultClient.Do(q)
	Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	var dump struct {
		KVs []struct {
			Key   string `json:"key"`
			Value string `json:"value"`
		} `json:"kvs"`
	}
	Expect(json.Unmarshal(raw, &dump)).To(Succeed(), "%.300s", raw)
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

var _ = Describe("etcd", func() {
	It("holds no code, token, verifier or client secret in the clear after 50 flows", func() {
		var secrets, grants []string
		for range 50 {
			a, verifier := newApp(), oauth2.GenerateVerifier()
			code := a.consent(replicas[0], oauth2.S256ChallengeFromVerifier(verifier))
			got := replicas[1].postForm(oauth.TokenPath, with(a.exchange(code), "code_verifier", verifier))
			Expect(got.status).To(Equal(http.StatusOK))
			token := got.body["access_token"].(string)
			secrets = append(secrets, code, token, a.secret, verifier, secretPart(code), secretPart(token), secretPart(a.secret))
			grants = append(grants, grantOf(token))
		}
		rotated := newApp()
		_, secret, err := oauth.NewRegistry(api, systemNamespace).Rotate(context.Background(), rotated.Name)
		Expect(err).NotTo(HaveOccurred())
		secrets = append(secrets, secretPart(secret))

		dump := etcdDump()
		for _, name := range grants {
			Expect(strings.Contains(dump, "/oauthgrants/"+systemNamespace+"/"+name)).To(BeTrue(), "the dump lacks a grant")
		}
		for _, secret := range secrets {
			Expect(strings.Contains(dump, secret)).To(BeFalse(), "a secret is in etcd")
		}
	})
})

// secretPart returns the part of a credential that nobody may know, without the checksum.
func secretPart(credential string) string { return strings.Split(credential, "_")[3][:43] }

var _ = Describe("A secret that is rotated", func() {
	It("works at once, the one before until the next time, and the one before that no more", func() {
		registry := oauth.NewRegistry(api, systemNamespace)
		first := newApp()
		works := func(secret string) int {
			r := newReplica(blind{})
			a := app{first.OAuthClient, secret}
			return r.postJSON(oauth.TokenPath, a.exchange(a.consent(r, ""))).status
		}
		_, second, err := registry.Rotate(context.Background(), first.Name)
		Expect(err).NotTo(HaveOccurred())
		Expect(works(first.secret)).To(Equal(http.StatusOK))
		Expect(works(second)).To(Equal(http.StatusOK))
		_, third, err := registry.Rotate(context.Background(), first.Name)
		Expect(err).NotTo(HaveOccurred())
		Expect(works(first.secret)).To(Equal(http.StatusUnauthorized))
		Expect(works(second)).To(Equal(http.StatusOK))
		Expect(works(third)).To(Equal(http.StatusOK))
		_, _, err = registry.Rotate(context.Background(), newApp(public).Name)
		Expect(err).To(MatchError(oauth.ErrPublic))
	})
})
