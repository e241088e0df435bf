package conditions

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
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
	// NeedBrief is a Brief that does not exist.
	NeedBrief Need = "Brief"
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
	Blocks bool
	// Stalls means, of ConditionReady, that nothing happens without a change of the object or of one that it names.
	Stalls bool
	// NotDueYet means, of ConditionPublished, that no attempt is due.
	NotDueYet bool
	// FromCMS marks a class of what a CMS answers.
	FromCMS bool
	// UntilChange means that a delivery that failed so starts again once the Site's connection changes.
	UntilChange bool
	// WaitsFor is empty if nothing is to be done, or the work is in progress.
	WaitsFor Need
}

// Reasons has a row for each reason of a condition: `make generate` refuses a reason without one.
var Reasons = map[string]Reason{
	// Generated
	v1alpha1.ReasonGenerating:            {WaitsFor: NeedSlot},
	v1alpha1.ReasonRetryScheduled:        {WaitsFor: NeedClock},
	v1alpha1.ReasonStopped:               {WaitsFor: NeedClock},
	v1alpha1.ReasonInsufficientCredits:   {Blocks: true, WaitsFor: NeedAccount},
	v1alpha1.ReasonDailyLimitReached:     {Blocks: true, WaitsFor: NeedAccount},
	v1alpha1.ReasonNotAWorkspace:         {Blocks: true, WaitsFor: NeedAccount},
	v1alpha1.ReasonAccountNotFound:       {Blocks: true, WaitsFor: NeedAccount},
	v1alpha1.ReasonLedgerMissing:         {Blocks: true, WaitsFor: NeedAccount},
	v1alpha1.ReasonDailyTokensExceeded:   {Blocks: true, WaitsFor: NeedClock},
	v1alpha1.ReasonBudgetReached:         {Blocks: true, WaitsFor: NeedAccount},
	v1alpha1.ReasonBudgetWithoutPrices:   {Blocks: true, WaitsFor: NeedAccount},
	v1alpha1.ReasonQueued:                {Blocks: true, WaitsFor: NeedClock},
	v1alpha1.ReasonBriefNotFound:         {Blocks: true, WaitsFor: NeedBrief},
	v1alpha1.ReasonInvalidRequest:        {Blocks: true, Stalls: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonRequestRepeated:       {Blocks: true, Stalls: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonRequestRefused:        {Blocks: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonLedgerRefused:         {Blocks: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonBackendRejected:       {Blocks: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonRefused:               {WaitsFor: NeedPerson},
	v1alpha1.ReasonInvalidAnswer:         {WaitsFor: NeedPerson},
	v1alpha1.ReasonTruncated:             {WaitsFor: NeedPerson},
	v1alpha1.ReasonArticleTokensExceeded: {WaitsFor: NeedPerson},
	v1alpha1.ReasonTimeout:               {WaitsFor: NeedPerson},
	v1alpha1.ReasonBackendUnavailable:    {WaitsFor: NeedPerson},
	v1alpha1.ReasonInterrupted:           {WaitsFor: NeedPerson},
	v1alpha1.ReasonSucceeded:             {},
	v1alpha1.ReasonSuperseded:            {},

	// Approved
	v1alpha1.ReasonAwaitingReview:    {WaitsFor: NeedPerson},
	v1alpha1.ReasonAwaitingApprovals: {WaitsFor: NeedPerson},
	v1alpha1.ReasonGateFailed:        {WaitsFor: NeedPerson},
	v1alpha1.ReasonContentChanged:    {WaitsFor: NeedPerson},
	v1alpha1.ReasonRejected:          {WaitsFor: NeedPerson},
	v1alpha1.ReasonRevisionMissing:   {Blocks: true, Stalls: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonRevisionNameTaken: {Blocks: true, WaitsFor: NeedClock},
	v1alpha1.ReasonFetchingImage:     {WaitsFor: NeedSlot},
	v1alpha1.ReasonImageUnavailable:  {Blocks: true, WaitsFor: NeedClock},
	v1alpha1.ReasonInvalidImage:      {Blocks: true, Stalls: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonRevisionRefused:   {Blocks: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonApproved:          {},
	v1alpha1.ReasonAutomatic:         {},
	v1alpha1.ReasonNoRevision:        {},

	// UpToDate
	v1alpha1.ReasonUpToDate:      {},
	v1alpha1.ReasonUpdatesFrozen: {WaitsFor: NeedPerson},
	v1alpha1.ReasonSiteUncertain: {WaitsFor: NeedPerson},
	v1alpha1.ReasonPublishing:    {},
	v1alpha1.ReasonUnpublishing:  {WaitsFor: NeedSlot},

	// Published and Delivered
	v1alpha1.ReasonUnpublished:          {NotDueYet: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonNotRequested:         {NotDueYet: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonNotApproved:          {NotDueYet: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonScheduled:            {NotDueYet: true, WaitsFor: NeedClock},
	v1alpha1.ReasonSecretNotFound:       {Blocks: true, WaitsFor: NeedSecret},
	v1alpha1.ReasonInvalidSecret:        {Blocks: true, WaitsFor: NeedSecret},
	v1alpha1.ReasonPostRefused:          {Blocks: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonSlugClaimed:          {Blocks: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonDelivering:           {},
	v1alpha1.ReasonDelivered:            {},
	v1alpha1.ReasonPublished:            {},
	v1alpha1.ReasonExhausted:            {WaitsFor: NeedPerson},
	v1alpha1.ReasonAddressBlocked:       {WaitsFor: NeedPerson},
	v1alpha1.ReasonReceiverRejected:     {WaitsFor: NeedPerson},
	v1alpha1.ReasonNotSent:              {WaitsFor: NeedPerson},
	v1alpha1.ReasonNotSupportedYet:      {WaitsFor: NeedPerson},
	v1alpha1.ReasonSubscriptionNotFound: {},

	// Published and Connected, of a CMS. InvalidContent also is the reason of content that cannot become an article.
	v1alpha1.ReasonWrongCredentials:  {FromCMS: true, UntilChange: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonMissingPermission: {FromCMS: true, UntilChange: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonNotFound:          {FromCMS: true, UntilChange: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonInvalidContent:    {FromCMS: true, UntilChange: true, Stalls: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonSlugTaken:         {FromCMS: true, UntilChange: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonChangedAtSite:     {FromCMS: true, UntilChange: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonImageChanged:      {FromCMS: true, UntilChange: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonRateLimited:       {FromCMS: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonUnavailable:       {FromCMS: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonUnexpectedAnswer:  {FromCMS: true, WaitsFor: NeedPerson},

	// Connected and DestinationShared
	v1alpha1.ReasonNotTested:        {WaitsFor: NeedPerson},
	v1alpha1.ReasonTesting:          {},
	v1alpha1.ReasonReceiverAccepted: {},
	v1alpha1.ReasonConnectionFailed: {WaitsFor: NeedPerson},
	v1alpha1.ReasonOutcomeUnknown:   {WaitsFor: NeedPerson},
	v1alpha1.ReasonSameURL:          {WaitsFor: NeedPerson},

	// Ready
	v1alpha1.ReasonSiteNotFound:     {Blocks: true, NotDueYet: true, WaitsFor: NeedSite},
	v1alpha1.ReasonSuspended:        {Blocks: true, WaitsFor: NeedResume},
	v1alpha1.ReasonProgressing:      {WaitsFor: NeedSlot},
	v1alpha1.ReasonDraft:            {WaitsFor: NeedPerson},
	v1alpha1.ReasonArchived:         {WaitsFor: NeedPerson},
	v1alpha1.ReasonGenerationFailed: {Stalls: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonDeliveryFailed:   {Stalls: true, WaitsFor: NeedPerson},
	v1alpha1.ReasonRestored:         {WaitsFor: NeedPerson},
	v1alpha1.ReasonEventRefused:     {WaitsFor: NeedPerson},
	v1alpha1.ReasonAwaitingExchange: {WaitsFor: NeedPerson},
	v1alpha1.ReasonExpired:          {},
	v1alpha1.ReasonRevoked:          {},
	v1alpha1.ReasonKeyRevoked:       {},
	v1alpha1.ReasonMembershipEnded:  {},
	v1alpha1.ReasonValid:            {},
	v1alpha1.ReasonConfigured:       {},
	v1alpha1.ReasonPulled:           {},
}

// Lasts reports whether a blocker that an earlier reconcile found still stands for one that did not look for it. Whether a Site exists
// and whether something is suspended is looked up each time.
func (r Reason) Lasts() bool { return r.Blocks && r.WaitsFor != NeedSite && r.WaitsFor != NeedResume }

// FoundBeforeSlot reports whether a run looks for the blocker before it asks for a slot. The ledger's limits, the clock that ends them, and
// the Brief come after.
func (r Reason) FoundBeforeSlot() bool {
	return r.Blocks && r.WaitsFor != NeedAccount && r.WaitsFor != NeedClock && r.WaitsFor != NeedBrief
}

// ReasonOf returns the row of the reason of a condition that is False; the zero Reason if there is no such condition.
func ReasonOf(conditions []metav1.Condition, kind string) Reason {
	c := meta.FindStatusCondition(conditions, kind)
	if c == nil || c.Status != metav1.ConditionFalse {
		return Reason{}
	}
	return Reasons[c.Reason]
}
