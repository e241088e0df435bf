package article

import (
	"context"
	"errors"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
)

// Images fetches the featured images of articles, outside of reconciles, so that a revision names the one file that may be published. A
// reviewer's browser fetches the URL again, and the preview says so.
type Images struct {
	*base.Base
	// HTTP reaches public addresses only.
	HTTP *http.Client
	// Engine makes the attempts. A fetch has no effect, so it is not written to status.
	Engine *attempt.Engine[ImageResult]
}

// ImageResult is how an attempt to fetch an image ended.
type ImageResult struct {
	file v1alpha1.ImageFile
	err  *featuredimage.Error
	// number of the attempt, from 1, and when the next one is due if it failed.
	number int32
	due    time.Time
}

// afterPanic is the number of an attempt after which an image rests for as long as it ever does.
const afterPanic = 9

// ImageResults tells the engine of images how to read results. An image on which a decoder panics rests as one that has failed often. The
// result of an image that this process has not fetched is the zero ImageResult.
func ImageResults(c clock.PassiveClock) attempt.Results[ImageResult] {
	return attempt.Results[ImageResult]{Results: inflight.Results[ImageResult]{
		TimedOut: func(r ImageResult) bool { return r.err != nil && r.err.Class == v1alpha1.ErrorTimeout },
		Panicked: func(ctx context.Context, key types.NamespacedName, value any, stack []byte) ImageResult {
			base.LogPanic(ctx, base.KindPublication, key, value, stack)
			return ImageResult{
				err: &featuredimage.Error{Class: v1alpha1.ErrorInvalidContent, Message: base.PanicMessage},
				due: c.Now().Add(backoff.Run(afterPanic, 0, 0)), number: afterPanic,
			}
		},
	}}
}

// describe adds the file that the URL of an image leads to; image may be nil. Until it is fetched, describe returns a
// *lifecycle.BlockedError. A fetch that failed is tried again later, because the file at a URL may be replaced at any time.
func (i *Images) describe(ctx context.Context, a *v1alpha1.Article, image *v1alpha1.RevisionImage) error {
	if image == nil {
		return nil
	}
	s := &imageSubject{images: i, article: a, url: image.URL}
	ended, _, err := i.Engine.Follow(ctx, s)
	switch wait := s.result.due.Sub(i.Clock.Now()); {
	case err != nil:
		return err
	case !ended:
		return fetching()
	case s.result.number > 0 && s.result.err == nil:
		image.ImageFile = s.result.file
		return nil
	case s.result.err != nil && wait > 0:
		return s.result.blocked(wait)
	}
	if _, err := i.Engine.Start(ctx, s); err != nil {
		return err
	}
	return fetching()
}

// fetch makes an attempt.
func (i *Images) fetch(ctx context.Context, url string, number int32) ImageResult {
	file, err := featuredimage.Fetcher{HTTP: i.HTTP, Clock: i.Clock}.Inspect(ctx, url)
	result := ImageResult{file: file, number: number}
	if errors.As(err, &result.err) {
		result.due = i.Clock.Now().Add(backoff.Run(number, result.err.RetryAfter, i.Random()))
	}
	return result
}

// fetching blocks a revision until its image is there. The tracker notifies the article of that, and of a free slot.
func fetching() *lifecycle.BlockedError {
	return &lifecycle.BlockedError{Reason: v1alpha1.ReasonFetchingImage, Message: "the featured image is being fetched"}
}

// blocked is the blocker of an attempt that failed.
func (r ImageResult) blocked(wait time.Duration) *lifecycle.BlockedError {
	reason := v1alpha1.ReasonImageUnavailable
	if r.err.Class == v1alpha1.ErrorInvalidContent || r.err.Class == v1alpha1.ErrorAddressBlocked {
		reason = v1alpha1.ReasonInvalidImage
	}
	return &lifecycle.BlockedError{Reason: reason, Message: r.err.Message, RetryAfter: wait}
}

// forget has the next revision fetch its image again.
func (i *Images) forget(a *v1alpha1.Article) { i.Engine.Calls.Drop(client.ObjectKeyFromObject(a)) }

// withFileOf returns a document whose image has the file of a revision, if it is the same image.
func withFileOf(doc content.Document, rev *v1alpha1.ArticleRevision) content.Document {
	if doc.Image != nil && rev.Spec.Image != nil && doc.Image.URL == rev.Spec.Image.URL {
		doc.Image.ImageFile = rev.Spec.Image.ImageFile
	}
	return doc
}

// checkImage returns the check of the image that is sent with an article; nil if there is none.
func (s *subject) checkImage(image *v1alpha1.RevisionImage) *attempt.Check[publish.Outcome] {
	if image == nil {
		return nil
	}
	return &attempt.Check[publish.Outcome]{
		ID: string(s.article.UID) + "#" + image.SHA256 + "#" + image.URL,
		Do: func(ctx context.Context) *publish.Outcome { return s.imageProblem(ctx, image) },
	}
}

// imageProblem returns the outcome of an attempt to publish an article whose image cannot be sent, because it is not the file that was
// reviewed, or cannot be fetched; nil if there is no problem.
func (s *subject) imageProblem(ctx context.Context, image *v1alpha1.RevisionImage) *publish.Outcome {
	fetcher := featuredimage.Fetcher{HTTP: s.publication.HTTP, Clock: s.base.Clock}
	problem, ok := errors.AsType[*featuredimage.Error](fetcher.Verify(ctx, *image))
	if !ok {
		return nil
	}
	final := problem.Class == v1alpha1.ErrorImageChanged || problem.Class == v1alpha1.ErrorAddressBlocked
	outcome := publish.NotSent(final, "")
	outcome.Message, outcome.RetryAfter = problem.Message, problem.RetryAfter
	if problem.Class == v1alpha1.ErrorImageChanged {
		outcome.ErrorClass = problem.Class
	}
	return &outcome
}
