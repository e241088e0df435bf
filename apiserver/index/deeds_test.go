package index_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
)

const agent = "api-key:aa3kq2vxw5ntb6ha"

// deedsTable has what articles record, and what the agent did by it.
var deedsTable = map[string]struct {
	created, changed, reviewed, approved string
	want                                 index.Deeds
}{
	"nothing":                          {},
	"created":                          {created: agent, want: index.Deeds{Created: true}},
	"created by another key":           {created: "api-key:bb3kq2vxw5ntb6ha"},
	"created by an app that it let in": {created: agent + " (app claude-code)", want: index.Deeds{Created: true}},
	"created by an app of a person":    {created: "mara@acme.example (app claude-code)"},
	"changed last":                     {changed: agent, want: index.Deeds{Changed: true}},
	"changed before somebody else":     {changed: "mara@acme.example," + agent, want: index.Deeds{Changed: true}},
	"changed by others":                {changed: "mara@acme.example,api-key:bb3kq2vxw5ntb6ha"},
	"decided":                          {reviewed: "Agent (" + agent + ")", want: index.Deeds{Decided: true}},
	"decided without a name":           {reviewed: agent, want: index.Deeds{Decided: true}},
	"decided through an app":           {reviewed: agent + " (app tool)", want: index.Deeds{Decided: true}},
	"approved beside others":           {reviewed: "mara@acme.example", approved: "Agent (" + agent + ")", want: index.Deeds{Decided: true}},
	"decided by a key that is named like it": {
		reviewed: agent + " (api-key:bb3kq2vxw5ntb6ha)",
	},
	"decided by a key that is named like an app of it": {
		reviewed: agent + " (app x (api-key:bb3kq2vxw5ntb6ha)",
	},
	"everything": {
		created: agent, changed: agent, reviewed: agent, want: index.Deeds{Created: true, Changed: true, Decided: true},
	},
}

func TestWhatSomebodyDidStandsInTheArticle(t *testing.T) {
	x, _ := newIndex()
	var want []string
	n := 0
	for name, tt := range deedsTable {
		a := article("w", n, "s", review)
		n++
		a.Annotations = map[string]string{}
		if tt.created != "" {
			a.Annotations[v1alpha1.CreatedByAnnotation] = tt.created
		}
		if tt.changed != "" {
			a.Annotations[v1alpha1.ChangedByAnnotation] = tt.changed
		}
		if tt.reviewed != "" {
			a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: tt.reviewed}
		}
		if tt.approved != "" {
			a.Spec.Approvals = []v1alpha1.ArticleApproval{{By: tt.approved}}
		}
		cached, err := x.Transform()(a.DeepCopy())
		if err != nil {
			t.Fatal(err)
		}
		x.Handlers().Articles.OnAdd(cached, false)
		kept := index.ArticleOf(cached.(*v1alpha1.Article), review)
		if got := kept.DeedsOf(agent); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
		if tt.want != (index.Deeds{}) {
			want = append(want, a.Name)
		}
	}
	found := walkAll(t, x, index.Query{Person: agent}, 2)
	slices.Sort(found)
	if slices.Sort(want); !slices.Equal(found, want) {
		t.Errorf("the list has %v, want %v", found, want)
	}
}
