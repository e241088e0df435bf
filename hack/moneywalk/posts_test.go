package moneywalk_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// TestNoSiteShowsATextThatNobodyApproved makes 40 histories of a site that updates its posts, or as many as PRESSROOM_UPDATE_WALKS says.
func TestNoSiteShowsATextThatNobodyApproved(t *testing.T) {
	walkAll(t, "PRESSROOM_UPDATE_WALKS", 40, ofUpdates)
}

// updateActions are the actions on two articles that are edited, decided on and published again and again, with other weights.
func updateActions() []action[*walk] {
	weights := map[string]int{
		"request goes on": 180, "reconcile": 60, "reconcile account": 5, "dispatch events": 4, "kubectl create": 8, "kubectl delete": 1, "own text": 3,
		"another own text": 12, "approve": 30, "reject": 4, "redeliver": 5, "no own text": 3, "regenerate": 4, "archive": 1, "bring back": 1,
		"publish": 20, "secret missing": 1, "secret there": 4, "run succeeds": 15, "run fails": 2, "run is retried": 2, "receiver accepts": 20,
		"receiver refuses": 3, "receiver's answer is lost": 2, "controller killed": 3, "controller stopped": 2, "moments pass": 20,
		"seconds pass": 8, "hours pass": 2, "site suspended or resumed": 1, "site deleted": 1, "site created": 3,
	}
	chosen := []action[*walk]{{"updates frozen or allowed", 2, (*walk).freeze}}
	for _, a := range actions {
		if weight := weights[a.name]; weight > 0 {
			chosen = append(chosen, action[*walk]{a.name, weight, a.do})
		}
	}
	return chosen
}

// freeze has the site stop or begin to update its posts.
func (w *walk) freeze() {
	w.editSite(func(site *v1alpha1.Site) {
		if site.UpdatesPosts() {
			site.Spec.Publishing.Updates = v1alpha1.UpdatesFrozen
		} else {
			site.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
		}
	})
}

// editSite changes the site with kubectl.
func (w *walk) editSite(change func(*v1alpha1.Site)) {
	site := &v1alpha1.Site{}
	if w.store.get(siteKey, site) != nil {
		return
	}
	change(site)
	w.must(w.store.update(site))
	w.siteChanged()
}

// posts are what the receiver was sent.
type posts struct {
	w *walk
	// approved are the digests of texts, and shown is the digest of the text that the receiver has accepted last under a slug.
	approved map[string]bool
	shown    map[string]string
}

// decide is a decision of a person with kubectl about the current text of an article.
func (w *walk) decide(decision v1alpha1.ReviewDecision) {
	w.edit(func(a *v1alpha1.Article) {
		if a.Status.Revision == nil {
			return
		}
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: decision, Digest: a.Status.Revision.Digest, By: "mara"}
		if decision == v1alpha1.DecisionApproved {
			w.posts.approved[a.Status.Revision.Digest] = true
		}
	}, false)
}

// post is what a request is about.
type post struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Text  string `json:"content_markdown"`
}

func (p posts) read(body []byte) post {
	var of post
	if err := json.Unmarshal(body, &of); err != nil {
		p.w.failf("the receiver was sent %q", body)
	}
	return of
}

// digest returns that of the revision with the text of a post; empty if it was deleted.
func (p posts) digest(of post) string {
	var list v1alpha1.ArticleRevisionList
	p.w.must(p.w.store.list(&list))
	for i := range list.Items {
		if r := &list.Items[i].Spec; r.Title == of.Title && r.Markdown == of.Text {
			return r.Digest
		}
	}
	return ""
}

// sent checks that a request is written ahead, that its text is approved, and that nothing is sent that was published.
func (p posts) sent(body []byte) {
	of := p.read(body)
	p.w.counts["requests to the receiver"]++
	if digest := p.digest(of); p.w.updates && digest != "" && !p.approved[digest] {
		p.w.failf("%s was sent with a text that nobody approved: %+v", of.Slug, of)
	}
	if p.w.cut[of.Slug] != nil {
		return
	}
	others := 0
	for _, a := range p.w.store.articles() {
		switch {
		case a.Status.Slug != of.Slug:
		case attemptInProgress(a) != "":
			return
		default:
			others++
		}
	}
	// There is none if it has just been deleted.
	if others > 0 {
		p.w.failf("%s was sent, and no attempt is in status", of.Slug)
	}
}

func (p posts) accepted(body []byte) {
	of := p.read(body)
	if before, known := p.shown[of.Slug]; known && before != p.digest(of) {
		p.w.counts["updates that the receiver has accepted"]++
	}
	p.shown[of.Slug] = p.digest(of)
}

// checkMirror follows changed_since, and compares what it reads with what the receiver has of articles whose last delivery it has accepted.
func (w *walk) checkMirror() {
	w.refresh(0)
	var page articlelist.ArticlePage
	w.readFrom(0, "/v1/api/blogs?limit=100&changed_since=1970-01-01T00:00:00Z", &page)
	mirrored := map[string]string{}
	for _, summary := range page.Data {
		var a restarticle.Article
		w.readFrom(0, "/v1/api/blogs/"+summary.UID, &a)
		mirrored[a.Slug] = a.RevisionDigest
	}
	for _, a := range w.store.articles() {
		p := a.Status.Publication
		if !lifecycle.Published(a) || p.Cycle == nil || p.Cycle.State != v1alpha1.CycleAccepted || a.Status.Revision == nil {
			continue
		}
		// An article that was deleted and created again does not have the text of the earlier one.
		live := &v1alpha1.ArticleRevision{}
		if w.store.get(client.ObjectKey{Namespace: workspace, Name: p.Post.Revision.Name}, live) != nil || live.Spec.Digest != p.Post.Revision.Digest {
			continue
		}
		// What became of an attempt during which its article was deleted is lost if the controller is killed, too.
		if w.cut[a.Status.Slug] != nil {
			continue
		}
		w.counts["articles that a mirror has"]++
		if shown := w.posts.shown[a.Status.Slug]; mirrored[a.Status.Slug] != shown && shown != "" {
			w.failf("%s: the mirror has %q, and the site %q", a.Name, mirrored[a.Status.Slug], shown)
		}
	}
}

// checkRecords checks that each Post has one record of each text that its site has accepted, and that the last one is of the text that the
// site has. The reviewer of an author's text is lost if the article gets another review before its Post is written.
func (w *walk) checkRecords() {
	var all v1alpha1.PostList
	w.must(w.store.list(&all))
	for i := range all.Items {
		spec := &all.Items[i].Spec
		digests := map[string]bool{}
		for _, r := range spec.Records {
			w.counts["records of "+string(r.Decision)]++
			named := r.Decision == v1alpha1.RecordApproved && r.By == "mara"
			lost := r.Decision == v1alpha1.RecordAutomatic && r.By == "" && r.Disclosure == v1alpha1.DisclosureHumanOnly
			if digests[r.Digest] || !w.posts.approved[r.Digest] || !named && !lost {
				w.failf("%s has a record of a text that nobody approved, or two of one: %+v", spec.Slug, r)
			}
			digests[r.Digest] = true
		}
		n := len(spec.Records)
		// A post can be taken back although nobody knows that the site had accepted it.
		accepted := spec.State == v1alpha1.PostPublished || spec.State == v1alpha1.PostUnpublished && spec.PublishTime != nil
		if n > v1alpha1.MaxRecords || accepted && (n == 0 || spec.Records[n-1].Digest != spec.Revision.Digest) {
			w.failf("%s is %s with revision %+v and %d records: %+v", spec.Slug, spec.State, spec.Revision, n, spec.Records)
		}
	}
}

// readFrom reads an answer of a replica.
func (w *walk) readFrom(i int, path string, into any) {
	answer := httptest.NewRecorder()
	w.spawn("a mirror", func() {
		q := httptest.NewRequestWithContext(w.t.Context(), http.MethodGet, path, nil)
		q.Header.Set("x-api-key", "k")
		q.Header.Set("x-workspace-id", workspace)
		w.fleet.handlers[i].ServeHTTP(answer, q)
	})
	w.idle()
	if answer.Code != http.StatusOK {
		w.failf("%s was answered %d %s", path, answer.Code, answer.Body)
		return
	}
	w.must(json.Unmarshal(answer.Body.Bytes(), into))
}
