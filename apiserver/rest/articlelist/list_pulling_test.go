package articlelist_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// publications are 500 articles that are published in another order than they were created in. The controller takes the time of a
// publication, and writes it up to some minutes later. Replicas see the writes in their order.
type publications struct {
	random *rand.Rand
	// writes in the order in which kube-apiserver has them, and how many of them there are by now.
	writes  []*v1alpha1.Article
	written int
}

func newPublications(random *rand.Rand, count int) *publications {
	type publication struct {
		article *v1alpha1.Article
		written time.Time
	}
	all := make([]publication, 0, count)
	at := operationtest.Began
	for _, n := range random.Perm(count) {
		at = at.Add(time.Duration(random.IntN(60_000)) * time.Millisecond)
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{
			Namespace: operationtest.Workspace, Name: fmt.Sprintf("a-%03d", n), CreationTimestamp: metav1.NewTime(operationtest.Began.Add(time.Duration(n-count) * time.Second)),
		}}
		a.Spec.SiteRef.Name, a.Spec.Stage = operationtest.SiteUID, v1alpha1.StagePublished
		a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
			State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{}, PublishTime: new(v1alpha1.NewMicroTime(at)),
		}}
		all = append(all, publication{a, at.Add(time.Duration(random.Int64N(int64(index.Lateness))))})
	}
	slices.SortFunc(all, func(a, b publication) int { return a.written.Compare(b.written) })
	p := &publications{random: random}
	for i, x := range all {
		x.article.ResourceVersion = strconv.Itoa(1000 + i)
		p.writes = append(p.writes, x.article)
	}
	return p
}

// watcher is a replica that lags behind the writes.
type watcher struct {
	*operationtest.API
	publications *publications
	seen         int
	// received has what the informer has and the index has not yet.
	received []any
}

// watch receives some of the writes. Sometimes the watch was lost for a while: then everything comes at once, in any order.
func (w *watcher) watch() {
	p := w.publications
	n := w.seen + p.random.IntN(p.written-w.seen+1)
	var batch []any
	for _, a := range p.writes[w.seen:n] {
		batch = append(batch, w.receive(a))
	}
	if p.random.IntN(3) == 0 {
		batch = batch[:0]
		for _, a := range p.writes[:n] {
			batch = append(batch, w.receive(a))
		}
		p.random.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
	}
	w.seen, w.received = n, append(w.received, batch...)
}

func (w *watcher) receive(a *v1alpha1.Article) any {
	o, err := w.Index.Transform()(a.DeepCopy())
	if err != nil {
		w.T.Fatal(err)
	}
	return o
}

// apply has the index handle the first n events that wait.
func (w *watcher) apply(n int) {
	for _, o := range w.received[:n] {
		w.Index.Handlers().Articles.OnUpdate(o, o)
	}
	w.received = w.received[n:]
}

// puller is a site that reads what was published.
type puller struct {
	t     *testing.T
	since string
	got   map[string]int
}

// page reads a page of a replica, and returns the cursor of the next one.
func (p *puller) page(w *watcher, cursor string, limit int) (next string) {
	var page articlelist.ArticlePage
	path := fmt.Sprintf("/v1/api/blogs?limit=%d&published_since=%s", limit, url.QueryEscape(p.since))
	if cursor != "" {
		path += "&cursor=" + cursor
	}
	w.Into(operationtest.Request{Path: path}, &page)
	previous := ""
	for _, a := range page.Data {
		p.got[a.UID]++
		if *a.PublishedAt < previous {
			p.t.Fatalf("%s comes after %s", *a.PublishedAt, previous)
		}
		previous = *a.PublishedAt
	}
	if page.HasMore {
		return *page.NextCursor
	}
	if *page.NextPublishedSince < p.since {
		p.t.Fatalf("next_published_since went back from %s to %s", p.since, *page.NextPublishedSince)
	}
	p.since = *page.NextPublishedSince
	return ""
}

// A random walk over writes that come late, two replicas that lag and lose their watches, and a site that pulls from either of
// them, also in the middle of its pages.
func TestPullingMissesNothing(t *testing.T) {
	const articles = 500
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 1))
		p := newPublications(random, articles)
		replicas := []*watcher{{API: operationtest.New(t), publications: p}, {API: operationtest.New(t), publications: p}}
		site := &puller{t: t, since: operationtest.Milliseconds(operationtest.Began), got: map[string]int{}}
		cursor, requests := "", 0
		for p.written < articles {
			p.written = min(p.written+random.IntN(4), articles)
			w := replicas[random.IntN(2)]
			if newest := p.writes[max(p.written-1, 0)].Status.Publication.Post.PublishTime.Add(index.Lateness); newest.After(w.Clock.Now()) {
				replicas[0].Clock.SetTime(newest)
				replicas[1].Clock.SetTime(newest)
			}
			switch random.IntN(4) {
			case 0:
				w.watch()
			case 1:
				w.apply(random.IntN(len(w.received) + 1))
			case 2:
				cursor = site.page(w, cursor, 1+random.IntN(20))
				requests++
			}
		}
		for _, w := range replicas {
			for w.seen < articles {
				w.watch()
			}
			w.apply(len(w.received))
		}
		for cursor = site.page(replicas[0], cursor, 100); cursor != ""; {
			cursor = site.page(replicas[0], cursor, 100)
		}
		for cursor = site.page(replicas[1], "", 100); cursor != ""; {
			cursor = site.page(replicas[1], cursor, 100)
		}
		total := 0
		for _, n := range site.got {
			total += n
		}
		if len(site.got) != articles {
			t.Errorf("seed %d: %d of %d articles were pulled in %d requests", seed, len(site.got), articles, requests)
		}
		t.Logf("seed %d: %d articles in %d requests, each %.1f times", seed, len(site.got), requests, float64(total)/articles)
	}
}

func TestPullingChoosesBySiteAndStatusAndTime(t *testing.T) {
	api := operationtest.New(t)
	for i, stage := range []v1alpha1.ArticleStage{v1alpha1.StagePublished, v1alpha1.StageArchived, v1alpha1.StagePublished} {
		api.Article(func(a *v1alpha1.Article) {
			a.Name, a.Spec.Stage = fmt.Sprint("a-", i), stage
			a.Status.Publication = &v1alpha1.Publication{Post: v1alpha1.SitePost{
				State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{},
				PublishTime: new(v1alpha1.NewMicroTime(operationtest.Began.Add(time.Duration(-i) * time.Hour))),
			}}
			a.Status.Revision = &v1alpha1.CurrentRevision{Title: a.Name}
		})
	}
	api.Article(nil)
	for query, want := range map[string]string{
		"published_since=2026-11-20T07:00:00.000Z":                                            "[a-2 a-1 a-0] 2026-11-20T08:50:00.000Z",
		"published_since=2026-11-20T07:00:00.001Z":                                            "[a-1 a-0] 2026-11-20T08:50:00.000Z",
		"published_since=2026-11-20T09%3A00%3A00Z":                                            "[a-0] 2026-11-20T09:00:00.000Z",
		"published_since=2026-11-20T10%3A00%3A00%2B01%3A00":                                   "[a-0] 2026-11-20T09:00:00.000Z",
		"published_since=2026-11-20T00:00:00Z&status=archived":                                "[a-1] 2026-11-20T07:50:00.000Z",
		"published_since=2026-11-20T00:00:00Z&status=published":                               "[a-2 a-0] 2026-11-20T08:50:00.000Z",
		"published_since=2026-11-20T00:00:00Z&status=review":                                  "[] 2026-11-20T00:00:00.000Z",
		"published_since=2026-11-20T00:00:00Z&site_uid=" + operationtest.SiteUID + "&limit=1": "[a-2] 2026-11-20T08:50:00.000Z",
		"published_since=2026-11-20T00:00:00Z&site_uid=" + operationtest.OtherSiteUID:         "[] 2026-11-20T00:00:00.000Z",
	} {
		var page articlelist.ArticlePage
		api.Into(operationtest.Request{Path: "/v1/api/blogs?" + query}, &page)
		titles := []string{}
		for _, a := range page.Data {
			titles = append(titles, a.Title)
		}
		if got := fmt.Sprint(titles, " ", *page.NextPublishedSince); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
	const key = "0000000000000000" + "0198f0a1b2c3d4e5f6a7b8c9" + "0000000000000000"
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?published_since=yesterday"}), "published_since")
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?published_since=2026-11-20T00:00:00Z&cursor=0198f0a1b2c3d4e5f6a7b8c9"}), "cursor")
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?cursor=" + key}), "cursor")
}
