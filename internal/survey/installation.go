package survey

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/internal/table"
)

// Installation has the facts that a survey has found.
type Installation struct {
	// Programs are the Deployments of the system namespace. There are none if the programs run otherwise, as with `make run`.
	Programs []Program `json:"programs"`
	// Leader is the controller process that works. It is absent if there is no lease.
	Leader *Leader `json:"leader,omitempty"`
	// FailingInformers are of kinds that a program cannot list or watch: it works with what it knew before.
	FailingInformers []FailingInformer `json:"failingInformers"`
	// Queues count what is due, in progress, waiting or failed, by its reason. They are nil after Health.
	Queues []Queue `json:"queues"`
	// FailingSites are those that Pressroom cannot publish to. They are nil after Health.
	FailingSites []FailingSite `json:"failingSites"`
	// Unknown is what could not be read.
	Unknown []Gap `json:"unknown,omitempty"`
}

// Program is a Deployment of Pressroom.
type Program struct {
	Name  string `json:"name"`
	Image string `json:"image"`
	// Version is the tag of the image, or its digest, or latest.
	Version  string `json:"version"`
	Ready    int32  `json:"ready"`
	Replicas int32  `json:"replicas"`
}

// Leader is the controller process that holds the lease.
type Leader struct {
	Holder    string `json:"holder"`
	RenewedAt string `json:"renewedAt"`
	// State is Current, or Expired if the holder has not renewed the lease in time.
	State string `json:"state"`
}

// States of a Leader.
const (
	LeaderCurrent = "Current"
	LeaderExpired = "Expired"
)

// FailingInformer is a kind that a Pod of Pressroom cannot list or watch.
type FailingInformer struct {
	Pod     string `json:"pod"`
	Kind    string `json:"kind"`
	Since   string `json:"since"`
	Message string `json:"message"`

	seen time.Time
}

// Queue counts objects that wait for the same reason.
type Queue struct {
	// Queue is generation, publication or events.
	Queue  string `json:"queue"`
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// FailingSite is a Site with the condition that says why.
type FailingSite struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
}

// Gap is something that could not be read.
type Gap struct {
	// What is missing, such as Leader.
	What string `json:"what"`
	// Why it is, such as the right that the caller lacks.
	Why string `json:"why"`

	err error
}

// Err returns why the installation is not known to work: a Deployment is not ready, no controller leads, an informer fails, or something
// could not be read. It is nil if the installation works. Work that waits and sites that fail are not its faults.
func (i *Installation) Err() error {
	var all []error
	for _, p := range i.Programs {
		// A program that nobody wants to run does not work either.
		if want := max(p.Replicas, 1); p.Ready < want {
			all = append(all, fmt.Errorf("%s: %d of %d Pods are ready", p.Name, p.Ready, want))
		}
	}
	switch {
	case i.Leader == nil && !i.unknown(leaders):
		all = append(all, errors.New("no controller leads"))
	case i.Leader != nil && i.Leader.State == LeaderExpired:
		all = append(all, fmt.Errorf("no controller leads: %s has not renewed its lease since %s", i.Leader.Holder, i.Leader.RenewedAt))
	}
	for _, f := range i.FailingInformers {
		all = append(all, fmt.Errorf("%s cannot list or watch objects of the kind %s", f.Pod, f.Kind))
	}
	for _, gap := range i.Unknown {
		all = append(all, gap.err)
	}
	return errors.Join(all...)
}

// unknown reports whether something could not be read.
func (i *Installation) unknown(what string) bool {
	return slices.ContainsFunc(i.Unknown, func(g Gap) bool { return g.What == what })
}

// Write prints a table for each question. What could not be read is not left out: it is called unknown. own is the program that asks, with
// its name and its version, and comes first; it may be nil.
func (i *Installation) Write(w io.Writer, own *Program) error {
	var programRows, leaderRows [][]any
	informerRows := make([][]any, 0, len(i.FailingInformers))
	queueRows, siteRows := make([][]any, 0, len(i.Queues)), make([][]any, 0, len(i.FailingSites))
	if own != nil {
		programRows = append(programRows, []any{own.Name, own.Version, "", ""})
	}
	for _, p := range i.Programs {
		programRows = append(programRows, []any{p.Name, p.Version, fmt.Sprintf("%d/%d", p.Ready, p.Replicas), p.Image})
	}
	if l := i.Leader; l != nil {
		leaderRows = append(leaderRows, []any{l.Holder, l.RenewedAt, l.State})
	}
	for _, f := range i.FailingInformers {
		informerRows = append(informerRows, []any{f.Pod, f.Kind, f.Since, f.Message})
	}
	for _, q := range i.Queues {
		queueRows = append(queueRows, []any{q.Queue, q.Reason, q.Count})
	}
	for _, s := range i.FailingSites {
		siteRows = append(siteRows, []any{s.Namespace, s.Name, s.Reason, s.Message})
	}
	sections := []section{
		{[]string{"Program", "Version", "Ready", "Image"}, programRows, "No programs.", []string{programs}},
		{[]string{"Leader", "Renewed", "State"}, leaderRows, "No leader.", []string{leaders}},
		{[]string{"Pod", "Failing informer", "Since", "Message"}, informerRows, "No failing informers.", []string{failingInformers}},
	}
	if i.Queues != nil {
		sections = append(sections,
			section{[]string{"Queue", "Reason", "Count"}, queueRows, "Nothing is due.", []string{articleQueues, eventQueue}},
			section{[]string{"Namespace", "Failing site", "Reason", "Message"}, siteRows, "No failing sites.", []string{failingSites}},
		)
	}
	for at, s := range sections {
		if at > 0 {
			fmt.Fprintln(w)
		}
		if err := i.print(w, s); err != nil {
			return err
		}
	}
	return nil
}

// section is a table, or what is said in place of one without rows.
type section struct {
	columns []string
	rows    [][]any
	empty   string
	// parts are what the table is made of, each of which may be unknown.
	parts []string
}

func (i *Installation) print(w io.Writer, s section) error {
	if len(s.rows) > 0 {
		if err := table.Write(w, s.columns, s.rows); err != nil {
			return err
		}
	}
	known := true
	for _, gap := range i.Unknown {
		if slices.Contains(s.parts, gap.What) {
			known = false
			fmt.Fprintf(w, "%s: unknown (%s)\n", gap.What, gap.Why)
		}
	}
	if len(s.rows) == 0 && known {
		fmt.Fprintln(w, s.empty)
	}
	return nil
}
