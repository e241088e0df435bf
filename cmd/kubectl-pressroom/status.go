package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"
)

// defaultSystemNamespace is where config/default installs.
const defaultSystemNamespace = "pressroom-system"

// installation has the facts that status shows.
type installation struct {
	// PluginVersion is of this program.
	PluginVersion string `json:"pluginVersion"`
	// Programs are the Deployments of the system namespace.
	Programs []program `json:"programs"`
	// Leader is the controller process that works. It is absent if there is no lease.
	Leader *leader `json:"leader,omitempty"`
	// FailingInformers are of kinds that a program cannot list or watch: it works with what it knew before.
	FailingInformers []failingInformer `json:"failingInformers"`
	// Queues count what is due, in progress, waiting or failed, by its reason.
	Queues []queue `json:"queues"`
	// FailingSites are those that Pressroom cannot publish to.
	FailingSites []failingSite `json:"failingSites"`
}

func (e *environment) newStatusCommand() *cobra.Command {
	var system, format string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the installation: versions, leader, failing informers, queues and failing sites",
		Long: `Show the installation: the versions of its programs, the leader of the controllers, the kinds that a program cannot list,
what is in the queues and why, and the sites that cannot be published to.

It is about all workspaces, and with -n about one. What you may not read is named as an error, after everything else, and the exit code
is 1. Redeliveries of published articles are not counted.`,
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
		found, unread := (&survey{session: s, system: system, now: e.clock.Now()}).read(cmd.Context())
		return errors.Join(found.print(e.Out, format), unread)
	}
	return cmd
}

// marshals are the formats of -o.
var marshals = map[string]func(any) ([]byte, error){
	"json": func(v any) ([]byte, error) { return json.MarshalIndent(v, "", "    ") },
	"yaml": yaml.Marshal,
}

func (i *installation) write(w io.Writer) error {
	programs := make([][]any, 0, 1+len(i.Programs))
	programs = append(programs, []any{"kubectl-pressroom", i.PluginVersion, "", ""})
	for _, p := range i.Programs {
		programs = append(programs, []any{p.Name, p.Version, fmt.Sprintf("%d/%d", p.Ready, p.Replicas), p.Image})
	}
	var leaders [][]any
	informers := make([][]any, 0, len(i.FailingInformers))
	queues, sites := make([][]any, 0, len(i.Queues)), make([][]any, 0, len(i.FailingSites))
	if l := i.Leader; l != nil {
		leaders = append(leaders, []any{l.Holder, l.RenewedAt, l.State})
	}
	for _, f := range i.FailingInformers {
		informers = append(informers, []any{f.Pod, f.Kind, f.Since, f.Message})
	}
	for _, q := range i.Queues {
		queues = append(queues, []any{q.Queue, q.Reason, q.Count})
	}
	for _, s := range i.FailingSites {
		sites = append(sites, []any{s.Namespace, s.Name, s.Reason, s.Message})
	}
	return errors.Join(
		section(w, []string{"Program", "Version", "Ready", "Image"}, programs, ""),
		section(w, []string{"Leader", "Renewed", "State"}, leaders, "No leader."),
		section(w, []string{"Pod", "Failing informer", "Since", "Message"}, informers, "No failing informers."),
		section(w, []string{"Queue", "Reason", "Count"}, queues, "Nothing is due."),
		section(w, []string{"Namespace", "Failing site", "Reason", "Message"}, sites, "No failing sites."),
	)
}

// section prints a table, or that it is empty, and a blank line before all but the first.
func section(w io.Writer, columns []string, rows [][]any, empty string) error {
	if columns[0] != "Program" {
		fmt.Fprintln(w)
	}
	if len(rows) == 0 {
		fmt.Fprintln(w, empty)
		return nil
	}
	return table(w, columns, rows)
}

// read reads what the caller may read. The error names the rest.
func (s *survey) read(ctx context.Context) (*installation, error) {
	found := &installation{
		PluginVersion: version, Programs: []program{}, FailingInformers: []failingInformer{}, Queues: []queue{},
		FailingSites: []failingSite{},
	}
	return found, errors.Join(s.programs(ctx, found), s.leader(ctx, found), s.informers(ctx, found), s.articles(ctx, found),
		s.events(ctx, found), s.sites(ctx, found))
}

// print prints in a format, or the tables for people.
func (i *installation) print(w io.Writer, format string) error {
	if format == "" {
		return i.write(w)
	}
	data, err := marshals[format](i)
	if err == nil {
		_, err = fmt.Fprintln(w, strings.TrimSuffix(string(data), "\n"))
	}
	return err
}
