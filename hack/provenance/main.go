// Command provenance prints how the files of a folder were built: a statement of in-toto (https://in-toto.io/Statement/v1) with the
// predicate of SLSA (https://slsa.dev/provenance/v1). It is not signed: it says what the build knows of itself.
package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	repository = "https://github.com/pressroom-dev/pressroom"
	buildType  = repository + "/blob/main/docs/installing.md#files-to-hand-out"
)

func main() {
	folder := flag.String("folder", "", "the folder with the files")
	binary := flag.String("binary", "", "the program among them")
	builder := flag.String("builder", repository+"/blob/main/Makefile", "the URI of who builds")
	image := flag.String("image", "", "the image that the files name")
	version := flag.String("version", "", "the version")
	began := flag.String("began", "", "when the build began, as in RFC 3339")
	flag.Parse()
	s, err := newStatement(*folder, *binary, *builder, *began, map[string]string{"IMG": *image, "VERSION": *version})
	if err == nil {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		err = out.Encode(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func newStatement(folder, binary, builder, began string, parameters map[string]string) (*statement, error) {
	subjects, err := digests(folder)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, fmt.Errorf("reading how %s was built: %w", binary, err)
	}
	settings := map[string]string{"go": info.GoVersion}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	return &statement{
		Type: "https://in-toto.io/Statement/v1", Subject: subjects, PredicateType: "https://slsa.dev/provenance/v1",
		Predicate: predicate{
			BuildDefinition: buildDefinition{
				BuildType: buildType, ExternalParameters: parameters, InternalParameters: settings,
				ResolvedDependencies: []resource{source()},
			},
			RunDetails: runDetails{
				Builder: resource{ID: builder}, Metadata: metadata{StartedOn: began, FinishedOn: time.Now().UTC().Format(time.RFC3339)},
			},
		},
	}, nil
}

// digests returns the files of a folder, in the order of their names.
func digests(folder string) ([]resource, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", folder, err)
	}
	files := make([]resource, 0, len(entries))
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", entry.Name(), err)
		}
		sum := sha256.Sum256(text)
		files = append(files, resource{Name: entry.Name(), Digest: map[string]string{"sha256": hex.EncodeToString(sum[:])}})
	}
	if len(files) == 0 {
		return nil, errors.New("there are no files")
	}
	return files, nil
}

// source is the commit that was built. Without git, or with changes that are not committed, it says so.
func source() resource {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(context.Background(), "git", args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "--verify", "HEAD")
	if err != nil {
		return resource{URI: "git+" + repository, Annotations: map[string]string{"commit": "unknown"}}
	}
	s := resource{URI: "git+" + repository + "@" + commit, Digest: map[string]string{"gitCommit": commit}}
	if changed, err := git("status", "--porcelain"); err != nil || changed != "" {
		s.Annotations = map[string]string{"changes": "the tree has changes that are not committed"}
	}
	return s
}
