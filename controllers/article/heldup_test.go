package article_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
	"github.com/pressroom-dev/pressroom/test/imagehost"
)

// stop is a point at which a process is stopped, as by SIGSTOP: when it waits for an answer.
type stop struct {
	reached, resume chan struct{}
	// stopped means that a process has come here. The next ones pass.
	stopped atomic.Bool
}

func newStop() *stop {
	s := &stop{reached: make(chan struct{}), resume: make(chan struct{})}
	DeferCleanup(func() { s.goOn() })
	return s
}

// here stops the process that waits for the answer to a request.
func (s *stop) here() {
	if s.stopped.CompareAndSwap(false, true) {
		close(s.reached)
		<-s.resume
	}
}

func (s *stop) goOn() {
	select {
	case <-s.resume:
	default:
		close(s.resume)
	}
}

// The lease of a process that is stopped ends after 15 seconds, and another process takes over.
var _ = Describe("A controller that is stopped until another one leads", func() {
	var (
		t  *tenant
		at *stop
		h  *imagehost.Host
		b  *fakewordpress.Blog
	)
	BeforeEach(func() {
		t, at, h, b = newTenant(), newStop(), imagehost.New(), fakewordpress.New()
		DeferCleanup(h.Close)
		DeferCleanup(b.Close)
		t.Renewed = func() time.Time { return Started }
		t.Restart()
		t.createCredentials(b.Password)
	})

	// approved returns an article that is approved and due. Its image is at a URL, which may be empty.
	approved := func(image string) client.ObjectKey {
		GinkgoHelper()
		key := t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), func(a *v1alpha1.Article) {
			if image != "" {
				a.Spec.Content.Image = &v1alpha1.ArticleImage{URL: image, Alt: "A pair of shoes"}
			}
		})
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		return key
	}
	// rejectMeanwhile has a reviewer reject the article while the process is stopped, which another process takes note of. Then the first
	// one goes on. It returns the article.
	rejectMeanwhile := func(key client.ObjectKey) *v1alpha1.Article {
		GinkgoHelper()
		for reached := false; !reached; {
			t.Reconcile(key)
			select {
			case <-at.reached:
				reached = true
			case <-t.Notified:
			}
		}
		t.Clock.Step(19 * time.Second)
		leader := NewProcess(ProcessOptions{
			Client: t.Client, Live: t.API, Clock: t.Clock, Generator: t.Generator, Limits: t.Limits, Renewed: t.Clock.Now,
		})
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, Digest: a.Status.Revision.Digest, By: "mara@acme.example"}
		})
		leader.ReconcileUntilStable(key)
		at.goOn()
		t.AwaitWork()
		t.Reconcile(key)
		return leader.ReconcileUntilStable(key)
	}

	It("sends nothing of a text that is rejected meanwhile, if it was stopped while it fetched an image", func() {
		images, stops := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if h.Fetched() > 0 {
				at.here()
			}
			h.ServeHTTP(w, r)
		})), at
		DeferCleanup(images.Close)
		DeferCleanup(stops.goOn)
		t.CreateSite()
		a := rejectMeanwhile(approved(images.URL + "/shoes.png"))
		Expect(t.Receiver.Received()).To(BeEmpty())
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Rejected"))
	})

	// intercept stops the process before the answer to the first request of a method and a path.
	intercept := func(method, path string) {
		b.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == method && strings.Contains(r.URL.Path, path) {
				at.here()
			}
			return false
		})
	}

	It("writes no post of it, if it was stopped while it looked for one", func() {
		t.CreateSite(t.isWordPress(b.URL))
		key := approved("")
		intercept(http.MethodGet, "/posts")
		a := rejectMeanwhile(key)
		Expect(b.Posts()).To(BeEmpty())
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Rejected"))
	})

	It("writes no post of it, if it was stopped between two requests of a CMS", func() {
		t.CreateSite(t.isWordPress(b.URL))
		key := approved(h.URL + "/shoes.png")
		intercept(http.MethodPost, "/media")
		a := rejectMeanwhile(key)
		Expect(b.Files()).To(HaveLen(1))
		Expect(b.Posts()).To(BeEmpty())
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Rejected"))
	})
})

var _ = Describe("A run whose controller was held up", func() {
	// run returns an article whose model is called as often as there are pauses before the calls.
	run := func(pauses ...time.Duration) *v1alpha1.Article {
		GinkgoHelper()
		t := newTenant()
		t.Renewed = func() time.Time { return Started }
		t.Restart()
		t.CreateSite()
		t.Generator.Does(func(ctx context.Context, call int, _ generate.Request, _ generate.Progress) (generate.Result, error) {
			for _, pause := range pauses {
				t.Clock.Step(pause)
				r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.Receiver.URL, strings.NewReader("{}"))
				if err != nil {
					return generate.Result{}, err
				}
				answer, err := t.Publication.HTTP.Do(r)
				if err != nil {
					return generate.Result{}, &generate.Error{
						Reason: v1alpha1.ReasonBackendUnavailable, Retryable: true, Usage: generate.Usage{InputTokens: int64(100 * len(t.Receiver.Received()))},
					}
				}
				if err := answer.Body.Close(); err != nil {
					return generate.Result{}, err
				}
			}
			return Written("shoes", call), nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		t.AwaitWork()
		t.Reconcile(key)
		return t.GetArticle(key)
	}

	It("makes the same attempt again if the model was not called", func() {
		Expect(run(11 * time.Second).Status.Run).To(HaveValue(And(
			HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonStopped), HaveField("InputTokens", BeZero()))))
	})

	It("counts an attempt whose model was called, with its tokens", func() {
		Expect(run(0, 11*time.Second).Status.Run).To(HaveValue(And(
			HaveField("State", v1alpha1.RunRetryScheduled), HaveField("Reason", v1alpha1.ReasonInterrupted),
			HaveField("InputTokens", int64(100)), HaveField("Message", ContainSubstring("held up")))))
	})

	It("goes on within the time", func() {
		Expect(run(5*time.Second, 5*time.Second).Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
	})
})

var _ = Describe("An attempt at a slow CMS", func() {
	var (
		t *tenant
		b *fakewordpress.Blog
	)
	BeforeEach(func() {
		t, b = newTenant(), fakewordpress.New()
		DeferCleanup(b.Close)
		t.createCredentials(b.Password)
		t.CreateSite(t.isWordPress(b.URL))
		b.Intercept(func(http.ResponseWriter, *http.Request) bool {
			t.Clock.Step(6 * time.Second)
			return false
		})
	})
	publish := func() *v1alpha1.Article {
		GinkgoHelper()
		t.Restart()
		key := t.CreateArticle("shoes", WithText("Shoes", "Grip is all."))
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		return t.ReconcileUntilStable(key)
	}

	It("goes on as long as the lease is renewed", func() {
		t.Renewed = t.Clock.Now
		Expect(publish().Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("goes on without leader election", func() {
		Expect(publish().Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("does not count if the lease was not renewed before the first write", func() {
		t.Renewed = func() time.Time { return Started }
		a := publish()
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/RetryScheduled"))
		Expect(a.Status.Publication.Attempts).To(BeEmpty())
		Expect(b.Posts()).To(BeEmpty())
	})
})
