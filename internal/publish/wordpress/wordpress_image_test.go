package wordpress_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/connectortest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
	"github.com/pressroom-dev/pressroom/test/imagehost"
)

func newHost(t *testing.T) *imagehost.Host {
	t.Helper()
	h := imagehost.New()
	t.Cleanup(h.Close)
	return h
}

// illustrated is an article with the image of a host.
func illustrated(h *imagehost.Host) publish.Article {
	a := article()
	a.Image = h.Reviewed()
	return a
}

// expectImage expects that the media library has one file, and that the only post shows it.
func expectImage(t *testing.T, b *fakewordpress.Blog, a publish.Article) {
	t.Helper()
	posts, files := b.Posts(), b.Files()
	if len(posts) != 1 || len(files) != 1 {
		t.Fatalf("%d posts, %d files", len(posts), len(files))
	}
	f := files[0]
	if posts[0].FeaturedMedia != f.ID || f.AltText != a.Image.Alt || f.Title != "Shoes &amp; more" || f.Caption != "Mara &amp; Co." ||
		f.Type != a.Image.Type || !strings.HasPrefix(f.Name, a.Image.SHA256) || !strings.HasSuffix(f.Name, ".png") ||
		!bytes.Equal(f.File, imagehost.PNG(30, 20)) {
		t.Errorf("%+v: %+v", posts[0], f)
	}
}

func TestAPostHasItsFeaturedImage(t *testing.T) {
	b, h := newBlog(t), newHost(t)
	a := illustrated(h)
	for range 2 {
		o := send(t, siteOf(b), a)
		expectOnePost(t, b, o)
		expectImage(t, b, a)
		a = recorded(a, o)
	}
	if h.Fetched() != 1 {
		t.Errorf("the image was fetched %d times for one upload", h.Fetched())
	}
	without := article()
	without.ExternalID, without.URL, without.Recorded = a.ExternalID, a.URL, a.Recorded
	expectOnePost(t, b, send(t, siteOf(b), without))
	expectImage(t, b, a)
}

// A crash at any request leaves one file, as it leaves one post.
func TestAnImageIsUploadedOnce(t *testing.T) {
	connectortest.CutEachRequest(t, func(t *testing.T) connectortest.CMS {
		t.Helper()
		b, h := newBlog(t), newHost(t)
		a := illustrated(h)
		a.Recorded.Attempted = began
		return connectortest.CMS{
			Transport: siteOf(b).HTTP.Transport,
			Attempt: func(transport http.RoundTripper, id string) publish.Outcome {
				to := siteOf(b)
				to.HTTP = connectortest.Client(transport)
				a.ExternalID = id
				o := send(t, to, a)
				if o.Outcome == v1alpha1.AttemptAccepted {
					expectImage(t, b, a)
				}
				return o
			},
			Posts: func() int { return max(len(b.Posts()), len(b.Files())) },
		}
	})
}

func TestAnImageWithOtherWordsIsAnotherFile(t *testing.T) {
	b, h := newBlog(t), newHost(t)
	a := illustrated(h)
	other := illustrated(h)
	other.Slug, other.Title = "boots", "Boots"
	first := recorded(a, send(t, siteOf(b), a))
	send(t, siteOf(b), other)
	if posts := b.Posts(); len(b.Files()) != 1 || posts[0].FeaturedMedia != posts[1].FeaturedMedia {
		t.Errorf("two posts with the same image: %+v", posts)
	}
	b.Change(func() { b.Media[0].AltText = "What somebody has written in wp-admin" })
	first.Image.Alt = "Mended"
	send(t, siteOf(b), first)
	files := b.Files()
	if len(files) != 2 || files[1].AltText != "Mended" || b.Posts()[0].FeaturedMedia != files[1].ID || b.Posts()[1].FeaturedMedia != files[0].ID ||
		files[0].AltText != "What somebody has written in wp-admin" {
		t.Errorf("%+v: %+v", b.Posts(), files)
	}
}

func TestAnImageThatCannotBeShownIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*fakewordpress.Blog, *imagehost.Host)
		want   v1alpha1.ErrorClass
		final  bool
	}{
		"another file":      {func(_ *fakewordpress.Blog, h *imagehost.Host) { h.Put(imagehost.PNG(20, 30)) }, v1alpha1.ErrorImageChanged, true},
		"a host that fails": {func(_ *fakewordpress.Blog, h *imagehost.Host) { h.Answer(http.StatusBadGateway) }, v1alpha1.ErrorUnavailable, false},
		"no right to upload": {func(b *fakewordpress.Blog, _ *imagehost.Host) {
			b.Change(func() { b.Capabilities["upload_files"] = false })
		}, v1alpha1.ErrorMissingPermission, true},
		"posts without images": {func(b *fakewordpress.Blog, _ *imagehost.Host) { b.Change(func() { b.WithoutThumbnails = true }) }, v1alpha1.ErrorInvalidContent, true},
	} {
		t.Run(name, func(t *testing.T) {
			b, h := newBlog(t), newHost(t)
			a := illustrated(h)
			tt.change(b, h)
			o := send(t, siteOf(b), a)
			if o.ErrorClass != tt.want || o.Final != tt.final || o.Message == "" || len(o.Message) > v1alpha1.MaxAttemptMessageBytes {
				t.Errorf("%+v", o)
			}
		})
	}
}

func TestAnImageOfSomebodyElseStays(t *testing.T) {
	b, h := newBlog(t), newHost(t)
	first := recorded(article(), send(t, siteOf(b), article()))
	b.Change(func() { b.Media = append(b.Media, fakewordpress.Media{ID: 77, Slug: "mine"}) })
	b.Edit(b.Posts()[0].ID, func(p *fakewordpress.Post) { p.FeaturedMedia = 77 })
	if o := send(t, siteOf(b), first); o.Outcome != v1alpha1.AttemptAccepted || b.Posts()[0].FeaturedMedia != 77 {
		t.Errorf("an article without an image: %+v", o)
	}
	first.Image = h.Reviewed()
	if o := send(t, siteOf(b), first); o.ErrorClass != v1alpha1.ErrorChangedAtSite || b.Posts()[0].FeaturedMedia != 77 || len(b.Files()) != 1 {
		t.Errorf("an article with one: %+v, %+v", o, b.Files())
	}
}

func TestAPostWithAnImageComesBack(t *testing.T) {
	b, h := newBlog(t), newHost(t)
	a := recorded(illustrated(h), send(t, siteOf(b), illustrated(h)))
	o := unpublish(t, siteOf(b), a)
	if o.Outcome != v1alpha1.AttemptAccepted || b.Posts()[0].Status != "draft" {
		t.Fatalf("%+v: %+v", o, b.Posts())
	}
	a.Recorded.Hash = o.Hash
	expectOnePost(t, b, send(t, siteOf(b), a))
	expectImage(t, b, a)
}
