package conditions

import (
	_ "embed" // for reasonsFile

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// Need is what must happen before an object with a reason goes on.
type Need string

const (
	// NeedAccount is a change of the account: its credits, its limits, its day, or the label that names it.
	NeedAccount Need = "Account"
	// NeedSite is a Site that does not exist.
	NeedSite Need = "Site"
	// NeedSecret is a Secret, or another value in it.
	NeedSecret Need = "Secret"
	// NeedResume is the end of a suspension.
	NeedResume Need = "Resume"
	// NeedClock is a time.
	NeedClock Need = "Clock"
	// NeedSlot is a free slot.
	NeedSlot Need = "Slot"
	// NeedPerson is a person's decision, or a change that no watch reports.
	NeedPerson Need = "Person"
)

// Reason says what follows from a condition that has it.
type Reason struct {
	// Blocks means that a step is due, and something must change before it can be done.
	Blocks bool `json:"blocks"`
	// Stalls means, of ConditionReady, that nothing happens without a change of the object or of one that it names.
	Stalls bool `json:"stalls"`
	// NotDueYet means, of ConditionPublished, that no attempt is due.
	NotDueYet bool `json:"notDueYet"`
	// FromCMS marks a class of what a CMS answers.
	FromCMS bool `json:"fromCMS"`
	// UntilChange means that a delivery that failed so starts again once the Site's connection changes.
	UntilChange bool `json:"untilChange"`
	// WaitsFor is empty if nothing is to be done, or the work is in progress.
	WaitsFor Need `json:"waitsFor"`
}

// reasonsFile has a row for each reason of a condition.
//
//go:embed reasons.yaml
var reasonsFile []byte

// Reasons has what follows from each reason of a condition. The file is part of the program, so it can be read: tests name what it has.
var Reasons = func() map[string]Reason {
	known := map[string]Reason{}
	if err := yaml.UnmarshalStrict(reasonsFile, &known); err != nil {
		return nil
	}
	return known
}()

// Lasts reports whether a blocker that an earlier reconcile found still stands for one that did not look for it. Whether a Site exists
// and whether something is suspended is looked up each time.
func (r Reason) Lasts() bool { return r.Blocks && r.WaitsFor != NeedSite && r.WaitsFor != NeedResume }

// FoundBeforeSlot reports whether a run looks for the blocker before it asks for a slot. The ledger's limits, and the clock that ends
// them, come after.
func (r Reason) FoundBeforeSlot() bool {
	return r.Blocks && r.WaitsFor != NeedAccount && r.WaitsFor != NeedClock
}

// ReasonOf returns the row of the reason of a condition that is False; the zero Reason if there is no such condition.
func ReasonOf(conditions []metav1.Condition, kind string) Reason {
	c := meta.FindStatusCondition(conditions, kind)
	if c == nil || c.Status != metav1.ConditionFalse {
		return Reason{}
	}
	return Reasons[c.Reason]
}
