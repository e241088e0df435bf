package cms_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

var (
	attempted = time.Unix(1_800_000_000, 0)
	// ahead is how far the clock of the CMS is ahead.
	ahead = time.Hour
)

// Whose post is it, and may it be written? The article has the title Shoes and the slug shoes.
func TestOwnership(t *testing.T) {
	const link = "https://acme.example/shoes/"
	theirs := cms.Found{Post: cms.Post{ID: "7", URL: link, Slug: "shoes", Hash: "theirs"}, Title: "Our shoes"}
	with := func(f cms.Found, change func(*cms.Found)) cms.Found {
		change(&f)
		return f
	}
	lost := with(theirs, func(f *cms.Found) {
		f.Title, f.Created = "Shoes", attempted.Add(ahead)
		f.Modified = f.Created
	})
	published := publish.Article{ExternalID: "7", URL: link, Recorded: publish.Recorded{Hash: "ours", Attempted: attempted}}
	first, retry := publish.Article{}, publish.Article{Recorded: publish.Recorded{Attempted: attempted}}
	beside := publish.Article{Recorded: publish.Recorded{Attempted: attempted, Taken: []string{"shoes-2"}}}
	ours := with(theirs, func(f *cms.Found) { f.Hash = "ours" })
	at := func(a publish.Article, url string) publish.Article {
		a.URL = url
		return a
	}
	overwrites := published
	overwrites.Recorded.Overwrite = true
	const refuse, adopt = v1alpha1.ExistingPostsRefuse, v1alpha1.ExistingPostsAdopt
	for _, tt := range []struct {
		name    string
		policy  v1alpha1.ExistingPosts
		article publish.Article
		found   []cms.Found
		want    string
		wantErr v1alpha1.ErrorClass
	}{
		{"no post", "", first, nil, "", ""},
		{"a post of other people", "", first, []cms.Found{theirs}, "", v1alpha1.ErrorSlugTaken},
		{"the same if the Site says so", refuse, first, []cms.Found{theirs}, "", v1alpha1.ErrorSlugTaken},
		{"the same with the title of the article", "", first, []cms.Found{lost}, "", v1alpha1.ErrorSlugTaken},
		{"a Site that adopts", adopt, first, []cms.Found{theirs}, "7", ""},
		{"a numbered slug of other people", "", retry, []cms.Found{with(theirs, func(f *cms.Found) { f.Slug = "shoes-2" })}, "", ""},

		{"the post of an attempt whose answer was lost", "", retry, []cms.Found{lost}, "7", ""},
		{"the same under a number that the CMS has added", "", retry, []cms.Found{with(lost, func(f *cms.Found) { f.Slug = "shoes-2" })}, "7", ""},
		{"the same under a number that another article has", "", beside, []cms.Found{with(lost, func(f *cms.Found) { f.Slug = "shoes-2" })}, "", ""},
		{"one with another title", "", retry, []cms.Found{with(lost, func(f *cms.Found) { f.Title = "Our shoes" })}, "", v1alpha1.ErrorSlugTaken},
		{"one from before the attempt", "", retry, []cms.Found{with(lost, func(f *cms.Found) { f.Created = f.Created.Add(-3 * time.Second) })}, "", v1alpha1.ErrorSlugTaken},
		{"one without a date", "", retry, []cms.Found{with(lost, func(f *cms.Found) { f.Created = time.Time{} })}, "", v1alpha1.ErrorSlugTaken},
		{"one that somebody has changed", "", retry, []cms.Found{with(lost, func(f *cms.Found) { f.Modified = f.Modified.Add(time.Minute) })}, "", v1alpha1.ErrorChangedAtSite},
		{"one that a second lost attempt has written", "", retry, []cms.Found{with(lost, func(f *cms.Found) { f.Modified, f.Hash = f.Modified.Add(time.Minute), "sent" })}, "7", ""},

		{"the article's own post", "", published, []cms.Found{ours}, "7", ""},
		{"a post with the id that is another one", "", published, []cms.Found{{Post: cms.Post{ID: "7", URL: "https://acme.example/hats/", Slug: "hats"}, Title: "Hats"}}, "", ""},
		{"the same if links are made of ids", "", at(published, "https://acme.example/?p=7"),
			[]cms.Found{{Post: cms.Post{ID: "7", URL: "https://acme.example/?p=7", Slug: "hats"}, Title: "Hats"}}, "", ""},
		{"the article's own post if links are made of ids", "", at(published, "https://acme.example/?p=7"),
			[]cms.Found{with(ours, func(f *cms.Found) { f.URL = "https://acme.example/?p=7" })}, "7", ""},
		{"a post with the slug before one with the id", "", published,
			[]cms.Found{with(ours, func(f *cms.Found) { f.ID = "30" }), {Post: cms.Post{ID: "7", URL: "https://acme.example/hats/", Slug: "hats"}, Title: "Hats"}}, "30", ""},
		{"a post with the slug and another id and text", "", published, []cms.Found{with(theirs, func(f *cms.Found) { f.ID = "30" })}, "", v1alpha1.ErrorSlugTaken},
		{"its own post that somebody has changed", "", published, []cms.Found{theirs}, "", v1alpha1.ErrorChangedAtSite},
		{"the same on a Site that adopts", adopt, published, []cms.Found{theirs}, "", v1alpha1.ErrorChangedAtSite},
		{"the same if somebody says overwrite", "", overwrites, []cms.Found{theirs}, "7", ""},
		{"a post of other people if somebody says overwrite", "", overwrites, []cms.Found{with(theirs, func(f *cms.Found) { f.ID = "30" })}, "", v1alpha1.ErrorSlugTaken},
		{"its own post that somebody has given another slug", "", published,
			[]cms.Found{with(ours, func(f *cms.Found) {
				f.Title, f.Slug, f.URL, f.Hash = "Shoes", "best", "https://acme.example/best/", "x"
			})}, "", v1alpha1.ErrorChangedAtSite},
	} {
		t.Run(tt.name, func(t *testing.T) {
			site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Publishing: v1alpha1.SitePublishing{ExistingPosts: tt.policy}}}
			tt.article.Document = content.Document{Title: "Shoes", Slug: "shoes"}
			sent := cms.Found{Post: cms.Post{Slug: "shoes", Hash: "sent"}, Title: "Shoes"}
			got := ""
			o := withClient(t, func(c *cms.Client) error {
				chosen, err := cms.Choose(c, site, tt.article, sent, tt.found, itself)
				if chosen != nil {
					got = chosen.ID
				}
				return err
			})
			if o.ErrorClass != tt.wantErr || tt.wantErr == "" && got != tt.want {
				t.Errorf("%q is written, and the error is %q: %s", got, o.ErrorClass, o.Message)
			}
			if tt.wantErr != "" && (o.Conflict != tt.found[0].URL || !o.Final || len(o.Message) > v1alpha1.MaxAttemptMessageBytes) {
				t.Errorf("%+v", o)
			}
		})
	}
}

// A post that an attempt may have made with an earlier text of the article is not taken for one that is not there.
func TestWhatAnAttemptMayHaveMadeIsNotSaidToBeGone(t *testing.T) {
	earlier := cms.Found{Post: cms.Post{ID: "7", URL: "https://acme.example/shoes/", Slug: "shoes"}, Title: "Old shoes", Created: attempted.Add(ahead)}
	for _, tt := range []struct {
		name    string
		change  func(*cms.Found)
		wantErr v1alpha1.ErrorClass
	}{
		{"with another title", func(*cms.Found) {}, v1alpha1.ErrorSlugTaken},
		{"from before the attempt", func(f *cms.Found) { f.Created = attempted.Add(ahead - time.Minute) }, ""},
		{"that readers do not see", func(f *cms.Found) { f.Hidden = true }, ""},
		{"under another slug", func(f *cms.Found) { f.Slug = "shoes-2" }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, found := publish.Article{Recorded: publish.Recorded{Attempted: attempted}}, earlier
			a.Document = content.Document{Title: "Shoes", Slug: "shoes"}
			tt.change(&found)
			o := withClient(t, func(c *cms.Client) error {
				chosen, err := cms.ToUnpublish(c, a, []cms.Found{found}, itself)
				if chosen != nil {
					t.Errorf("%+v is taken back", chosen)
				}
				return err
			})
			if o.ErrorClass != tt.wantErr {
				t.Errorf("the error is %q: %s", o.ErrorClass, o.Message)
			}
		})
	}
}

// itself describes a post that is a description already.
func itself(f cms.Found) cms.Found { return f }

// withClient calls f in an attempt at a CMS whose clock is ahead.
func withClient(t *testing.T, f func(*cms.Client) error) publish.Outcome {
	t.Helper()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", attempted.Add(ahead).UTC().Format(http.TimeFormat))
	})
	to := target()
	to.Clock = testclock.NewFakeClock(attempted)
	return cms.Test(t.Context(), to, nil, func(ctx context.Context, c *cms.Client) (string, error) {
		if _, err := c.Do(ctx, cms.Request{Method: http.MethodGet, URL: server.URL}); err != nil {
			return "", err
		}
		return "", f(c)
	})
}
