package lifecycle_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestAQuietArticleGivesUpItsEarlierRevisions(t *testing.T) {
	published := now.Add(-lifecycle.QuietPeriod)
	history := func(current int32, source v1alpha1.RevisionSource, generated int32, earlier ...int32) with {
		return func(a *v1alpha1.Article) {
			s := &a.Status
			s.Revision.Number, s.Revision.Source, s.Revision.CreationTime = current, source, v1alpha1.NewMicroTime(published.Add(-time.Hour))
			s.GeneratedNumber, s.LastRevisionNumber, s.History = generated, current, earlier
			if p := s.Publication; p != nil && p.Post.Revision != nil {
				p.Post.Revision.Number, p.Post.PublishTime = current, new(v1alpha1.NewMicroTime(published))
				p.Attempts = nil
			}
		}
	}
	happened := func(at time.Time) with {
		return func(a *v1alpha1.Article) {
			a.Status.Transitions = append(a.Status.Transitions, v1alpha1.ArticleTransition{Time: v1alpha1.NewMicroTime(at)})
		}
	}
	third := history(3, v1alpha1.SourceGenerated, 3, 2)
	for _, row := range []struct {
		name    string
		changes []with
		want    []int32
		// until is when it does; zero for never.
		until time.Time
	}{
		{"after the period", []with{live, third}, []int32{2}, now},
		{"not without earlier revisions", []with{live, history(3, v1alpha1.SourceGenerated, 3)}, nil, time.Time{}},
		{"but for the generated text that was edited", []with{live, history(4, v1alpha1.SourceEdited, 2, 3, 2)}, []int32{3}, now},
		{"but for the first", []with{live, history(3, v1alpha1.SourceGenerated, 3, 2, 1)}, []int32{2}, now},
		{"not before a period without a transition", []with{live, third, happened(now.Add(-time.Hour))}, []int32{2}, now.Add(lifecycle.QuietPeriod - time.Hour)},
		{"not unless it is published", []with{approvedAndAsked, third}, nil, time.Time{}},
		{"not while another text is pending", []with{pending, func(a *v1alpha1.Article) { a.Status.History = []int32{1, 3} }}, nil, time.Time{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := article(row.changes...)
			numbers, at := lifecycle.QuietRevisions(a)
			if !slices.Equal(numbers, row.want) || !at.Equal(row.until) {
				t.Fatalf("got %v at %s, want %v at %s", numbers, at, row.want, row.until)
			}
			if len(numbers) == 0 {
				return
			}
			s := updating(v1alpha1.ReviewManual)
			for clock, want := range map[time.Time]lifecycle.Step{at.Add(-time.Second): lifecycle.Wait, at: lifecycle.GiveUpRevisions} {
				if d := lifecycle.Next(a, s, to(lifecycle.Push), clock); d.Step != want || want == lifecycle.Wait && !d.Until.Equal(at) {
					t.Errorf("at %s: %s until %s, want %s", clock, d.Step, d.Until, want)
				}
			}
		})
	}
}
