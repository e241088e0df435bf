package controllertest

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	testingclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// Run is the environment of a controller process, without the objects.
type Run struct {
	// Now is its time.
	Now time.Time
	// Text and ModelError are the answer of its model to every run. ModelError may be nil.
	Text       content.Document
	ModelError error
}

// RunArticle runs a new controller process until nothing is due for an article at the time of the run, and returns the article. The
// client has the rights of an administrator.
func RunArticle(ctx context.Context, api client.Client, key client.ObjectKey, r Run) *v1alpha1.Article {
	GinkgoHelper()
	cached := testkit.IndexedClient{Client: api, Indexes: testkit.Indexes{}}
	Expect(base.IndexWorkspaces(ctx, cached.Indexes)).To(Succeed())
	Expect(article.Index(ctx, cached.Indexes)).To(Succeed())
	process := NewProcess(ProcessOptions{
		Client: cached, Live: api, Clock: testingclock.NewFakeClock(r.Now), Limits: inflight.Limits{Total: 10, PerHost: 10},
		Generator: NewGenerator(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{Document: r.Text, Model: "small"}, r.ModelError
		}),
	})
	return process.ReconcileUntilStable(key)
}
