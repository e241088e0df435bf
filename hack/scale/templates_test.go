//go:build e2e

package scale_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// templates is the account, and its workspace, of the articles that are multiplied.
const templates = "templates"

// mix is how many of 100 articles are in a phase, and how many templates they are copies of. The others are published.
var mix = []struct {
	phase          v1alpha1.ArticlePhase
	percent, kinds int
}{
	{v1alpha1.PhaseReview, 4, 3}, {v1alpha1.PhaseScheduled, 3, 3}, {v1alpha1.PhaseFailed, 3, 3}, {v1alpha1.PhasePublished, 90, 12},
}

// subjects and aspects make the keywords of the templates.
var (
	subjects = []string{"trail shoes", "winter tents", "climbing ropes", "rain jackets", "camping stoves", "mountain huts"}
	aspects  = []string{"for beginners", "compared", "repaired at home", "in wet weather"}
)

// template is an article as kube-apiserver stores it, with what belongs to it.
type template struct {
	// article, revision and post are what is stored; post is nil if there is none.
	article, revision, post []byte
	doc                     content.Document
	// What copies have others of. The uids are those of its objects.
	site, uid, revisionUID, postUID, name, title, digest, slug, created string
	// These are empty if there is none: a short text has no fingerprint, and an article that was not sent nothing of a Site.
	fingerprint, destination, connectionHash, publishTime string
}

// textMark stands for the text in a revision.
const textMark = "THE-TEXT-OF-THE-COPY"

// createTemplates has Pressroom generate the articles that are multiplied, and bring each into its phase.
func (w *world) createTemplates(t *testing.T) map[v1alpha1.ArticlePhase][]*template {
	t.Helper()
	w.createAccounts(t, []string{templates}, 1)
	refused := siteName(templates, 9) + "-" + refusing
	must(t, w.api.Create(t.Context(), w.site(templates, refused)))
	created := map[v1alpha1.ArticlePhase][]string{}
	n := 0
	for _, m := range mix {
		for range m.kinds {
			site := siteName(templates, 0)
			if m.phase == v1alpha1.PhaseFailed {
				site = refused
			}
			keyword := subjects[n%len(subjects)] + " " + aspects[n/len(subjects)]
			created[m.phase] = append(created[m.phase], w.createTemplate(t, m.phase, site, keyword))
			n++
		}
	}
	w.awaitIdle(t)
	all := map[v1alpha1.ArticlePhase][]*template{}
	stored := w.storedOf(t)
	for phase, names := range created {
		for _, name := range names {
			all[phase] = append(all[phase], templateOf(t, name, stored))
		}
	}
	return all
}

// createTemplate creates an article that is generated, and waits until it is in its phase.
func (w *world) createTemplate(t *testing.T, phase v1alpha1.ArticlePhase, site, keyword string) string {
	t.Helper()
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: templates, Name: identity.NewName()},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: site}, Generate: &v1alpha1.GenerateRequest{Keyword: keyword}, Stage: v1alpha1.StageReview,
		},
	}
	if phase != v1alpha1.PhaseReview {
		a.Spec.Stage = v1alpha1.StagePublished
	}
	if phase == v1alpha1.PhaseScheduled {
		a.Spec.PublishAfter = new(v1alpha1.NewTime(time.Now().AddDate(2, 0, 0)))
	}
	must(t, w.api.Create(t.Context(), a))
	is := func(phase v1alpha1.ArticlePhase) func() bool {
		return func() bool {
			must(t, w.api.Get(t.Context(), client.ObjectKeyFromObject(a), a))
			return a.Status.Phase == phase
		}
	}
	await(t, "the text about "+keyword, is(v1alpha1.PhaseReview))
	if phase != v1alpha1.PhaseReview {
		before := a.DeepCopy()
		a.Spec.Review = &v1alpha1.ArticleReview{
			Decision: v1alpha1.DecisionApproved, Digest: a.Status.Revision.Digest, By: "mara@acme.example", Note: "Good to go.",
		}
		must(t, w.api.Patch(t.Context(), a, client.MergeFrom(before)))
		await(t, "the phase "+string(phase), is(phase))
	}
	return a.Name
}

// storedOf returns what etcd has of the templates, by resource.
func (w *world) storedOf(t *testing.T) map[string][]pair {
	t.Helper()
	all := map[string][]pair{}
	for _, resource := range []string{"articles", "articlerevisions", "posts"} {
		found, err := etcdOf(w.Cluster).objects(t.Context(), resource, templates)
		must(t, err)
		if len(found) == 0 {
			t.Fatalf("etcd has no %s of the templates", resource)
		}
		all[resource] = found
	}
	return all
}

// templateOf returns the template of an article.
func templateOf(t *testing.T, name string, stored map[string][]pair) *template {
	t.Helper()
	tt := &template{name: name}
	var a v1alpha1.Article
	tt.article = decoded(t, stored["articles"], &a, func() bool { return a.Name == name }, nil)
	var rev v1alpha1.ArticleRevision
	isCurrent := func() bool { return rev.Name == a.Status.Revision.Name }
	tt.revision = decoded(t, stored["articlerevisions"], &rev, isCurrent, func(o map[string]any) {
		must(t, unstructured.SetNestedField(o, textMark, "spec", "markdown"))
	})
	var post v1alpha1.Post
	tt.post = decoded(t, stored["posts"], &post, func() bool { return post.Spec.ArticleRef.Name == name }, nil)
	tt.doc = revision.Document(&rev)
	tt.uid, tt.revisionUID, tt.postUID = string(a.UID), string(rev.UID), string(post.UID)
	tt.site, tt.title, tt.digest = a.Spec.SiteRef.Name, rev.Spec.Title, rev.Spec.Digest
	tt.slug, tt.destination, tt.fingerprint = a.Status.Slug, post.Spec.Destination, a.Status.Revision.Fingerprint
	if p := a.Status.Publication; p != nil && p.Cycle != nil {
		tt.connectionHash = p.Cycle.ConnectionHash
	}
	tt.created = a.CreationTimestamp.UTC().Format(time.RFC3339)
	if post.Spec.PublishTime != nil {
		data, err := post.Spec.PublishTime.MarshalJSON()
		must(t, err)
		tt.publishTime = strings.Trim(string(data), `"`)
	}
	switch phase := a.Status.Phase; {
	case tt.article == nil || tt.revision == nil || tt.slug == "":
		t.Fatalf("the article %s is not stored whole", name)
	case phase == v1alpha1.PhasePublished && (tt.post == nil || tt.publishTime == "" || tt.destination == ""):
		t.Fatalf("the published article %s has no Post", name)
	}
	return tt
}

// decoded decodes stored objects until one is found, and returns it as kube-apiserver stores it after a change; nil if none is found.
func decoded(t *testing.T, stored []pair, into any, found func() bool, change func(map[string]any)) []byte {
	t.Helper()
	for _, p := range stored {
		// What another object has is not left in it.
		switch o := into.(type) {
		case *v1alpha1.Article:
			*o = v1alpha1.Article{}
		case *v1alpha1.ArticleRevision:
			*o = v1alpha1.ArticleRevision{}
		case *v1alpha1.Post:
			*o = v1alpha1.Post{}
		}
		must(t, json.Unmarshal(p.Value, into))
		if !found() {
			continue
		}
		if change == nil {
			return p.Value
		}
		decoder := json.NewDecoder(bytes.NewReader(p.Value))
		decoder.UseNumber()
		o := map[string]any{}
		must(t, decoder.Decode(&o))
		change(o)
		var out bytes.Buffer
		encoder := json.NewEncoder(&out) // It ends with a line break, and members are in the order of their names, as in what is stored.
		encoder.SetEscapeHTML(false)
		must(t, encoder.Encode(o))
		return out.Bytes()
	}
	if p, ok := into.(*v1alpha1.Post); ok {
		*p = v1alpha1.Post{}
	}
	return nil
}

// copyOf is an article to be made of a template.
type copyOf struct {
	*template
	// to is its Site.
	to *v1alpha1.Site
	// n distinguishes it, and created is when it was.
	n       int
	created time.Time
}

// objects returns what is stored of a copy.
func (c copyOf) objects() []pair {
	name := nameAt(c.created)
	text := textOf(c.n)
	doc := c.doc
	doc.Title, doc.Markdown = fmt.Sprintf("%s %d", c.title, c.n), text
	slug := fmt.Sprintf("%s-%d", c.slug, c.n)
	oldRevision, newRevision := identity.RevisionName(c.name, c.name, 1), identity.RevisionName(name, name, 1)
	quote := func(s string) string {
		data, _ := json.Marshal(s) // A string always can be.
		return string(data)
	}
	// The first one that fits counts: names with others in them come before those.
	changes := []string{
		textMark, text, oldRevision, newRevision, c.name, name, c.uid, uuid.NewString(), c.revisionUID, uuid.NewString(), c.digest, doc.Digest(),
		quote(c.title), quote(doc.Title), c.site, c.to.Name, quote(templates), quote(c.to.Namespace), c.slug, slug,
		c.template.created, c.created.UTC().Format(time.RFC3339),
	}
	var post string
	if c.post != nil {
		destination := base.DestinationOf(c.to)
		post = identity.PostName(destination, slug)
		changes = append([]string{
			identity.PostName(c.destination, c.slug), post, c.destination, destination, c.postUID, uuid.NewString(),
		}, changes...)
	}
	if c.fingerprint != "" {
		changes = append(changes, c.fingerprint, fmt.Sprintf("%016x", rand.Uint64()))
	}
	if c.connectionHash != "" {
		changes = append(changes, c.connectionHash, lifecycle.ConnectionHash(c.to))
	}
	if c.publishTime != "" {
		changes = append(changes, c.publishTime, c.created.Add(time.Hour).UTC().Format("2006-01-02T15:04:05.000000Z"))
	}
	changed := strings.NewReplacer(changes...)
	all := []pair{
		{keyOf("articles", c.to.Namespace, name), []byte(changed.Replace(string(c.article)))},
		{keyOf("articlerevisions", c.to.Namespace, newRevision), []byte(changed.Replace(string(c.revision)))},
	}
	if c.post != nil {
		all = append(all, pair{keyOf("posts", c.to.Namespace, post), []byte(changed.Replace(string(c.post)))})
	}
	return all
}

// nameAt is the name of an article that was created at a time: a UUIDv7.
func nameAt(at time.Time) string {
	id := uuid.Must(uuid.NewV7())
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli())<<16)
	copy(id[:6], ms[:6])
	return id.String()
}

// textOf returns the text of a number: 5 to 60 KB, fewer of the longer ones, 13.7 KB on average.
func textOf(n int) string {
	const (
		least, usual, most = 5_000, 8_700, 60_000
		goldenPart         = 0.6180339887
		sentence           = "The lugs of this shoe hold on any ground, and the heel is steady on wet rock. "
	)
	_, share := math.Modf(float64(n) * goldenPart) // They are spread evenly from 0 to 1.
	size := min(int(least-usual*math.Log(1-share)), most)
	return strings.TrimSpace(strings.Repeat(sentence, 1+size/len(sentence))[:size])
}

// loaded is what was loaded into etcd.
type loaded struct {
	articles int
	// byAge has the names of the articles of the workspace that is asked for its lists, the newest first.
	byAge []string
}

// load stores copies of the templates: so many for each workspace. It notes the names of those of one of them.
func (w *world) load(ctx context.Context, all map[v1alpha1.ArticlePhase][]*template, counts map[string]int, noted string) (loaded, error) {
	// The oldest is so old, and the newest a day, so that what is created later is newer.
	const oldest, newest = 300 * 24 * time.Hour, 24 * time.Hour
	var out loaded
	objects, written := make(chan pair, 2*mostInTransaction), make(chan error, 1)
	go func() { written <- etcdOf(w.Cluster).write(ctx, objects) }()
	now := time.Now()
	for _, workspace := range slices.Sorted(maps.Keys(counts)) {
		for i := range counts[workspace] {
			c := copyOf{
				template: pick(all, out.articles), to: w.sites[siteName(workspace, i%sitesPerAccount)], n: out.articles,
				created: now.Add(-oldest + time.Duration(float64(i)/float64(counts[workspace])*float64(oldest-newest))),
			}
			out.articles++
			some := c.objects()
			if workspace == noted {
				out.byAge = append(out.byAge, nameIn(some[0]))
			}
			for _, o := range some {
				objects <- o
			}
		}
	}
	close(objects)
	slices.Reverse(out.byAge)
	return out, <-written
}

func nameIn(p pair) string { return string(p.Key[bytes.LastIndexByte(p.Key, '/')+1:]) }

// pick returns the template of the article of a number.
func pick(all map[v1alpha1.ArticlePhase][]*template, n int) *template {
	of := n % 100
	for _, m := range mix {
		if of < m.percent {
			kinds := all[m.phase]
			return kinds[n/100%len(kinds)]
		}
		of -= m.percent
	}
	return nil
}
