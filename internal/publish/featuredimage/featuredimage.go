// Package featuredimage fetches the featured images of articles: it describes the file that a URL leads to, and finds out whether it
// still is the one that was reviewed.
package featuredimage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"image"
	_ "image/gif" // The formats that DecodeConfig knows.
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	_ "golang.org/x/image/webp" // A format that DecodeConfig knows.
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

const (
	// MaxBytes is how large an image may be.
	MaxBytes = 10 << 20
	// maxPixels bounds its width and its height.
	maxPixels = 100_000
	// timeout is how long fetching one may take.
	timeout = 30 * time.Second
)

// formats are the image formats that all CMSs take.
var formats = []string{"jpeg", "png", "webp", "gif"}

// IsType reports whether a media type is that of an image that can be used.
func IsType(mediaType string) bool {
	format, ok := strings.CutPrefix(mediaType, "image/")
	return ok && slices.Contains(formats, format)
}

// Error says why an image cannot be used.
type Error struct {
	// Class is InvalidContent for a file that is no usable image, ImageChanged for another file than the one that was reviewed,
	// AddressBlocked for an address that may not be reached, and Timeout or Unavailable for what may pass.
	Class v1alpha1.ErrorClass
	// Message is a sentence of at most MaxAttemptMessageBytes, the same for the same failure.
	Message string
	// RetryAfter is how long the host asks not to be called again; 0 if it does not ask.
	RetryAfter time.Duration
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func fail(class v1alpha1.ErrorClass, format string, args ...any) *Error {
	return &Error{Class: class, Message: fmt.Sprintf(format, args...)}
}

// Fetcher fetches images.
type Fetcher struct {
	// HTTP reaches public addresses only.
	HTTP  *http.Client
	Clock clock.PassiveClock
}

// Inspect fetches an image and describes its file. It keeps nothing of the file in memory.
func (f Fetcher) Inspect(ctx context.Context, url string) (v1alpha1.ImageFile, error) {
	var file v1alpha1.ImageFile
	err := f.fetch(ctx, url, func(body io.Reader) error {
		sum := sha256.New()
		from := &source{from: io.LimitReader(body, MaxBytes+1), to: sum}
		config, format, err := image.DecodeConfig(from)
		if from.err == nil {
			_, _ = io.Copy(io.Discard, from)
		}
		switch {
		case from.err != nil:
			return from.err
		case from.bytes > MaxBytes:
			return fail(v1alpha1.ErrorInvalidContent, "the image has more than %d MiB", MaxBytes>>20)
		case err != nil || !slices.Contains(formats, format):
			return fail(v1alpha1.ErrorInvalidContent, "the image is no JPEG, PNG, WebP or GIF")
		case min(config.Width, config.Height) < 1, max(config.Width, config.Height) > maxPixels:
			return fail(v1alpha1.ErrorInvalidContent, "the image is wider or higher than %d pixels, or has none", maxPixels)
		}
		file = v1alpha1.ImageFile{
			SHA256: hexOf(sum), Type: "image/" + format, Bytes: from.bytes,
			Width: int32(config.Width), Height: int32(config.Height), //nolint:gosec // They are within the bounds above.
		}
		return nil
	})
	return file, err
}

// Verify fetches an image and returns an error unless its file is the one that was reviewed.
func (f Fetcher) Verify(ctx context.Context, reviewed v1alpha1.RevisionImage) error {
	return f.load(ctx, reviewed, io.Discard)
}

// Read returns the file of an image, which must be the one that was reviewed.
func (f Fetcher) Read(ctx context.Context, reviewed v1alpha1.RevisionImage) ([]byte, error) {
	file := bytes.NewBuffer(make([]byte, 0, reviewed.Bytes+1))
	err := f.load(ctx, reviewed, file)
	return file.Bytes(), err
}

func (f Fetcher) load(ctx context.Context, reviewed v1alpha1.RevisionImage, to io.Writer) error {
	return f.fetch(ctx, reviewed.URL, func(body io.Reader) error {
		sum := sha256.New()
		n, err := io.Copy(io.MultiWriter(sum, to), io.LimitReader(body, reviewed.Bytes+1))
		if err == nil && (n != reviewed.Bytes || hexOf(sum) != reviewed.SHA256) {
			return fail(v1alpha1.ErrorImageChanged,
				"the image is not the approved one any more: edit the article to have the new one reviewed")
		}
		return err
	})
}

// fetch asks a host for an image, and passes its answer on.
func (f Fetcher) fetch(ctx context.Context, url string, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fail(v1alpha1.ErrorAddressBlocked, "the URL of the image cannot be read")
	}
	req.Header = http.Header{"User-Agent": {answer.UserAgent}, "Accept": {"image/*"}}
	resp, err := f.HTTP.Do(req)
	if err != nil {
		return unanswered(err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode <= 399:
		return fail(v1alpha1.ErrorInvalidContent, "the URL of the image redirects: use the address that it redirects to")
	case resp.StatusCode != http.StatusOK:
		e := fail(v1alpha1.ErrorUnavailable,
			"the image cannot be fetched: its host answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
		e.RetryAfter = answer.RetryAfter(resp.StatusCode, resp.Header, f.Clock.Now())
		return e
	}
	err = read(resp.Body)
	if _, ok := errors.AsType[*Error](err); err != nil && !ok {
		return unanswered(err)
	}
	return err
}

// unanswered describes a request without an answer, or with one that broke off.
func unanswered(err error) *Error {
	class := v1alpha1.ErrorUnavailable
	switch egress.Classify(err) {
	case egress.AddressBlocked:
		class = v1alpha1.ErrorAddressBlocked
	case egress.Timeout:
		class = v1alpha1.ErrorTimeout
	}
	return fail(class, "the image cannot be fetched: %s", egress.Describe(err))
}

// source is a file that is read. It remembers the error that ended reading it, which decoders do not pass on.
type source struct {
	from  io.Reader
	to    hash.Hash
	bytes int64
	err   error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.to.Write(p[:n])
	s.bytes += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

func hexOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }
