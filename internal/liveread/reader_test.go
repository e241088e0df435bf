package liveread_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/liveread"
)

// server answers each read with the value that was stored when the read started, once the test lets it.
type server struct {
	client.Reader

	mu     sync.Mutex
	value  string
	reads  int
	answer chan error
}

func newServer() *server { return &server{value: "old", answer: make(chan error)} }

func (s *server) Get(ctx context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	s.mu.Lock()
	value := s.value
	s.reads++
	s.mu.Unlock()
	select {
	case err := <-s.answer:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	obj.SetName(key.Name)
	if secret, ok := obj.(*corev1.Secret); ok {
		secret.Data = map[string][]byte{"value": []byte(value)}
	}
	return nil
}

func (s *server) store(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = value
}

func (s *server) started() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

var key = client.ObjectKey{Namespace: "blog", Name: "webhook"}

// caller is a read in progress.
type caller struct {
	secret corev1.Secret
	err    error
}

// call starts so many reads of the Secret, and waits until they wait.
func call(ctx context.Context, r client.Reader, n int) []*caller {
	callers := make([]*caller, n)
	for i := range callers {
		c := &caller{err: errors.New("still waiting")}
		callers[i] = c
		go func() { c.err = r.Get(ctx, key, &c.secret) }()
	}
	synctest.Wait()
	return callers
}

func expect(t *testing.T, callers []*caller, want string) {
	t.Helper()
	synctest.Wait()
	for i, c := range callers {
		if got := string(c.secret.Data["value"]); c.err != nil || got != want {
			t.Errorf("caller %d got %q, %v, want %q", i, got, c.err, want)
		}
	}
}

func TestCallersShareAReadThatStartsAfterTheirCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		r := liveread.New(s)
		first := call(t.Context(), r, 1)
		s.store("new")
		later := call(t.Context(), r, 20)
		if got := s.started(); got != 1 {
			t.Fatalf("%d reads have started, want 1", got)
		}
		s.answer <- nil
		expect(t, first, "old")
		if got := s.started(); got != 2 {
			t.Fatalf("%d reads have started, want 2: one for all that called meanwhile", got)
		}
		s.answer <- nil
		expect(t, later, "new")
		again := call(t.Context(), r, 1)
		s.answer <- nil
		expect(t, again, "new")
		if got := s.started(); got != 3 {
			t.Errorf("%d reads have started, want 3: a result is not kept", got)
		}
	})
}

func TestACallerWithSinceSharesAReadThatBeganThenOrLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		r := liveread.New(s)
		before := time.Now()
		time.Sleep(time.Millisecond)
		first := call(t.Context(), r, 1)
		during := call(liveread.Since(t.Context(), before), r, 3)
		s.answer <- nil
		expect(t, slices.Concat(first, during), "old")
		expect(t, call(liveread.Since(t.Context(), before), r, 3), "old")
		if got := s.started(); got != 1 {
			t.Fatalf("%d reads have started, want 1", got)
		}

		time.Sleep(time.Millisecond)
		s.store("new")
		later := call(liveread.Since(t.Context(), time.Now()), r, 3)
		s.answer <- nil
		expect(t, later, "new")
		if got := s.started(); got != 2 {
			t.Errorf("%d reads have started, want 2: the first one began too early", got)
		}
	})
}

func TestAResultIsKeptForASecondAndAnErrorIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		r := liveread.New(s)
		since := liveread.Since(t.Context(), time.Now())
		failed := call(since, r, 1)
		s.answer <- errors.New("no connection")
		synctest.Wait()
		if failed[0].err == nil {
			t.Error("the read has no error")
		}
		again := call(since, r, 1)
		s.answer <- nil
		expect(t, again, "old")
		time.Sleep(2 * time.Second)
		last := call(since, r, 1)
		s.answer <- nil
		expect(t, last, "old")
		if got := s.started(); got != 3 {
			t.Errorf("%d reads have started, want 3", got)
		}
	})
}

func TestEachCallerHasAnObjectOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		r := liveread.New(s)
		call(t.Context(), r, 1)
		callers := call(t.Context(), r, 2)
		s.answer <- nil
		s.answer <- nil
		synctest.Wait()
		callers[0].secret.Data["value"][0] = 'x'
		expect(t, callers[1:], "old")
	})
}

func TestAnErrorIsThatOfAllWhoSharedTheRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, failed := newServer(), errors.New("no connection")
		r := liveread.New(s)
		first := call(t.Context(), r, 1)
		later := call(t.Context(), r, 2)
		s.answer <- nil
		s.answer <- failed
		expect(t, first, "old")
		for _, c := range later {
			if !errors.Is(c.err, failed) {
				t.Errorf("err = %v, want %v", c.err, failed)
			}
		}
	})
}

func TestACallerThatGivesUpEndsNoReadOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		r := liveread.New(s)
		ctx, cancel := context.WithCancel(t.Context())
		first := call(ctx, r, 1)
		later := call(t.Context(), r, 1)
		cancel()
		synctest.Wait()
		if !errors.Is(first[0].err, context.Canceled) {
			t.Errorf("err = %v, want %v", first[0].err, context.Canceled)
		}
		s.answer <- nil
		s.answer <- nil
		expect(t, later, "old")
	})
}

func TestDifferentObjectsAreReadAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		r := liveread.New(s)
		metadata := &metav1.PartialObjectMetadata{}
		metadata.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
		for _, read := range []func() error{
			func() error { return r.Get(t.Context(), key, &corev1.Secret{}) },
			func() error { return r.Get(t.Context(), key, &corev1.ConfigMap{}) },
			func() error { return r.Get(t.Context(), key, metadata) },
			func() error {
				return r.Get(t.Context(), client.ObjectKey{Namespace: "other", Name: key.Name}, &corev1.Secret{})
			},
		} {
			go func() {
				if err := read(); err != nil {
					t.Error(err)
				}
			}()
		}
		synctest.Wait()
		if got := s.started(); got != 4 {
			t.Errorf("%d reads have started, want 4", got)
		}
		for range 4 {
			s.answer <- nil
		}
		synctest.Wait()
		if metadata.Name != key.Name {
			t.Error("the metadata was not read")
		}
	})
}
