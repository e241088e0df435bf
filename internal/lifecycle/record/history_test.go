package record_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

var (
	digestA = "sha256:" + strings.Repeat("a", 64)
	digestB = "sha256:" + strings.Repeat("b", 64)
)

func TestTheHistoryKeepsTwoRevisionsTheGeneratedTextAndTheFirst(t *testing.T) {
	a := &v1alpha1.Article{}
	for _, row := range []struct {
		name                      string
		number                    int32
		source                    v1alpha1.RevisionSource
		wantHistory, wantDropped  []int32
		wantGenerated, wantLatest int32
	}{
		{"the first", 1, v1alpha1.SourceGenerated, nil, nil, 1, 1},
		{"after three runs that failed", 5, v1alpha1.SourceWritten, []int32{1}, nil, 1, 5},
		{"another", 6, v1alpha1.SourceWritten, []int32{5, 1}, nil, 1, 6},
		{"another", 7, v1alpha1.SourceWritten, []int32{6, 5, 1}, nil, 1, 7},
		{"more than is kept", 8, v1alpha1.SourceWritten, []int32{7, 6, 5, 1}, []int32{5}, 1, 8},
		{"what was dropped stays until it is forgotten", 9, v1alpha1.SourceWritten, []int32{8, 7, 6, 5, 1}, []int32{6, 5}, 1, 9},
		{"another generated text", 10, v1alpha1.SourceGenerated, []int32{9, 8, 7, 6, 5, 1}, []int32{7, 6, 5}, 10, 10},
	} {
		record.MakeCurrent(a, v1alpha1.CurrentRevision{Number: row.number, Source: row.source})
		if diff := cmp.Diff(row.wantHistory, a.Status.History); diff != "" {
			t.Errorf("%s: history (-want +got):\n%s", row.name, diff)
		}
		if diff := cmp.Diff(row.wantDropped, lifecycle.DroppedRevisions(a)); diff != "" {
			t.Errorf("%s: dropped (-want +got):\n%s", row.name, diff)
		}
		if a.Status.GeneratedNumber != row.wantGenerated || a.Status.LastRevisionNumber != row.wantLatest {
			t.Errorf("%s: generated %d, last %d", row.name, a.Status.GeneratedNumber, a.Status.LastRevisionNumber)
		}
	}
	record.ForgetRevisions(a, []int32{7, 6, 5})
	if diff := cmp.Diff([]int32{9, 8, 1}, a.Status.History); diff != "" {
		t.Errorf("history after the deletion (-want +got):\n%s", diff)
	}
}

func TestTheSizesAreThoseOfTheRevisionsThatAreKept(t *testing.T) {
	a := &v1alpha1.Article{}
	for _, tt := range []struct {
		source   v1alpha1.RevisionSource
		kib      int
		wantKiB  []int32
		wantText int64
	}{
		{v1alpha1.SourceGenerated, 5, []int32{0}, 0},
		{v1alpha1.SourceEdited, 2, []int32{2, 0}, 2},
		{v1alpha1.SourceWritten, 30, []int32{30, 2, 0}, 32},
		{v1alpha1.SourceWritten, 400, []int32{400, 30, 2, 0}, 432},
		{v1alpha1.SourceWritten, 1, []int32{1, 400, 30, 0, 0}, 431}, // 2 KiB are deleted
		{v1alpha1.SourceGenerated, 7, []int32{0, 1, 400, 0, 0}, 401},
	} {
		rev := &v1alpha1.ArticleRevision{Spec: v1alpha1.ArticleRevisionSpec{Number: a.Status.LastRevisionNumber + 1, Source: tt.source}}
		empty, err := json.Marshal(rev.Spec)
		if err != nil {
			t.Fatal(err)
		}
		// As JSON, the text has an escape of six bytes. A part of a KiB is a whole one.
		rev.Spec.Title = "<" + strings.Repeat("x", (tt.kib-1)<<10)
		if len(empty)+len(rev.Spec.Title) > tt.kib<<10 {
			t.Fatal("the rest of a revision is larger than a KiB")
		}
		stored := a.DeepCopy()
		for range 2 { // a write that conflicts is repeated
			a = stored.DeepCopy()
			before := a.Status.DeepCopy()
			record.ForgetRevisions(a, lifecycle.DroppedRevisions(a))
			record.MakeCurrent(a, v1alpha1.CurrentRevision{Number: rev.Spec.Number, Source: tt.source})
			record.MeasureRevision(a, before, rev)
		}
		if diff := cmp.Diff(tt.wantKiB, a.Status.RevisionKiB); diff != "" {
			t.Errorf("revision %d: sizes (-want +got):\n%s", rev.Spec.Number, diff)
		}
		if got := lifecycle.StoredTextBytes(a); got != tt.wantText<<10 {
			t.Errorf("revision %d: the text takes %d bytes, want %d KiB", rev.Spec.Number, got, tt.wantText)
		}
	}
	given := a.DeepCopy()
	record.GiveUpRevisions(given, []int32{5, 3})
	if got := given.Status; !slices.Equal(got.History, []int32{4, 1}) || !slices.Equal(got.RevisionKiB, []int32{0, 400, 0}) {
		t.Errorf("after two were given up: revisions %v of %v KiB", got.History, got.RevisionKiB)
	}
	a.Spec.Content = &v1alpha1.ArticleContent{Title: "<"}
	if got, want := lifecycle.StoredTextBytes(a), int64(401<<10+len(`{"title":"\u003c"}`)); got != want {
		t.Errorf("with the author's text, %d bytes, want %d", got, want)
	}
}

// An article that was created again with another text, and goes back to the text that its site has.
func TestTheRevisionOfTheLiveTextIsThePublishedOne(t *testing.T) {
	a := &v1alpha1.Article{Status: v1alpha1.ArticleStatus{
		Revision: &v1alpha1.CurrentRevision{Name: "shoes-1", Number: 1, Digest: digestA},
		Publication: &v1alpha1.Publication{Post: v1alpha1.SitePost{
			State: v1alpha1.PostPresent, Revision: &v1alpha1.PublicationRevision{Name: "shoes-7", Number: 7, Digest: digestB},
		}},
	}}
	record.MakeCurrent(a, v1alpha1.CurrentRevision{Name: "shoes-2", Number: 2, Digest: digestB})
	if got := a.Status.Publication.Post.Revision.Name; got != "shoes-2" {
		t.Errorf("the publication names the revision %s, want shoes-2", got)
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	a := &v1alpha1.Article{}
	for n := range int32(100) {
		record.MakeCurrent(a, v1alpha1.CurrentRevision{Number: n + 1, Source: v1alpha1.SourceWritten})
	}
	if n := len(a.Status.History); n != v1alpha1.MaxHistory {
		t.Errorf("the history has %d numbers, want %d", n, v1alpha1.MaxHistory)
	}
}
