package dashboard_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

// slowImages are fetched until they are released.
type slowImages struct {
	began, release chan struct{}

	mu        sync.Mutex
	now, most int
}

func newSlowImages() *slowImages {
	return &slowImages{began: make(chan struct{}, 100), release: make(chan struct{})}
}

func (s *slowImages) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now += n
	s.most = max(s.most, s.now)
}

func (s *slowImages) Read(context.Context, v1alpha1.RevisionImage) ([]byte, error) {
	s.count(1)
	defer s.count(-1)
	s.began <- struct{}{}
	<-s.release
	return []byte("file"), nil
}

func largest() v1alpha1.RevisionImage {
	return v1alpha1.RevisionImage{
		ArticleImage: v1alpha1.ArticleImage{URL: "https://media.acme.example/hut.png", Alt: "A hut"},
		ImageFile: v1alpha1.ImageFile{
			SHA256: strings.Repeat("1", 64), Type: "image/png", Width: 1, Height: 1, Bytes: featuredimage.MaxBytes,
		},
	}
}

func TestTheImagesOfAPersonAreFetchedOneAfterTheOther(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead)
	images := newSlowImages()
	p.Images = images
	path := pinned(p, largest())
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() { p.Want(p.Get(path), http.StatusOK, nil) })
	}
	for range 5 {
		<-images.began
		images.release <- struct{}{}
	}
	all.Wait()
	if images.most != 1 {
		t.Errorf("%d images at once", images.most)
	}
}

func TestTheImagesOfAnAccountTakeABoundedMemory(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead)
	images := newSlowImages()
	p.Images = images
	path := pinned(p, largest())
	var all sync.WaitGroup
	for _, id := range []string{"a@acme.example", "b@acme.example"} {
		p.ID = id
		all.Go(func() { p.Want(p.Get(path), http.StatusOK, nil) })
		<-images.began
	}
	p.ID = "c@acme.example"
	got := p.Get(path)
	p.Want(got, http.StatusTooManyRequests, map[string]string{"body": "Too many images at once"})
	if got.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
	close(images.release)
	all.Wait()
	p.Want(p.Get(path), http.StatusOK, nil)
}

func TestImagesAreFetchedAtABoundedRate(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead)
	images := newSlowImages()
	close(images.release)
	p.Images = images
	path := pinned(p, largest())
	shown := 0
	for p.Get(path).Status == http.StatusOK {
		shown++
	}
	if shown != 20 {
		t.Errorf("%d images were shown at once, want 20", shown)
	}
	p.ID = "b@acme.example"
	p.Want(p.Get(path), http.StatusOK, nil)
	p.ID = "mara@acme.example"
	p.API.Clock.Step(time.Second)
	p.Want(p.Get(path), http.StatusOK, nil)
}
