package article

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// imageSubject has the engine fetch a featured image. A fetch changes nothing, so status has none of its attempts, and a process fetches
// what an earlier one has not recorded in a revision.
type imageSubject struct {
	images  *Images
	article *v1alpha1.Article
	url     string
	// result of the last attempt of this process.
	result ImageResult
}

var _ attempt.Subject[ImageResult] = (*imageSubject)(nil)

// Key implements attempt.Subject.
func (s *imageSubject) Key() types.NamespacedName { return client.ObjectKeyFromObject(s.article) }

// SlotRequest implements attempt.Subject.
func (s *imageSubject) SlotRequest(ctx context.Context) (inflight.SlotRequest, error) {
	request, err := s.images.SlotRequest(ctx, s.article.Namespace, egress.Host(s.url))
	request.UID = s.article.UID
	return request, err
}

// Attempt implements attempt.Subject.
func (s *imageSubject) Attempt() string { return string(s.article.UID) + "#" + s.url }

// Prepare implements attempt.Subject.
func (s *imageSubject) Prepare(context.Context) (attempt.Plan[ImageResult], error) {
	number := s.result.number + 1
	return attempt.Plan[ImageResult]{
		Send: func(ctx context.Context) ImageResult { return s.images.fetch(ctx, s.url, number) },
	}, nil
}

// Stored says neither: the revision that waits for the image says so.
func (s *imageSubject) Stored() (blocked, outdated bool) { return false, false }

// Queued implements attempt.Subject.
func (s *imageSubject) Queued() {}

// Checking implements attempt.Subject.
func (s *imageSubject) Checking() {}

// Begin implements attempt.Subject.
func (s *imageSubject) Begin(context.Context, cycles.AttemptID) (due time.Time, err error) {
	return due, nil
}

// Span implements attempt.Subject. A fetch has no span.
func (s *imageSubject) Span(ctx context.Context) (context.Context, func(ImageResult)) {
	return ctx, func(ImageResult) {}
}

// End implements attempt.Subject.
func (s *imageSubject) End(_ context.Context, result ImageResult) (string, error) {
	s.result = result
	return "", nil
}

// Save implements attempt.Subject.
func (s *imageSubject) Save(context.Context, func()) error { return nil }
