package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTheLayoutHasTheImageOfEachPlatformAndTheChart(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	about := file("Chart.yaml", "name: pressroom\nversion: 0.1.0\n")
	files, err := archiveOf("pressroom/Chart.yaml", about)
	if err != nil {
		t.Fatal(err)
	}
	l := layout(filepath.Join(folder, "layout"))
	programs := []string{file("pressroom-linux-amd64", "one"), file("pressroom-linux-arm64", "two")}
	if err := write(l, "v0.1.0", file("ca.crt", "authorities"), file("chart.tgz", string(files)), programs); err != nil {
		t.Fatal(err)
	}

	var top, images index
	document(t, filepath.Join(string(l), "index.json"), &top)
	names := []string{}
	for _, m := range top.Manifests {
		names = append(names, m.Annotations["org.opencontainers.image.ref.name"])
	}
	if want := []string{"v0.1.0", "chart-0.1.0"}; !slices.Equal(names, want) {
		t.Errorf("the layout has %v, want %v", names, want)
	}
	document(t, l.path(t, top.Manifests[0]), &images)
	for i, want := range []platform{{"linux", "amd64"}, {"linux", "arm64"}} {
		var image manifest
		var config imageConfig
		d := images.Manifests[i]
		document(t, l.path(t, d), &image)
		document(t, l.path(t, image.Config), &config)
		if *d.Platform != want || config.platform != want || len(config.RootFS.DiffIDs) != 1 {
			t.Errorf("the image is %+v with %+v, want one for %v", d, config, want)
		}
		l.path(t, image.Layers[0])
	}
}

// archiveOf returns a chart's archive.
func archiveOf(name, from string) ([]byte, error) {
	files, err := archive(file{name, from, 0o644})
	if err != nil {
		return nil, err
	}
	return zipped(files)
}

// path returns the path of a blob, whose digest and size must be those of its text.
func (l layout) path(t *testing.T, d descriptor) string {
	t.Helper()
	path := filepath.Join(string(l), "blobs", "sha256", d.Digest[len("sha256:"):])
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != filepath.Base(path) || len(text) != d.Size {
		t.Errorf("%s has another text, or another size than %d", path, d.Size)
	}
	return path
}

func document(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
