//go:build e2e

package clients

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/test/docpage"
	"github.com/pressroom-dev/pressroom/test/program"
	"github.com/pressroom-dev/pressroom/test/project"
)

const page = "docs/how-to/generate-a-client.md"

// ours is the folder of this package, with the programs.
var ours = filepath.Join(project.Root(), "hack", "clients")

// generator is one of the page, where it has a section of its own.
type generator struct {
	section string
	// program is the file that the section links to, in hack/clients. refused.ts beside it has what its types refuse.
	program string
	// prepare gives a folder the versions of the modules of the program.
	prepare func(t *testing.T, folder, program string)
	// generated is the file or the folder that is generated.
	generated string
	// most bounds the lines that are generated; 0 for no bound.
	most int
}

var generators = []generator{
	{section: "openapi-fetch", program: "openapi-fetch/life.ts", prepare: node, generated: "pressroom.ts"},
	{section: "Hey API", program: "hey-api/life.ts", prepare: node, generated: "client"},
	{section: "oapi-codegen", program: "oapi-codegen/main.go", prepare: module, generated: "pressroom.go", most: 39000},
	{section: "ogen", program: "ogen/main.go", prepare: module, generated: "."},
}

// Anyone who calls the REST API with a generated client copies a program that the page links to, as it stands.
func TestGeneratedClientsPublishAnArticle(t *testing.T) {
	s := start(t)
	for _, g := range generators {
		t.Run(g.section, func(t *testing.T) {
			folder := t.TempDir()
			g.prepare(t, folder, g.program)
			text := g.write(t, folder)
			output := g.run(t, folder, environment(s))
			found := regexp.MustCompile(`^published ([0-9a-f-]{36})\n$`).FindStringSubmatch(output)
			if found == nil {
				t.Fatalf("the program prints %q, want the article that it has published", output)
			}
			var article struct {
				MetaTitle string `json:"meta_title"`
			}
			get(t, s, "/v1/api/blogs/"+found[1], &article)
			if article.MetaTitle != "Shoes that grip" {
				t.Errorf("the article has the meta title %q, want the edited one", article.MetaTitle)
			}
			code := read(t, filepath.Join(folder, g.generated))
			lines := strings.Count(code, "\n")
			t.Logf("%d lines generated, %d written by hand", lines, strings.Count(text, "\n"))
			if g.most > 0 && lines > g.most {
				t.Errorf("%d lines are generated, want at most %d", lines, g.most)
			}
		})
	}
}

// start starts what `make run` runs.
func start(t *testing.T) *system.System {
	t.Helper()
	root := t.TempDir()
	must(t, project.Clone(root))
	binary, err := program.Path()
	must(t, err)
	must(t, os.Symlink(binary, filepath.Join(root, "bin", "pressroom")))
	free, err := ports.Free(t.Context())
	must(t, err)
	s, err := system.Start(t.Context(), system.Options{Root: root, Folder: filepath.Join(root, ".pressroom"), Ports: free, Say: t.Logf})
	t.Cleanup(func() { must(t, s.Stop()) })
	must(t, err)
	return s
}

// environment has the variables that programs read.
func environment(s *system.System) []string {
	return append(os.Environ(), "PRESSROOM_URL="+s.APIURL(), "PRESSROOM_API_KEY="+s.APIKey, "PRESSROOM_WORKSPACE="+system.Workspace)
}

// get reads what the REST API answers to a GET.
func get(t *testing.T, s *system.System, path string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.APIURL()+path, http.NoBody)
	must(t, err)
	r.Header.Set("x-api-key", s.APIKey)
	r.Header.Set("x-workspace-id", system.Workspace)
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s", path, answer.Status)
	}
	must(t, json.NewDecoder(answer.Body).Decode(into))
}

// node makes a folder a package with the modules that `make bin/clients` has installed.
func node(t *testing.T, folder, _ string) {
	t.Helper()
	for _, name := range []string{"package.json", "tsconfig.json", "node_modules"} {
		must(t, os.Symlink(filepath.Join(project.Root(), "bin", "clients", name), filepath.Join(folder, name)))
	}
}

// module makes a folder a module with the versions of a program.
func module(t *testing.T, folder, program string) {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum"} {
		copyFile(t, filepath.Join(ours, filepath.Dir(program), name), folder)
	}
}

func copyFile(t *testing.T, name, folder string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(folder, filepath.Base(name)), []byte(read(t, name)), 0o600))
}

// write writes the program of the section into the folder, with what its types refuse, and returns the program.
func (g generator) write(t *testing.T, folder string) string {
	t.Helper()
	if !strings.Contains(read(t, filepath.Join(project.Root(), filepath.FromSlash(page))), "(../../hack/clients/"+g.program+")") {
		t.Errorf("%s does not link to %s", page, g.program)
	}
	copyFile(t, filepath.Join(ours, g.program), folder)
	if refused := filepath.Join(ours, filepath.Dir(g.program), "refused.ts"); filepath.Ext(g.program) == ".ts" {
		copyFile(t, refused, folder)
	}
	return read(t, filepath.Join(ours, g.program))
}

// run runs the commands of the section in the folder, except those that make a module and install packages. It returns what the last one
// prints.
func (g generator) run(t *testing.T, folder string, environment []string) (output string) {
	t.Helper()
	commands, err := docpage.Commands(page)
	must(t, err)
	for _, c := range commands {
		if c.Section == g.section && !installs.MatchString(c.Text) {
			output = shell(t, folder, environment, c.Text)
		}
	}
	return output
}

var installs = regexp.MustCompile(`^(npm install|go get|go mod (init|tidy))\b`)

func shell(t *testing.T, folder string, environment []string, command string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), "sh", "-c", command)
	var out, problems bytes.Buffer
	run.Dir, run.Env, run.Stdout, run.Stderr = folder, environment, &out, &problems
	if err := run.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", command, err, out.String(), problems.String())
	}
	return out.String()
}

// The pages, the lock file and the modules name the same versions.
func TestThePageNamesTheVersionsThatAreTested(t *testing.T) {
	var all strings.Builder
	for _, file := range []string{"package.json", "oapi-codegen/go.mod", "ogen/go.mod", "kinds/go.mod", "mcp/go.mod"} {
		all.WriteString(read(t, filepath.Join(ours, filepath.FromSlash(file))))
	}
	pinned := all.String()
	commands, err := docpage.Commands(page)
	must(t, err)
	for _, other := range []string{kindsPage, agentsPage} {
		more, err := docpage.Commands(other)
		must(t, err)
		commands = append(commands, more...)
	}
	named := 0
	for _, c := range commands {
		for _, found := range regexp.MustCompile(`(\S+?)(?:/cmd/\S+)?@([v\d]\S+)`).FindAllStringSubmatch(c.Text, -1) {
			named++
			if name, version := found[1], found[2]; !strings.Contains(pinned, `"`+name+`": "`+version+`"`) && !strings.Contains(pinned, name+" "+version) {
				t.Errorf("%s is not tested in the version %s", name, version)
			}
		}
	}
	const least = 15
	if named < least {
		t.Errorf("only %d versions are named: the commands are read wrongly", named)
	}
}

// The linters that users have in their pipelines find nothing, not even by their strict rules.
func TestLintersAcceptTheDocument(t *testing.T) {
	folder := t.TempDir()
	node(t, folder, "")
	must(t, os.WriteFile(filepath.Join(folder, "redocly.yaml"), []byte("extends: [recommended-strict]\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, ".spectral.yaml"), []byte("extends: spectral:oas\n"), 0o600))
	copyFile(t, filepath.Join(project.Root(), "apiserver", "rest", "document", "openapi.json"), folder)
	environment := append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	t.Log(shell(t, folder, environment, "npx redocly lint openapi.json 2>&1"))
	t.Log(shell(t, folder, environment, "npx spectral lint --fail-severity=hint openapi.json"))
}

// read returns a file, or all files of a folder.
func read(t *testing.T, path string) string {
	t.Helper()
	var all bytes.Buffer
	must(t, filepath.WalkDir(path, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		all.Write(text)
		return err
	}))
	return all.String()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
