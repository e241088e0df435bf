//go:build e2e

package install

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Two releases that `make release` writes: the first one is installed from its layout as from a registry, and the second one takes over
// while an article is in review.
func TestWhatMakeReleaseWritesInstallsAndUpgrades(t *testing.T) {
	cp := sharedControlPlane(t)
	older, newer := cp.makeRelease(t, "v0.1.0"), cp.makeRelease(t, "v0.1.1")
	t.Run("with all files that it promises", func(t *testing.T) { cp.checkRelease(t, older) })
	t.Run("with an image that starts", func(t *testing.T) { cp.checkImage(t, older) })
	if t.Failed() {
		return
	}

	registry := httptest.NewServer(registryOf{older.dist, newer.dist})
	t.Cleanup(registry.Close)
	from := "oci://" + strings.TrimPrefix(registry.URL, "http://") + "/charts/pressroom"
	helm := func(verb string, r madeRelease) {
		t.Helper()
		cp.run(t, "helm", verb, release, from, "--plain-http", "--version", strings.TrimPrefix(r.version, "v"), "-n", systemNamespace, "--create-namespace")
		if got := cp.run(t, "kubectl", "get", "deployment", "-n", systemNamespace, "-o", "jsonpath={.items[*].spec.template.spec.containers[*].image}"); got !=
			r.image()+" "+r.image() {
			t.Fatalf("the Pods run %s, want %s", got, r.image())
		}
	}
	i := &installation{controlPlane: cp, service: &service{}}
	commands := frontPageCommands(t)
	decision := slices.IndexFunc(commands, func(c string) bool { return strings.Contains(c, "patch article") })
	helm("install", older)
	i.roll(t, version{name: "older", binary: older.program()})
	for _, command := range commands[1:decision] {
		cp.run(t, "sh", "-euc", command)
	}
	helm("upgrade", newer)
	i.roll(t, version{name: "newer", binary: newer.program()})
	for _, command := range commands[decision:] {
		cp.run(t, "sh", "-euc", command)
	}
	if got := cp.run(t, "kubectl", "get", "article", "first", "-n", "acme-blog", "-o", "jsonpath={.status.phase}"); got != "Published" {
		t.Errorf("the article is %s", got)
	}
}

// madeRelease is a folder that `make release` has written.
type madeRelease struct{ version, dist string }

// makeRelease makes a release. The plugin is built for the platform of the machine alone: TestTheManifestForKrewNamesTheArchives has
// others.
func (cp *controlPlane) makeRelease(t *testing.T, version string) madeRelease {
	t.Helper()
	folder := t.TempDir()
	changelog := write(t, folder, "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## ["+version[1:]+"] - 2026-12-01\n\nWords for [users](docs/README.md).\n\n## [0.0.1]\n\nOlder.\n")
	// buildah wants a path in lower case.
	r := madeRelease{version, filepath.Join(filepath.Dir(clone), "release-"+version)}
	module := write(t, folder, "go.mod", "module example.com/m\n\nrequire github.com/pressroom-dev/pressroom/api "+version+"\n")
	o := tool{env: append(slices.Clone(cp.env), "CHANGELOG="+changelog, "MODULES="+module, "DIST="+r.dist)}
	o.run(t, "make", "release", "VERSION="+version, "PLUGIN_PLATFORMS="+runtime.GOOS+"/"+runtime.GOARCH)
	return r
}

func (r madeRelease) image() string { return "ghcr.io/pressroom-dev/pressroom:" + r.version }

func (r madeRelease) program() string {
	return filepath.Join(r.dist, "pressroom-"+runtime.GOOS+"-"+runtime.GOARCH)
}

func (cp *controlPlane) checkRelease(t *testing.T, r madeRelease) {
	t.Helper()
	cp.run(t, "sh", "-euc", `cd "$1" && sha256sum --check --quiet --strict SHA256SUMS`, "sh", r.dist)
	sums := cp.run(t, "cat", filepath.Join(r.dist, "SHA256SUMS"))
	for _, name := range []string{
		"install.yaml", "pressroom-" + r.version[1:] + ".tgz", "pressroom-linux-amd64", "pressroom-linux-amd64.cdx.json", "pressroom-linux-arm64",
		"pressroom-linux-arm64.cdx.json", "kubectl-pressroom_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz", "pressroom.yaml", "oci.tar.gz",
		"pressroom-client-" + r.version[1:] + ".tgz",
	} {
		if !strings.Contains(sums, "  "+name+"\n") {
			t.Errorf("there is no checksum of %s", name)
		}
	}
	// What people download is beside the checksums: the layout is there as one file.
	if strings.Contains(sums, "  oci/") || strings.Contains(sums, "  notes.md\n") {
		t.Errorf("there are checksums of files that the release does not have:\n%s", sums)
	}
	want := "Words for [users](https://github.com/pressroom-dev/pressroom/blob/" + r.version + "/docs/README.md)."
	if notes := cp.run(t, "cat", filepath.Join(r.dist, "notes.md")); strings.TrimSpace(notes) != want {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
	checkSBOM(t, r.dist, r.version)
	cp.checkProvenance(t, r.dist, map[string]string{"IMG": r.image(), "VERSION": r.version})
}

func (cp *controlPlane) checkImage(t *testing.T, r madeRelease) {
	t.Helper()
	o := tool{env: append(slices.Clone(cp.env), "BUILDAH_ISOLATION=chroot")}
	for _, arch := range []string{"amd64", "arm64"} {
		container := strings.TrimSpace(o.run(t, "buildah", "from", "--arch", arch, "oci:"+filepath.Join(r.dist, "oci")+":"+r.version))
		t.Cleanup(func() { remove(t, "rm", container) })
		if got := strings.TrimSpace(o.run(t, "buildah", "inspect", "--format", "{{.OCIv1.Architecture}} {{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}", container)); got !=
			arch+" 65532:65532 [/pressroom]" {
			t.Errorf("the image for %s runs %q", arch, got)
		}
		if arch != runtime.GOARCH {
			continue
		}
		if out := o.run(t, "buildah", "run", container, "--", "/pressroom", "--version"); !strings.Contains(out, "pressroom version "+r.version) {
			t.Errorf("the program says %q", out)
		}
	}
}

// registryOf is a registry that has what is in the layouts of releases.
type registryOf []string

func (dists registryOf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, asked, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/"), "/pressroom/")
	kind, reference, _ := strings.Cut(asked, "/")
	for _, dist := range dists {
		var index struct {
			Manifests []struct {
				MediaType   string            `json:"mediaType"`
				Digest      string            `json:"digest"`
				Annotations map[string]string `json:"annotations"`
			} `json:"manifests"`
		}
		text, err := os.ReadFile(filepath.Join(dist, "oci", "index.json"))
		if err != nil || json.Unmarshal(text, &index) != nil {
			continue
		}
		mediaType, digest := "application/octet-stream", reference
		for _, m := range index.Manifests {
			if kind == "manifests" && (m.Digest == reference || m.Annotations["org.opencontainers.image.ref.name"] == "chart-"+reference) {
				mediaType, digest = m.MediaType, m.Digest
			}
		}
		blob, err := os.ReadFile(filepath.Join(dist, "oci", "blobs", strings.Replace(digest, ":", "/", 1)))
		if err != nil || !strings.Contains(digest, ":") {
			continue
		}
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Docker-Content-Digest", digest)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(blob))
		return
	}
	if r.URL.Path != "/v2/" {
		http.NotFound(w, r)
	}
}
