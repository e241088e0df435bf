//go:build e2e

package install

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkSBOM holds the SBOM to what the program itself says that it was built from.
func checkSBOM(t *testing.T, dist, version string) {
	t.Helper()
	program := filepath.Join(dist, "pressroom-"+runtime.GOOS+"-"+runtime.GOARCH)
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	// The module of the kinds is a folder of the project: it has no hash, and the version of the program.
	const kinds = "github.com/pressroom-dev/pressroom/api"
	want := []string{"std@" + info.GoVersion}
	for _, module := range info.Deps {
		if module.Path == kinds {
			want = append(want, kinds+"@"+version)
			continue
		}
		if module.Replace != nil {
			module = module.Replace
		}
		want = append(want, module.Path+"@"+module.Version)
	}
	type component struct {
		Name, Version string
		Hashes        []struct{ Alg string }
	}
	var bom struct {
		BOMFormat  string
		Metadata   struct{ Component component }
		Components []component
	}
	read(t, program+".cdx.json", &bom)
	var got []string
	for _, c := range bom.Components {
		got = append(got, c.Name+"@"+c.Version)
		if c.Name != "std" && c.Name != kinds && len(c.Hashes) == 0 {
			t.Errorf("the SBOM has no hash of %s", c.Name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 50 {
		t.Errorf("the program was built from -, and the SBOM has +:\n%s", diff)
	}
	if c := bom.Metadata.Component; bom.BOMFormat != "CycloneDX" || c.Name != "github.com/pressroom-dev/pressroom" || c.Version != version {
		t.Errorf("the SBOM is a %s of %+v", bom.BOMFormat, c)
	}
}

// checkProvenance holds the provenance to the files and to git.
func (o tool) checkProvenance(t *testing.T, dist string, parameters map[string]string) {
	t.Helper()
	type resource struct {
		ID, Name, URI string
		Digest        map[string]string
	}
	var s struct {
		Type          string `json:"_type"`
		PredicateType string
		Subject       []resource
		Predicate     struct {
			BuildDefinition struct {
				BuildType                              string
				ExternalParameters, InternalParameters map[string]string
				ResolvedDependencies                   []resource
			}
			RunDetails struct {
				Builder  resource
				Metadata struct{ StartedOn, FinishedOn string }
			}
		}
	}
	read(t, filepath.Join(dist, "provenance.intoto.json"), &s)
	if s.Type != "https://in-toto.io/Statement/v1" || s.PredicateType != "https://slsa.dev/provenance/v1" {
		t.Errorf("it is a %s with a %s", s.Type, s.PredicateType)
	}
	got, want := map[string]string{}, map[string]string{}
	for _, file := range s.Subject {
		got[file.Name] = file.Digest["sha256"]
	}
	err := fs.WalkDir(os.DirFS(dist), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dist, name))
		sum := sha256.Sum256(text)
		want[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// It cannot name itself.
	delete(want, "provenance.intoto.json")
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 4 {
		t.Errorf("the files are -, and the provenance names +:\n%s", diff)
	}
	build, run := s.Predicate.BuildDefinition, s.Predicate.RunDetails
	if diff := cmp.Diff(parameters, build.ExternalParameters); diff != "" || build.InternalParameters["CGO_ENABLED"] != "0" {
		t.Errorf("the parameters are %s %v", diff, build.InternalParameters)
	}
	if build.BuildType == "" || run.Builder.ID == "" || run.Metadata.StartedOn == "" || run.Metadata.FinishedOn == "" {
		t.Errorf("something is missing in %+v", s.Predicate)
	}
	// A tree without git has no commit to name.
	if commit, err := o.try(t, nil, "git", "rev-parse", "HEAD"); err == nil && build.ResolvedDependencies[0].Digest["gitCommit"] != strings.TrimSpace(commit) {
		t.Errorf("the commit is %v, want %s", build.ResolvedDependencies, commit)
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
