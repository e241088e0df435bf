//go:build e2e

package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/test/project"
)

// articlesOfUpgrade is how many articles are written and delivered meanwhile: 50 in `make e2e`, 500 in `make upgrade`.
func articlesOfUpgrade() int {
	if n, err := strconv.Atoi(os.Getenv("PRESSROOM_UPGRADE_ARTICLES")); err == nil && n > 0 {
		return n
	}
	return 50
}

// Two versions take over from each other, both ways, as helm and the Deployments do it: first the CRDs, roles and policies; then each
// program is started beside the old one, which is stopped once the new one is ready.
func TestUpgradeAndRollbackUnderLoad(t *testing.T) {
	cp, n := sharedControlPlane(t), articlesOfUpgrade()
	older, newer := olderVersion(t), version{name: "newer", folder: project.Root()}
	older.binary, newer.binary = built(t, older.folder), pressroom(t)
	i := &installation{controlPlane: cp, service: &service{}}
	values := write(t, clone, "values.yaml", "controller: {allowCIDRs: [127.0.0.0/8]}\n")
	i.run(t, "helm", "install", release, filepath.Join(older.folder, "config", "chart"), "-n", systemNamespace, "--create-namespace", "--values", values)
	i.roll(t, older)
	l := newLoad(t, i, older.binary, n)

	l.start(t)
	for turn, to := range []version{newer, older, newer} {
		l.posts.await(t, (turn+1)*n/4)
		i.change(t, to)
		i.roll(t, to)
	}
	l.awaitEnd(t)
	took := time.Since(l.began)
	l.check(t)

	byNewer := l.readAll(t)
	i.change(t, older)
	i.roll(t, older)
	l.checkTokens(t, older)
	compare(t, l.readAll(t), byNewer)
	t.Log(l.figures(took))
}

// version is a tree of the project, and the program that is built from it.
type version struct{ name, folder, binary string }

// installation is a release whose Pods run.
type installation struct {
	*controlPlane
	service    *service
	controller *process.Process
	replicas   []replica
	started    int
}

type replica struct {
	process *process.Process
	url     string
}

// change applies the manifests of a version, as docs/how-to/upgrade.md says: the newer one by an upgrade, the older one by a rollback.
func (i *installation) change(t *testing.T, to version) {
	t.Helper()
	commands := commandsOf(t, "docs/how-to/upgrade.md", "With Helm")
	if len(commands) != 2 {
		t.Fatalf("there are %d commands, want an upgrade and a rollback: %q", len(commands), commands)
	}
	command := commands[0]
	if to.name == "older" {
		command = commands[1]
	}
	i.run(t, "sh", "-euc", command)
}

// roll does what the Deployments would, if there were nodes.
func (i *installation) roll(t *testing.T, to version) {
	t.Helper()
	before := i.controller
	i.controller = i.pod(t, to, "controller").process
	i.stop(t, before)
	old := i.replicas
	i.replicas = nil
	for at := range 2 {
		started := i.pod(t, to, "apiserver")
		i.replicas = append(i.replicas, started)
		i.service.add(started.url)
		if at < len(old) {
			i.service.remove(old[at].url)
			i.stop(t, old[at].process)
		}
	}
}

func (i *installation) pod(t *testing.T, of version, program string) replica {
	t.Helper()
	free, err := ports.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i.started++
	name := fmt.Sprintf("%s-%d-%s", program, i.started, of.name)
	return replica{i.runPod(t, pod{of.binary, systemNamespace, program, name, free}), ports.URL(free.API)}
}

// stop ends a process in order, as the kubelet does.
func (i *installation) stop(t *testing.T, p *process.Process) {
	t.Helper()
	if p == nil {
		return
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
}

// olderVersion is the tree of PRESSROOM_UPGRADE_FROM, a commit or a tag; if it is empty, that of the last commit before this one.
func olderVersion(t *testing.T) version {
	t.Helper()
	asked := os.Getenv("PRESSROOM_UPGRADE_FROM")
	for _, revision := range []string{asked, "HEAD~1", "HEAD"} {
		if revision == "" {
			continue
		}
		folder, err := treeOf(t.Context(), t.TempDir(), revision)
		if err == nil {
			t.Logf("the older version is %s", revision)
			return version{name: "older", folder: folder}
		}
		if revision == asked {
			t.Fatalf("PRESSROOM_UPGRADE_FROM must name a commit or a tag: %v", err)
		}
	}
	t.Log("NO OLDER VERSION IS TESTED: there is no git history, so this version takes over from itself")
	return version{name: "older", folder: project.Root()}
}

// built builds the program of a tree as `make build` does.
func built(t *testing.T, tree string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pressroom")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags", "-s -w", "-o", path, "./cmd/pressroom")
	cmd.Dir = tree
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// treeOf writes the tree of a revision into a folder.
func treeOf(ctx context.Context, folder, revision string) (string, error) {
	git := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = project.Root()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	archive := filepath.Join(folder, "tree.tar")
	if err := git("archive", "--format=tar", "--output="+archive, revision+"^{commit}"); err != nil {
		return "", err
	}
	tree := filepath.Join(folder, "tree")
	if err := os.Mkdir(tree, 0o750); err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	if out, err := exec.CommandContext(ctx, "tar", "-xf", archive, "-C", tree).CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return tree, nil
}
