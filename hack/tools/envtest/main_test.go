package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
)

// published serves an index of one release on loopback, and its archive.
type published struct {
	*httptest.Server
	archive []byte
	sum     string
}

func publish(t *testing.T, version string, files ...string) *published {
	t.Helper()
	p := &published{archive: archive(t, files)}
	sum := sha512.Sum512(p.archive)
	p.sum = hex.EncodeToString(sum[:])
	mux := http.NewServeMux()
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	mux.HandleFunc("GET /index.yaml", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "releases:\n  v%s:\n    envtest-v%s-%s-%s.tar.gz:\n      hash: %s\n      selfLink: %s/archive\n",
			version, version, runtime.GOOS, runtime.GOARCH, p.sum, p.URL)
	})
	mux.HandleFunc("GET /archive", func(w http.ResponseWriter, _ *http.Request) { w.Write(p.archive) })
	return p
}

func archive(t *testing.T, files []string) []byte {
	t.Helper()
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	packed := tar.NewWriter(compressed)
	for _, name := range files {
		text := "#!/bin/sh\necho " + name + "\n"
		header := &tar.Header{Name: "controller-tools/envtest/" + name, Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg}
		if err := packed.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := packed.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func install(t *testing.T, index string, patience time.Duration) (folder string, err error) {
	t.Helper()
	folder = t.TempDir()
	i := installer{index: index, version: "1.37.x", folder: folder, patience: patience, say: t.Logf}
	return folder, i.install(logr.NewContext(t.Context(), logr.Discard()))
}

// entries returns the names in a folder.
func entries(t *testing.T, folder string) []string {
	t.Helper()
	found, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range found {
		names = append(names, entry.Name())
	}
	return names
}

func TestThePublishedBinariesAreInstalled(t *testing.T) {
	p := publish(t, "1.37.4", binaries...)
	folder, err := install(t, p.URL+"/index.yaml", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(entries(t, folder), " "), strings.Join(binaries, " "); got != want {
		t.Errorf("the folder holds %s, want %s", got, want)
	}
	for _, name := range binaries {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm()&0o111 == 0 {
			t.Errorf("%s: %v, %v, want it executable", name, info, err)
		}
	}
}

func TestWhatIsNotAsPublishedIsNotInstalled(t *testing.T) {
	tests := []struct {
		name    string
		version string
		change  func(*published)
		files   []string
		wantErr string
	}{
		{"another checksum", "1.37.0", func(p *published) { p.archive = append(p.archive, 0) }, binaries, "checksum mismatch"},
		{"another minor version", "1.36.0", func(*published) {}, binaries, "there is none of version 1.37.x"},
		{"a binary missing", "1.37.0", func(*published) {}, []string{"etcd", "kubectl"}, "lacks a binary"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := publish(t, tt.version, tt.files...)
			tt.change(p)
			folder, err := install(t, p.URL+"/index.yaml", time.Minute)
			if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
				t.Errorf("err = %v, want one that says %q", err, tt.wantErr)
			}
			if left := entries(t, folder); len(left) > 0 {
				t.Errorf("the folder holds %v, want nothing", left)
			}
		})
	}
}

func TestAnIndexThatDoesNotAnswerIsGivenUp(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	_, err := install(t, silent.URL, time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "does not answer within 1ms") {
		t.Errorf("err = %v, want one that says that the index does not answer", err)
	}
}

func TestAnIndexThatCannotBeReachedIsAnError(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	if _, err := install(t, gone.URL, time.Minute); err == nil || !strings.Contains(err.Error(), "unable to perform request") {
		t.Errorf("err = %v, want that of the connection", err)
	}
}
