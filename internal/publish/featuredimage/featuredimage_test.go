package featuredimage_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
)

var loopback = egress.NewClient(egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, 0)

func fetcher(c *http.Client) featuredimage.Fetcher {
	return featuredimage.Fetcher{HTTP: c, Clock: clock.RealClock{}}
}

// encoded returns a file with an image of 30 by 20 pixels.
func encoded(t *testing.T, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{color.Black, color.White})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngFile(t *testing.T) []byte {
	t.Helper()
	return encoded(t, func(b *bytes.Buffer, i image.Image) error { return png.Encode(b, i) })
}

// padded makes a file longer, without changing its header.
func padded(file []byte, n int) []byte {
	return append(bytes.Clone(file), make([]byte, n-len(file))...)
}

// serve answers each request with a file. A file without an announced length is sent in chunks.
func serve(t *testing.T, file []byte, announced bool) string {
	t.Helper()
	return serveBy(t, func(w http.ResponseWriter, _ *http.Request) {
		if announced {
			w.Header().Set("Content-Length", strconv.Itoa(len(file)))
		}
		w.Header().Set("Content-Type", "text/plain") // The header of the file counts.
		_, _ = w.Write(file)
		w.(http.Flusher).Flush()
	})
}

func serveBy(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/shoes.jpg"
}

func sumOf(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

func TestAnImageIsKnownByItsHeader(t *testing.T) {
	webp, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file          []byte
		kind          string
		width, height int32
	}{
		{pngFile(t), "image/png", 30, 20},
		{encoded(t, func(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) }), "image/jpeg", 30, 20},
		{encoded(t, func(b *bytes.Buffer, i image.Image) error { return gif.Encode(b, i, nil) }), "image/gif", 30, 20},
		{webp, "image/webp", 1, 1},
		{padded(pngFile(t), featuredimage.MaxBytes), "image/png", 30, 20},
	} {
		want := v1alpha1.ImageFile{
			SHA256: sumOf(tt.file), Type: tt.kind, Width: tt.width, Height: tt.height, Bytes: int64(len(tt.file)),
		}
		got, err := fetcher(loopback).Inspect(t.Context(), serve(t, tt.file, true))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.kind, err, diff)
		}
	}
}

// problem is the error of an image; the zero one if it has none.
func problem(err error) featuredimage.Error {
	if e, ok := errors.AsType[*featuredimage.Error](err); ok {
		return *e
	}
	return featuredimage.Error{}
}

func TestWhatIsNoUsableImageIsRefused(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere.jpg")
			w.Header().Set("Retry-After", "70")
			w.WriteHeader(code)
		}
	}
	tooLarge := padded(pngFile(t), featuredimage.MaxBytes+1)
	for name, tt := range map[string]struct {
		url    string
		client *http.Client
		want   v1alpha1.ErrorClass
		after  time.Duration
	}{
		"a page":                        {url: serve(t, []byte("<!DOCTYPE html><title>Shoes</title>"), true), want: v1alpha1.ErrorInvalidContent},
		"an SVG":                        {url: serve(t, []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), true), want: v1alpha1.ErrorInvalidContent},
		"nothing":                       {url: serve(t, nil, true), want: v1alpha1.ErrorInvalidContent},
		"half a header":                 {url: serve(t, pngFile(t)[:20], true), want: v1alpha1.ErrorInvalidContent},
		"more than 10 MiB":              {url: serve(t, tooLarge, true), want: v1alpha1.ErrorInvalidContent},
		"more than 10 MiB, unannounced": {url: serve(t, tooLarge, false), want: v1alpha1.ErrorInvalidContent},
		"a redirect":                    {url: serveBy(t, status(302)), want: v1alpha1.ErrorInvalidContent},
		"a missing file":                {url: serveBy(t, status(404)), want: v1alpha1.ErrorUnavailable},
		"an overloaded host":            {url: serveBy(t, status(503)), want: v1alpha1.ErrorUnavailable, after: 70 * time.Second},
		"a part of a file": {url: serveBy(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(pngFile(t))
		}), want: v1alpha1.ErrorUnavailable},
		"a header that breaks off": {url: serveBy(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(pngFile(t)[:20])
		}), want: v1alpha1.ErrorUnavailable},
		"an address that is not public": {
			url: serve(t, pngFile(t), true), client: egress.NewClient(egress.Policy{}, 0), want: v1alpha1.ErrorAddressBlocked,
		},
		"an address that is none": {url: "http://a b/", want: v1alpha1.ErrorAddressBlocked},
	} {
		t.Run(name, func(t *testing.T) {
			client := loopback
			if tt.client != nil {
				client = tt.client
			}
			_, err := fetcher(client).Inspect(t.Context(), tt.url)
			if got := problem(err); got.Class != tt.want || got.RetryAfter != tt.after || got.Message == "" {
				t.Errorf("%+v, want %s", got, tt.want)
			}
			if got := problem(err).Message; len(got) > v1alpha1.MaxAttemptMessageBytes {
				t.Errorf("%q has %d bytes", got, len(got))
			}
		})
	}
}

func TestOnlyTheReviewedFileIsRead(t *testing.T) {
	file := pngFile(t)
	reviewed := v1alpha1.RevisionImage{ImageFile: v1alpha1.ImageFile{SHA256: sumOf(file), Bytes: int64(len(file))}}
	other := bytes.Clone(file)
	other[len(other)-1]++
	for name, tt := range map[string]struct {
		now  []byte
		want v1alpha1.ErrorClass
	}{
		"the same": {file, ""}, "another of the same length": {other, v1alpha1.ErrorImageChanged},
		"a longer one": {padded(file, len(file)+1), v1alpha1.ErrorImageChanged}, "a shorter one": {file[:10], v1alpha1.ErrorImageChanged},
		"one of 10 MiB and more": {padded(file, featuredimage.MaxBytes+9), v1alpha1.ErrorImageChanged},
	} {
		for _, announced := range []bool{true, false} {
			reviewed.URL = serve(t, tt.now, announced)
			if got := problem(fetcher(loopback).Verify(t.Context(), reviewed)); got.Class != tt.want || len(got.Message) > v1alpha1.MaxAttemptMessageBytes {
				t.Errorf("%s: %+v", name, got)
			}
			got, err := fetcher(loopback).Read(t.Context(), reviewed)
			if problem(err).Class != tt.want || tt.want == "" && !bytes.Equal(got, file) {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
		}
	}
}
