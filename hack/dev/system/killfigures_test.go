//go:build e2e

package system_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// eventsOfArticle is the number of events of an article that is approved automatically: ready for review, approved, published.
const eventsOfArticle = 3

// awaitEnd waits until every article and every delivery has ended, well or not.
func (k *killing) awaitEnd(ctx context.Context) {
	GinkgoHelper()
	Eventually(ctx, func(g Gomega) {
		for _, a := range k.list(ctx) {
			g.Expect(a.Status.Phase).To(BeElementOf(v1alpha1.PhasePublished, v1alpha1.PhaseFailed), a.Name)
			g.Expect(a.Status.Transitions).NotTo(ContainElement(HaveField("Dispatch", v1alpha1.DispatchPending)), a.Name)
		}
		for _, d := range k.deliveries(ctx) {
			g.Expect(d.Status.FinishTime).NotTo(BeNil(), d.Name)
		}
	}).WithTimeout(patience).WithPolling(100 * time.Millisecond).Should(Succeed())
}

// list returns the articles of the rounds.
func (k *killing) list(ctx context.Context) []v1alpha1.Article {
	GinkgoHelper()
	var list v1alpha1.ArticleList
	Expect(api.List(ctx, &list, client.InNamespace(system.Workspace), client.MatchingFields{"spec.siteRef.name": "killed"})).To(Succeed())
	Expect(list.Items).To(HaveLen(len(k.articles)))
	return list.Items
}

// deliveries returns those of the articles' events.
func (k *killing) deliveries(ctx context.Context) []v1alpha1.EventDelivery {
	GinkgoHelper()
	return slices.DeleteFunc(allDeliveries(ctx), func(d v1alpha1.EventDelivery) bool {
		return !strings.HasPrefix(d.Spec.ArticleRef.Name, "killed-")
	})
}

// allDeliveries returns those of the workspace: the subscription is to the events of all its articles.
func allDeliveries(ctx context.Context) []v1alpha1.EventDelivery {
	GinkgoHelper()
	var list v1alpha1.EventDeliveryList
	Expect(api.List(ctx, &list, client.InNamespace(system.Workspace))).To(Succeed())
	return list.Items
}

// tally counts the outcomes of the articles, the events or the runs.
type tally struct {
	what string
	// The number of items, of attempts that status records, of those that never had an outcome, and of requests received.
	items, attempts, cutOff, requests int
	// lost items did not reach their end; double ones did so twice, or were sent with other bytes or another id; unrecorded
	// requests exceed the attempts.
	lost, double, unrecorded int
}

// killFigures are the tallies of all kinds, and how often the controller was killed at each kill point.
type killFigures struct {
	injected map[killPoint]int
	tallies  []tally
	// unknown are the items of requests that no status records.
	unknown []string
	took    time.Duration
}

func (k *killing) count(ctx context.Context) killFigures {
	GinkgoHelper()
	publishes, events, runs := tally{what: "publishing"}, tally{what: "events"}, tally{what: "generation"}
	articles := k.list(ctx)
	for i := range articles {
		publishes.article(k.site.requests, &articles[i])
		runs.run(k.model, &articles[i], revisionsOf(ctx, &articles[i]))
	}
	deliveries := k.deliveries(ctx)
	for i := range deliveries {
		d := &deliveries[i]
		events.cycle(k.events.requests, d.Name, d.Status.Cycle, d.Status.Attempts)
	}
	events.lost += max(eventsOfArticle*len(articles)-len(deliveries), 0)
	events.double += max(len(deliveries)-eventsOfArticle*len(articles), 0)
	return killFigures{k.injected, []tally{publishes, events, runs}, k.unknown(ctx, articles), time.Since(k.began)}
}

// unknown returns the items of requests to external endpoints that are neither an article of the rounds nor one of its events.
func (k *killing) unknown(ctx context.Context, articles []v1alpha1.Article) []string {
	GinkgoHelper()
	var slugs, keywords, events []string
	for i := range articles {
		slugs, keywords = append(slugs, articles[i].Status.Slug), append(keywords, articles[i].Spec.Generate.Keyword)
	}
	for _, d := range allDeliveries(ctx) {
		events = append(events, d.Name)
	}
	return slices.Concat(
		k.site.others(slugs), k.events.others(events), k.model.others(keywords))
}

func (t *tally) article(r *requests, a *v1alpha1.Article) {
	if p := a.Status.Publication; p != nil {
		t.cycle(r, a.Status.Slug, p.Cycle, p.Attempts)
		return
	}
	t.cycle(r, a.Status.Slug, nil, nil)
}

// cycle counts an article's or an event's one cycle.
func (t *tally) cycle(r *requests, item string, c *v1alpha1.DeliveryCycle, attempts []v1alpha1.DeliveryAttempt) {
	t.items++
	if c == nil || c.State != v1alpha1.CycleAccepted {
		t.lost++
		return
	}
	requests, changed := r.of(item)
	t.attempts += len(attempts)
	t.requests += requests
	t.double += changed + int(c.Number) - 1
	t.unrecorded += max(requests-len(attempts), 0) + max(len(attempts)-4, 0)
	if requests == 0 {
		t.lost++
	}
	for i := range attempts {
		if attempts[i].Outcome == v1alpha1.AttemptUnknown {
			t.cutOff++
		}
	}
}

// run counts an article's run of the generator: no attempt of it asks the model more questions than the one that made the revision,
// which records them as turns.
func (t *tally) run(m *model, a *v1alpha1.Article, revisions []v1alpha1.ArticleRevision) {
	t.items++
	g := a.Status.Run
	if g == nil || g.State != v1alpha1.RunSucceeded || len(revisions) == 0 {
		t.lost++
		return
	}
	attempts := int(g.Attempt)
	t.attempts += attempts
	t.cutOff += attempts - 1
	t.double += len(revisions) - 1
	requests, _ := m.of(a.Spec.Generate.Keyword)
	t.requests += requests
	t.unrecorded += max(requests-attempts*int(revisions[0].Spec.Generator.Turns), 0)
}

// faults is the sum of everything that must not happen.
func (f killFigures) faults() int {
	sum := 0
	for _, t := range f.tallies {
		sum += t.lost + t.double + t.unrecorded
	}
	return sum
}

// String is a table for people.
func (f killFigures) String() string {
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	total := 0
	fmt.Fprintln(table, "the controller was killed\ttimes")
	for _, m := range killPoints() {
		fmt.Fprintf(table, "%s\t%d\n", m, f.injected[m])
		total += f.injected[m]
	}
	fmt.Fprintf(table, "in all, in %s\t%d\n\n", f.took.Round(time.Second), total)
	fmt.Fprintln(table, "\titems\tattempts\tcut off\trequests\tlost\tdouble\tunrecorded")
	for _, t := range f.tallies {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n",
			t.what, t.items, t.attempts, t.cutOff, t.requests, t.lost, t.double, t.unrecorded)
	}
	// Writing to a strings.Builder does not fail.
	_ = table.Flush()
	return out.String()
}
