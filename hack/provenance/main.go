// Command provenance prints how the files of a folder were built: a statement of in-toto (https://in-toto.io/Statement/v1) with the
// predicate of SLSA (https://slsa.dev/provenance/v1). It is not signed: it says what the build knows of itself.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const repository = "https://github.com/pressroom-dev/pressroom"

// object is one of JSON.
type object map[string]any

func main() {
	folder := flag.String("folder", "", "the folder with the files")
	binary := flag.String("binary", "", "the program among them")
	builder := flag.String("builder", repository+"/blob/main/Makefile", "the URI of who builds")
	image := flag.String("image", "", "the image that the files name")
	version := flag.String("version", "", "the version")
	began := flag.String("began", "", "when the build began, as in RFC 3339")
	commit := flag.String("commit", "", "the commit that was built; empty without git")
	changed := flag.Bool("changed", false, "the tree has changes that are not committed")
	flag.Parse()
	err := write(*folder, *binary, object{
		"buildType":            repository + "/blob/main/docs/how-to/install.md#files-to-hand-out",
		"externalParameters":   object{"IMG": *image, "VERSION": *version},
		"resolvedDependencies": []object{source(*commit, *changed)},
	}, object{
		"builder":  object{"id": *builder},
		"metadata": object{"startedOn": *began, "finishedOn": time.Now().UTC().Format(time.RFC3339)},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write prints the statement, with the settings that the program was built with.
func write(folder, binary string, build, run object) error {
	files, err := digests(folder)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("reading how %s was built: %w", binary, err)
	}
	settings := object{"go": info.GoVersion}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	build["internalParameters"] = settings
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(object{
		"_type": "https://in-toto.io/Statement/v1", "subject": files, "predicateType": "https://slsa.dev/provenance/v1",
		"predicate": object{"buildDefinition": build, "runDetails": run},
	})
}

// digests returns the files in a folder and below it, in the order of their names.
func digests(folder string) ([]object, error) {
	var files []object
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		files = append(files, object{"name": name, "digest": object{"sha256": hex.EncodeToString(sum[:])}})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the files of %s: %w", folder, err)
	}
	return files, nil
}

// source is the commit that was built. Without git, or with changes that are not committed, it says so.
func source(commit string, changed bool) object {
	if commit == "" {
		return object{"uri": "git+" + repository, "annotations": object{"commit": "unknown"}}
	}
	s := object{"uri": "git+" + repository + "@" + commit, "digest": object{"gitCommit": commit}}
	if changed {
		s["annotations"] = object{"changes": "the tree has changes that are not committed"}
	}
	return s
}
