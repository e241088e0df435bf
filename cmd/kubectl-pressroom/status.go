package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/internal/survey"
)

// defaultSystemNamespace is where config/default installs.
const defaultSystemNamespace = "pressroom-system"

// installation has the facts that status shows.
type installation struct {
	// PluginVersion is of this program.
	PluginVersion string `json:"pluginVersion"`

	*survey.Installation
}

func (e *environment) newStatusCommand() *cobra.Command {
	var system, format string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the installation: versions, leader, failing informers, queues and failing sites",
		Long: `Show the installation: the versions of its programs, the leader of the controllers, the kinds that a program cannot list,
what is in the queues and why, and the sites that cannot be published to.

It is about all workspaces, and with -n about one. The exit code is 1 if the installation does not work: a program is not ready, no
controller leads, or a kind cannot be listed. It is 1, too, if you may not read all of that: the tables then say what is unknown, and which
right you lack. Work that waits, and sites that fail, do not change the exit code. Redeliveries of published articles are not counted.`,
		Example: `  kubectl pressroom status
  kubectl pressroom status -n acme-blog -o yaml`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringVar(&system, "system-namespace", defaultSystemNamespace, "namespace that Pressroom is installed in")
	cmd.Flags().StringVarP(&format, "output", "o", "", "Output format. One of: (json, yaml).")
	complete(cmd, "output", func(string) []string { return []string{"json", "yaml"} })
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if format != "" && marshals[format] == nil {
			return fmt.Errorf("--output must be json or yaml, not %q", format)
		}
		s, err := e.connect()
		if err != nil {
			return err
		}
		if *e.flags.Namespace == "" {
			s.namespace = ""
		}
		whole := &survey.Survey{Client: s, System: system, Namespace: s.namespace, Clock: e.clock}
		found := &installation{version, whole.Everything(cmd.Context())}
		return errors.Join(found.print(e.Out, format), found.Err())
	}
	return cmd
}

// marshals are the formats of -o.
var marshals = map[string]func(any) ([]byte, error){
	"json": func(v any) ([]byte, error) { return json.MarshalIndent(v, "", "    ") },
	"yaml": yaml.Marshal,
}

// print prints in a format, or the tables for people.
func (i *installation) print(w io.Writer, format string) error {
	if format == "" {
		return i.Write(w, &survey.Program{Name: "kubectl-pressroom", Version: i.PluginVersion})
	}
	data, err := marshals[format](i)
	if err == nil {
		_, err = fmt.Fprintln(w, strings.TrimSuffix(string(data), "\n"))
	}
	return err
}
