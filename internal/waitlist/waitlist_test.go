package waitlist

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// newLine returns the line of an account for which articles wait, and what is notified.
func newLine(articles int) (*List, Allowance, *[]string) {
	w, notified := New(), &[]string{}
	w.Notify(func(key types.NamespacedName) { *notified = append(*notified, key.Name) })
	in := Allowance{Account: "acme"}
	for i := range articles {
		w.Wait(in, keyOf(i))
	}
	return w, in, notified
}

func keyOf(i int) types.NamespacedName {
	return types.NamespacedName{Namespace: "w", Name: fmt.Sprintf("%05d", i)}
}

func TestAsManyAreNotifiedAsThereIsRoomFor(t *testing.T) {
	w, in, notified := newLine(90_000)
	w.Next(in, 0)
	w.Next(in, 2)
	w.Next(in, 2)
	if want := []string{"00000", "00001"}; !slices.Equal(*notified, want) {
		t.Fatalf("%d are notified: %.3q, want the first two", len(*notified), *notified)
	}
	// One takes what it waited for, the other one still waits: it stands at the end again.
	w.Leave(keyOf(0))
	w.Wait(in, keyOf(1))
	w.Next(in, 1)
	w.Leave(keyOf(2))
	w.Leave(keyOf(89_999))
	w.Next(in, 100_000)
	if got := *notified; len(got) != 90_000 || got[2] != "00002" || got[len(got)-1] != "00001" {
		t.Errorf("%d are notified, the third is %s and the last %s", len(got), got[2], got[len(got)-1])
	}
	if w.Next(Allowance{Account: "other"}, 5); len(w.Of("other")) != 0 || len(w.Of("acme")) != 1 {
		t.Error("there are lines in which nobody stands")
	}
	for i := range 90_000 {
		w.Leave(keyOf(i))
	}
	if len(w.lines)+len(w.places) != 0 {
		t.Errorf("%d lines and %d places are left", len(w.lines), len(w.places))
	}
}

// One article has a timer for all that wait for the next day.
func TestSomebodyAlwaysPolls(t *testing.T) {
	w, in, notified := newLine(3)
	if !w.Wait(in, keyOf(0)) || w.Wait(in, keyOf(1)) {
		t.Error("the first polls, and nobody else")
	}
	w.Leave(keyOf(0))
	if !slices.Equal(*notified, []string{"00001"}) || !w.Wait(in, keyOf(1)) {
		t.Errorf("%q are notified, want one that polls", *notified)
	}
	// It moves to another line: its credits are used up, too.
	w.Wait(Allowance{Account: "acme", Site: keyOf(9)}, keyOf(1))
	if !slices.Equal(*notified, []string{"00001", "00002"}) || !w.Wait(in, keyOf(2)) {
		t.Errorf("%q are notified, want one that polls", *notified)
	}
}

func TestANotifiedArticleIsKnown(t *testing.T) {
	w, in, _ := newLine(2)
	w.Next(in, 1)
	if got, ok := w.Notified(keyOf(0)); !ok || got != in {
		t.Error("the first is notified")
	}
	if _, ok := w.Notified(keyOf(1)); ok {
		t.Error("the second is not")
	}
}
