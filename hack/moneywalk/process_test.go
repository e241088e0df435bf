package moneywalk_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing/synctest"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/access"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func (w *walk) startController() {
	cached, direct := w.newView(false), w.newView(true)
	indexes := testkit.Indexes{}
	w.must(article.Index(w.t.Context(), indexes))
	w.must(event.Index(w.t.Context(), indexes))
	w.must(access.Index(w.t.Context(), indexes))
	p := controllertest.NewProcess(controllertest.ProcessOptions{
		Client: testkit.IndexedClient{Client: cached, Indexes: indexes}, Live: direct, Clock: clock.RealClock{},
		Generator: controllertest.NewGenerator(nil), Limits: inflight.Limits{Total: 2, PerHost: 2}, Suspend: w.suspension.installation,
	})
	charger := ledger.NewCharger(direct, clock.RealClock{})
	p.Generation.Charger, p.Accounts.Ledger, p.Generation.Backends = charger, charger, modelOf{w: w, v: cached}
	p.Publication.HTTP = &http.Client{Transport: receiverOf{w: w, v: cached, sent: w.posts.sent, accepted: w.posts.accepted}}
	if w.blog != nil {
		p.Publication.HTTP = &http.Client{Transport: blogOf{w: w, v: cached}}
	}
	p.EventDeliveries.HTTP = &http.Client{Transport: receiverOf{w: w, v: cached, sent: func([]byte) {}}}
	w.controller, w.process = p, cached
	w.running, w.stop = context.WithCancel(w.t.Context())
	w.views = append(w.views[:replicas], cached, direct)
}

// restartController kills the controller and starts it again.
func (w *walk) restartController() {
	w.kill(w.views[replicas:]...)
	w.startController()
}

// call is one of the model or of the receiver that waits for its outcome.
type call struct {
	of      *view
	outcome chan error
}

// calls are the calls that wait.
type calls []*call

// await makes a call, and waits for its outcome.
func (w *walk) await(ctx context.Context, of *view, in *calls) error {
	c := &call{of: of, outcome: make(chan error, 1)}
	w.mu.Lock()
	*in = append(*in, c)
	w.mu.Unlock()
	select {
	case err := <-c.outcome:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// finish ends one of the calls.
func (w *walk) finish(in *calls, err error) {
	if len(*in) == 0 {
		return
	}
	n := w.random.IntN(len(*in))
	(*in)[n].outcome <- err
	*in = slices.Delete(*in, n, n+1)
}

// modelOf is the model as one controller process reaches it.
type modelOf struct {
	w *walk
	v *view
}

func (m modelOf) For(context.Context, *v1alpha1.Site) (sitegenerator.Backend, error) {
	return sitegenerator.Backend{Generator: m, Type: v1alpha1.GeneratorOpenAI, Model: "small", Host: "model"}, m.w.blocked
}

func (m modelOf) Generate(ctx context.Context, r generate.Request, _ generate.Progress) (generate.Result, error) {
	err := m.w.await(ctx, m.v, &m.w.models)
	var u generate.Usage
	if m.w.spending != nil {
		u, err = m.w.spending.take(r, err)
	}
	return generate.Result{Document: content.Document{Title: "About " + r.Keyword, Markdown: "Text.", Language: "en"}, Usage: u}, err
}

// receiverOf is a receiver as one controller process reaches it.
type receiverOf struct {
	w *walk
	v *view
	// sent is called with a request, and accepted, which may be nil, when the receiver answers that it has it.
	sent, accepted func(body []byte)
}

// errRefused is the outcome of a request that the receiver answers with 503.
var errRefused = errors.New("the receiver refuses")

func (r receiverOf) RoundTrip(q *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return nil, err
	}
	r.w.mu.Lock()
	r.sent(body)
	r.w.mu.Unlock()
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{}`)), Request: q}
	switch err := r.w.await(q.Context(), r.v, &r.w.requests); {
	case errors.Is(err, errRefused):
		answer.StatusCode = http.StatusServiceUnavailable
	case err != nil:
		return nil, err
	case r.accepted != nil:
		r.w.mu.Lock()
		defer r.w.mu.Unlock()
		r.accepted(body)
	}
	return answer, nil
}

func (w *walk) reconcile(name string) {
	p, ctx := w.controller, w.running
	s := w.suspension
	w.spawn("article "+name, func() {
		w.look(name, s)
		_, _ = p.Articles.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKey{Namespace: workspace, Name: name}})
	})
}

func (w *walk) reconcileAccount() {
	p, ctx := w.controller, w.running
	w.spawn("account", func() {
		_, _ = p.Accounts.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKey{Name: account}})
	})
}

// kill ends the process of some views: one of its requests may just have been made.
func (w *walk) kill(views ...*view) {
	for _, v := range views {
		v.dead = true
	}
	// What was let go runs beside the walk: everything is drawn before.
	end := map[*op]verdict{}
	for _, o := range w.waiting {
		if o.of.dead {
			end[o] = endBefore + verdict(w.random.IntN(2))
		}
	}
	var cut []*call
	for _, in := range []*calls{&w.models, &w.requests} {
		for _, c := range *in {
			if c.of.dead {
				cut = append(cut, c)
			}
		}
		*in = slices.DeleteFunc(*in, func(c *call) bool { return c.of.dead })
	}
	ended := w.waiting
	w.waiting = slices.DeleteFunc(slices.Clone(w.waiting), func(o *op) bool { return o.of.dead })
	for _, o := range ended {
		if v, dead := end[o]; dead {
			o.let <- v
		}
	}
	for _, c := range cut {
		c.outcome <- errCutOff
	}
	synctest.Wait()
}
