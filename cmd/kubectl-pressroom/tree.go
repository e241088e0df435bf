package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/xlab/treeprint"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/listing"
)

func (e *environment) newTreeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tree NAME",
		Short: "Show an article with its revisions, runs, attempts and events",
		Long: `Show an article with its revisions, its last run, the attempts to publish it, and the deliveries of its events.

With -o, the Article, its ArticleRevisions and its EventDeliveries are printed.`,
		Example: `  kubectl pressroom tree trail-shoes -n acme-blog
  kubectl pressroom tree trail-shoes -n acme-blog -o name`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: e.completeArticle,
	}
	out := newOutput(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := e.connect()
		if err != nil {
			return err
		}
		f, err := s.family(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		if !out.asked() {
			return write(e.Out, f.tree())
		}
		return printList(out, f.objects(), s.Scheme(), e.Out)
	}
	return cmd
}

// family reads an article, its revisions and its events.
func (s *session) family(ctx context.Context, name string) (*family, error) {
	f, err := s.texts(ctx, name)
	if err != nil {
		return nil, err
	}
	// Names of deliveries begin with the newest: a story is told from its beginning.
	keep := func(d *v1alpha1.EventDelivery) {
		if d.Spec.ArticleRef.Name == name {
			f.events = append([]v1alpha1.EventDelivery{*d}, f.events...)
		}
	}
	return f, listing.Each(ctx, s, &v1alpha1.EventDeliveryList{}, keep, client.InNamespace(s.namespace))
}

func (f *family) objects() []runtime.Object {
	out := make([]runtime.Object, 0, 1+len(f.revisions)+len(f.events))
	out = append(out, f.article)
	for i := range f.revisions {
		out = append(out, &f.revisions[i])
	}
	for i := range f.events {
		out = append(out, &f.events[i])
	}
	return out
}

func (f *family) tree() string {
	a := f.article
	root := treeprint.NewWithRoot(line("article/"+a.Name, string(a.Status.Phase), verdict(a.Status.Conditions, v1alpha1.ConditionReady),
		approvals(a.Status.Conditions)))
	for i := range f.revisions {
		r := &f.revisions[i]
		mark := ""
		if a.Status.Revision != nil && a.Status.Revision.Name == r.Name {
			mark = "current"
		}
		root.AddNode(line(fmt.Sprintf("revision %d", r.Spec.Number), mark, origin(r),
			fmt.Sprintf("SEO score %d", r.Spec.Scores.SEOScore), unsupported(r), r.Spec.Digest))
	}
	if g := a.Status.Run; g != nil {
		root.AddNode(line(fmt.Sprintf("run %d", g.Number), string(g.State), fmt.Sprintf("attempt %d", g.Attempt), g.Model,
			because(g.Reason, g.Message), at(&g.StartTime), next(g.NextAttemptTime)))
	}
	for _, approval := range a.Spec.Approvals {
		root.AddNode(line("approval", "by "+approval.By, approval.Note, approval.Digest))
	}
	if r := a.Spec.Review; r != nil {
		root.AddNode(line("review", string(r.Decision), "by "+r.By, r.Note, r.Digest))
	}
	if p := a.Status.Publication; p != nil {
		state := string(lifecycle.CycleOf(a).State)
		branch := root.AddBranch(line("publication", string(p.Post.State), state, p.Post.URL, at(p.Post.PublishTime)))
		attempts(branch, &p.DeliveryRecord)
	}
	for i := range f.events {
		d := &f.events[i]
		branch := root.AddBranch(line("event "+string(d.Spec.Type), "for "+d.Spec.SubscriptionRef.Name,
			verdict(d.Status.Conditions, v1alpha1.ConditionDelivered), at(&d.Spec.Time)))
		attempts(branch, &d.Status.DeliveryRecord)
	}
	return root.String()
}

// attempts adds the attempts that are kept to a branch.
func attempts(branch treeprint.Tree, r *v1alpha1.DeliveryRecord) {
	for i := range r.Attempts {
		t := &r.Attempts[i]
		answer := ""
		if t.HTTPStatus != 0 {
			answer = fmt.Sprintf("HTTP %d", t.HTTPStatus)
		}
		branch.AddNode(line(fmt.Sprintf("attempt %d of cycle %d", t.Number, t.Cycle), string(t.Outcome), answer,
			because(string(t.ErrorClass), t.Message), at(&t.StartTime)))
	}
	if r.Cycle != nil && r.Cycle.NextAttemptTime != nil {
		branch.AddNode(next(r.Cycle.NextAttemptTime))
	}
}

// line joins what is known of a node.
func line(parts ...string) string {
	known := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			known = append(known, strings.ReplaceAll(p, "\n", " "))
		}
	}
	return known[0] + strings.TrimSuffix("  "+strings.Join(known[1:], ", "), "  ")
}

func verdict(conditions []metav1.Condition, kind string) string {
	if c := meta.FindStatusCondition(conditions, kind); c != nil {
		return c.Reason
	}
	return ""
}

// approvals says how many people have approved a text that waits for more of them; empty if none does.
func approvals(conditions []metav1.Condition) string {
	if c := meta.FindStatusCondition(conditions, v1alpha1.ConditionApproved); c != nil && c.Reason == v1alpha1.ReasonAwaitingApprovals {
		return c.Message
	}
	return ""
}

func because(reason, message string) string {
	if reason != "" && message != "" {
		return reason + ": " + message
	}
	return reason + message
}

func at(t *v1alpha1.MicroTime) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func next(t *v1alpha1.MicroTime) string {
	if t == nil {
		return ""
	}
	return "next attempt at " + at(t)
}
