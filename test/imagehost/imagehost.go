// Package imagehost serves an image to tests.
package imagehost

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Host has one image.
type Host struct {
	*httptest.Server

	mu      sync.Mutex
	file    []byte
	status  int
	fetched int
}

// New starts a host with an image of 30 by 20 pixels.
func New() *Host {
	h := &Host{file: PNG(30, 20), status: http.StatusOK}
	h.Server = httptest.NewServer(h)
	return h
}

// PNG returns a file with an image of this size.
func PNG(width, height int) []byte {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return file.Bytes()
}

// ServeHTTP implements http.Handler.
func (h *Host) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fetched++
	w.WriteHeader(h.status)
	// A client that has gone reads nothing.
	_, _ = w.Write(h.file)
}

// Put replaces the file.
func (h *Host) Put(file []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.file = file
}

// Answer has the host answer with a status from now on.
func (h *Host) Answer(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// Fetched returns how often the file was asked for.
func (h *Host) Fetched() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fetched
}

// Image returns the image as an article has it.
func (h *Host) Image() *v1alpha1.ArticleImage {
	return &v1alpha1.ArticleImage{URL: h.URL + "/shoes.png", Alt: "A pair of shoes", Credit: "Mara & Co."}
}

// Reviewed returns the image as a revision has it.
func (h *Host) Reviewed() *v1alpha1.RevisionImage {
	h.mu.Lock()
	defer h.mu.Unlock()
	sum := sha256.Sum256(h.file)
	return &v1alpha1.RevisionImage{ArticleImage: *h.Image(), ImageFile: v1alpha1.ImageFile{
		SHA256: hex.EncodeToString(sum[:]), Type: "image/png", Width: 30, Height: 20, Bytes: int64(len(h.file)),
	}}
}
