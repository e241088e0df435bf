package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// operations returns the operations of the OpenAPI document.
func operations(context.Context) (string, error) {
	const file = "apiserver/rest/document/openapi.json"
	var document struct {
		Tags  []struct{ Name, Description string }
		Paths map[string]map[string]struct {
			Summary, Description string
			Tags                 []string
			Scopes               []string `json:"x-scopes"`
		}
	}
	if err := read(file, json.Unmarshal, &document); err != nil {
		return "", err
	}
	d := newDocument("Operations of the REST API", file,
		"What each operation is for, and the [scope](../how-to/permissions.md#scopes) that it needs. Parameters, bodies and answers\n"+
			"are at `/docs` of each installation. [REST API](rest-api.md) has what they have in common, and\n"+
			"[build an app](../how-to/build-an-app.md#get-and-use-a-token) the endpoints of OAuth.")
	for _, tag := range document.Tags {
		fmt.Fprintf(d, "\n## %s\n", tag.Name)
		d.table("operation", "scope", "")
		for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
			for _, method := range []string{"get", "post", "patch", "delete"} {
				o, found := document.Paths[path][method]
				if !found || !slices.Contains(o.Tags, tag.Name) || strings.HasPrefix(path, "/v1/public/oauth/") {
					continue
				}
				var scopes []string
				for _, scope := range o.Scopes {
					scopes = append(scopes, "`"+scope+"`")
				}
				slices.Sort(scopes)
				scope := strings.Join(scopes, " or ")
				d.row("`"+strings.ToUpper(method)+" "+path+"`", scope, cmp.Or(o.Description, o.Summary))
			}
		}
	}
	return d.String(), nil
}

// schema is a part of values.schema.json.
type schema struct {
	Description string
	Properties  map[string]schema
	Enum        []any
	Ref         string `json:"$ref"`
	Definitions map[string]schema
}

// values returns the values of the chart, with their defaults.
func values(context.Context) (string, error) {
	var root schema
	if err := read("config/chart/values.schema.json", json.Unmarshal, &root); err != nil {
		return "", err
	}
	defaults := map[string]any{}
	fromYAML := func(text []byte, into any) error { return yaml.Unmarshal(text, into) }
	if err := read("config/chart/values.yaml", fromYAML, &defaults); err != nil {
		return "", err
	}
	d := newDocument("Helm values", "`config/chart/values.schema.json` and `values.yaml`",
		"All values of the chart. [Install](../how-to/install.md#with-helm) has recipes.")
	d.table("value", "default", "")
	describe(d, "", root, root, defaults)
	return d.String(), nil
}

func describe(d *document, path string, s, root schema, value any) {
	if name, found := strings.CutPrefix(s.Ref, "#/definitions/"); found {
		description := s.Description
		s = root.Definitions[name]
		s.Description = cmp.Or(description, s.Description)
	}
	if members, ok := value.(map[string]any); ok && len(s.Properties) > 0 {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			describe(d, strings.TrimPrefix(path+"."+name, "."), s.Properties[name], root, members[name])
		}
		return
	}
	if value == nil {
		return
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte(err.Error())
	}
	d.row("`"+path+"`", "`"+string(text)+"`", s.Description)
}

func read(file string, unmarshal func([]byte, any) error, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return unmarshal(text, into)
}

// commands returns the help of the programs.
func commands(ctx context.Context) (text string, err error) {
	folder, err := os.MkdirTemp("", "refdocs")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	d := newDocument("Commands and flags", "the programs",
		"What `pressroom` and the [kubectl plugin](kubectl-plugin.md) print with `--help`.")
	for _, name := range []string{"pressroom", "kubectl-pressroom"} {
		program := filepath.Join(folder, name)
		build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/"+name)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return "", err
		}
		if err := help(ctx, d, program, strings.ReplaceAll(name, "-", " ")); err != nil {
			return "", err
		}
	}
	return d.String(), nil
}

// help adds what a command prints of itself, and then its subcommands.
func help(ctx context.Context, d *document, program, name string, args ...string) error {
	asked := exec.CommandContext(ctx, program, append(args, "--help")...)
	// Defaults that depend on the machine.
	asked.Env = []string{"HOME=$HOME"}
	output, err := asked.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	own, global, _ := strings.Cut(string(output), "\nGlobal Flags:\n")
	if len(args) > 0 {
		global = ""
	}
	fmt.Fprintf(d, "\n## %s\n\n```text\n%s\n```\n", name, strings.TrimSpace(own+global))
	_, list, _ := strings.Cut(own, "\nAvailable Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "help" && fields[0] != "completion" {
			if err := help(ctx, d, program, name+" "+fields[0], append(slices.Clone(args), fields[0])...); err != nil {
				return err
			}
		}
	}
	return nil
}
