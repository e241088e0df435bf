package oauth_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// broken is a cache with a fault of the facade.
type broken struct{ client.Reader }

func (broken) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	panic("secret of the house")
}

var _ = DescribeTable("A panic is answered as OAuth does", func(path string) {
	r := newReplica(broken{})
	got := r.postForm(path, map[string]string{"client_id": "pr_ci_tool", "token": "x"})
	expectRefused(got, 500, "server_error")
	Expect(got.Raw).NotTo(ContainSubstring("secret"))
	Expect(string(r.logged.Contents())).To(And(
		ContainSubstring("secret of the house"), ContainSubstring(path), ContainSubstring("recovery_test.go")))
},
	Entry("for a token", oauth.TokenPath), Entry("to revoke", oauth.RevokePath), Entry("to introspect", oauth.IntrospectPath),
)
