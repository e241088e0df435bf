package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestFilesAreNamedWithTheirDigestsInTheOrderOfTheirNames(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"b.txt": "b", "charts/a.tgz": "a"} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := digests(folder)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	// By sha256sum.
	const want = `[{"digest":{"sha256":"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"},"name":"b.txt"},` +
		`{"digest":{"sha256":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},"name":"charts/a.tgz"}]`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := digests(filepath.Join(folder, "none")); err == nil {
		t.Error("a folder that is not there has no error")
	}
}

func TestTheSourceSaysWhatIsNotCommitted(t *testing.T) {
	for name, tt := range map[string]struct {
		commit  string
		changed bool
		want    string
	}{
		"a commit": {"c0ffee", false,
			`{"digest":{"gitCommit":"c0ffee"},"uri":"git+https://github.com/pressroom-dev/pressroom@c0ffee"}`},
		"a commit and changes": {"c0ffee", true,
			`{"annotations":{"changes":"the tree has changes that are not committed"},"digest":{"gitCommit":"c0ffee"},` +
				`"uri":"git+https://github.com/pressroom-dev/pressroom@c0ffee"}`},
		"no git": {"", true, `{"annotations":{"commit":"unknown"},"uri":"git+https://github.com/pressroom-dev/pressroom"}`},
	} {
		got, err := json.Marshal(source(tt.commit, tt.changed))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, tt.want)
		}
	}
}
