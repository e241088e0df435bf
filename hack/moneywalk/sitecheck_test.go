package moneywalk_test

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// check compares the sites with what Articles and Posts say once nothing is in progress.
func (w *siteWalk) check() {
	var list v1alpha1.PostList
	w.must(w.store.list(&list))
	for i := range list.Items {
		w.checkPost(&list.Items[i].Spec)
	}
	for _, a := range w.store.articles() {
		w.checkArticle(a, list.Items)
	}
	for to := range siteAddresses {
		for _, slug := range w.names {
			claimed := slices.ContainsFunc(list.Items, func(p v1alpha1.Post) bool { return p.Spec.Slug == slug && addressOf(&p.Spec) == to })
			if shown := w.sites.titles(to, slug); len(shown) > 0 && !claimed {
				w.failf("%s shows %q, and there is no Post of it", siteAddresses[to], shown)
			}
			w.checkOne(to, slug)
		}
	}
}

// checkOne checks that a blog never has two posts of an article, also none that is a draft.
func (w *siteWalk) checkOne(to int, slug string) {
	blog := w.sites.blogs[to]
	if blog == nil {
		return
	}
	of := slices.DeleteFunc(blog.Posts(), func(p fakewordpress.Post) bool { return !strings.HasPrefix(p.Title, slug+" ") })
	if len(of) > 1 {
		w.failf("%s has %d posts of %s: %+v", siteAddresses[to], len(of), slug, of)
	}
}

// addressOf returns which of the addresses a Post is about; -1 if the site pulls.
func addressOf(post *v1alpha1.PostSpec) int {
	return slices.IndexFunc(siteAddresses[:], func(address string) bool {
		return strings.Contains(post.Destination, strings.TrimPrefix(address, "https://"))
	})
}

// checkPost checks that a site has what a Post says that it has.
func (w *siteWalk) checkPost(post *v1alpha1.PostSpec) {
	to := addressOf(post)
	w.counts["Posts "+string(post.State)]++
	if to < 0 {
		return
	}
	w.checkSite("the Post "+string(post.State)+" of "+post.ArticleRef.Name, to, post.Slug, func() (string, bool) {
		return w.titles[post.Revision.Digest], post.State == v1alpha1.PostPublished || post.State == v1alpha1.PostUnpublished
	}, post.State == v1alpha1.PostUnpublished)
}

// checkSite checks that a site shows a title, or nothing, if that is known.
func (w *siteWalk) checkSite(who string, to int, slug string, says func() (string, bool), absent bool) {
	title, known := says()
	shown := w.sites.titles(to, slug)
	switch {
	case !known:
	case absent && len(shown) > 0:
		w.failf("%s says that %s has nothing, and it shows %q", who, siteAddresses[to], shown)
	case !absent && !slices.Equal(shown, []string{title}):
		w.failf("%s says that %s has %q, and it shows %q", who, siteAddresses[to], title, shown)
	}
}

// checkArticle checks that a site has what status says that it has, that status says so if it is not known, and that nothing is left to do.
func (w *siteWalk) checkArticle(a *v1alpha1.Article, all []v1alpha1.Post) {
	have, who := lifecycle.Have(a), "the Article "+a.Name+", uid "+string(a.UID)+","
	w.counts["Articles "+string(have.State)]++
	for i := range all {
		post := &all[i].Spec
		if all[i].Name != have.Name || addressOf(post) < 0 {
			continue
		}
		title := ""
		if have.Revision != nil {
			title = w.titles[have.Revision.Digest]
		}
		w.checkSite(who, addressOf(post), post.Slug, func() (string, bool) { return title, have.State != v1alpha1.PostUncertain },
			have.State == v1alpha1.PostAbsent)
	}
	w.checkNothingLeft(who, a, w.site())
	if have.State == v1alpha1.PostUncertain {
		w.checkSaysUncertain(a)
	}
}

// isLost reports whether a text was deleted that a site is to have again.
func (w *siteWalk) checkSaysUncertain(a *v1alpha1.Article) {
	// That the post was changed in the CMS says more.
	if hasReason(a, v1alpha1.ReasonSiteUncertain) || hasReason(a, v1alpha1.ReasonChangedAtSite) || slices.ContainsFunc(a.Status.Conditions, func(c metav1.Condition) bool {
		return strings.Contains(c.Message, "the post may still be there")
	}) {
		return
	}
	w.failf("%s is uncertain, and no condition says so: %+v, %+v", a.Name, a.Status.Conditions, a.Status.Publication)
}
