package oauth_test

import (
	"context"
	"strings"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
)

// recorded is a log that a spec can read, of what is logged where nobody looks for more.
func recorded() (logr.Logger, *strings.Builder) {
	lines := &strings.Builder{}
	return funcr.New(func(_, line string) { lines.WriteString(line + "\n") }, funcr.Options{}), lines
}

// broken is a cache with a fault of ours.
type broken struct{ client.Reader }

func (broken) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	panic("secret of the house")
}

var _ = DescribeTable("A panic is answered as OAuth does", func(path string) {
	log, lines := recorded()
	got := newReplicaWithLog(log, broken{}).postForm(path, map[string]string{"client_id": "pr_ci_tool", "token": "x"})
	expectRefused(got, 500, "server_error")
	Expect(got.raw).NotTo(ContainSubstring("secret"))
	Expect(lines.String()).To(And(ContainSubstring("secret of the house"), ContainSubstring(path), ContainSubstring("recovery_test.go")))
},
	Entry("for a token", oauth.TokenPath), Entry("to revoke", oauth.RevokePath),
	Entry("to introspect", oauth.IntrospectPath),
)
