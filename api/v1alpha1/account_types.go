package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// DefaultArticlesPerSitePerDay is the daily limit of a site if neither the site nor its account sets one.
const DefaultArticlesPerSitePerDay = 50

// AccountSpec describes what an account may use.
type AccountSpec struct {
	// displayName is the name of the customer that people know, at most 200 characters.
	// +optional
	DisplayName ShortText `json:"displayName,omitempty"`

	// suspend stops generating and sending for all sites of the account, as spec.suspend of each Site would. The default is false.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// sharing is Allowed or Forbidden: whether people who may write make links by which anybody reads a draft. Forbidden also stops the
	// links that there are, for as long as it is set. The default is Allowed.
	// +optional
	Sharing SharingPolicy `json:"sharing,omitempty"`

	// credits is how many articles the account may generate, counted from its creation. Unset means no limit.
	// +optional
	Credits *Count `json:"credits,omitempty"`

	// limits bound what the account may do and have.
	// +optional
	Limits AccountLimits `json:"limits,omitempty,omitzero"`

	// budget bounds what models may use for the account in a month. Unset means no limit.
	// +optional
	Budget *AccountBudget `json:"budget,omitempty"`

	// members are the people who may sign in to the account with OpenID Connect, at most 200. A person whom several entries name has the
	// rights of all of them.
	// +optional
	// +listType=map
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=200
	Members []AccountMember `json:"members,omitempty"`
}

// SharingPolicy says whether drafts are shown to people without an account.
// +kubebuilder:validation:Enum=Allowed;Forbidden
type SharingPolicy string

// The policies of sharing.
const (
	// SharingAllowed lets people who may write make share links.
	SharingAllowed SharingPolicy = "Allowed"
	// SharingForbidden lets nobody make share links, and none opens.
	SharingForbidden SharingPolicy = "Forbidden"
)

// MemberKind says what the name of a member means.
// +kubebuilder:validation:Enum=User;Group
type MemberKind string

// The kinds of members.
const (
	// MemberUser is a person. The name is their e-mail address, which the issuer must have verified, in lower case.
	MemberUser MemberKind = "User"
	// MemberGroup is all people in a group. The name is that of the group in the issuer's claim `groups`, byte for byte.
	MemberGroup MemberKind = "Group"
)

// AccountMember is a person or a group of people, with the rights that they have and may grant to OAuth clients.
// +kubebuilder:validation:XValidation:rule=`self.kind != 'User' || (size(self.name) <= 180 && self.name.matches(r'^[!-?\[-~]+@[!-?\[-~]+$'))`,message="name must be an e-mail address in lower case, of at most 180 characters, for the kind User",fieldPath=".name"
type AccountMember struct {
	// kind says what name is: User, the e-mail address of a person, or Group, a group of the issuer.
	// +required
	Kind MemberKind `json:"kind,omitempty"`

	// name is an e-mail address in lower case, at most 180 characters, which the issuer must have verified; or a group in the issuer's
	// claim `groups`, at most 200 characters, byte for byte.
	// +required
	Name ShortText `json:"name,omitempty"`

	// scopes are the rights of the member, at least one: Read (sites and articles), Write (generate, write, publish, archive and delete
	// articles), Approve (approve and reject them) and Manage (connect, change and remove sites; make and revoke API keys). OAuth clients
	// get no more than these, and never Manage.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=4
	Scopes []Scope `json:"scopes,omitempty"`
}

// AccountStatus describes whether an account can be used.
type AccountStatus struct {
	// The conditions, and the generation that they describe.
	Observed `json:",inline"`

	// confirmedUID is the metadata.uid that the annotation pressroom.dev/restore-confirmed has confirmed: the account continues, if
	// necessary with an empty ledger. A restored account has another uid.
	// +optional
	ConfirmedUID UID `json:"confirmedUID,omitempty"`

	// creditsUsed is that of the AccountLedger of the same name at creditsUsedTime. It lags by a minute at most, and nothing depends on it.
	// +optional
	CreditsUsed *Count `json:"creditsUsed,omitempty"`

	// creditsUsedTime is when creditsUsed was read.
	// +optional
	CreditsUsedTime *Time `json:"creditsUsedTime,omitempty"`

	// budget is what the account has used of its budget in this month; unset without spec.budget.
	// +optional
	Budget *AccountBudgetUsage `json:"budget,omitempty"`

	// objects are counted once a minute. The REST API refuses by them what would exceed the limits.
	// +optional
	Objects AccountObjects `json:"objects,omitempty,omitzero"`
}

// AccountObjects is how many objects of some kinds the workspaces of an account have.
type AccountObjects struct {
	// posts is the number of Posts.
	// +optional
	Posts Count `json:"posts,omitempty"`

	// idempotencyRecords is the number of Idempotency-Keys that are remembered. One whose answer is kept counts once more for each KiB of
	// that.
	// +optional
	IdempotencyRecords Count `json:"idempotencyRecords,omitempty"`

	// countTime is when they were counted.
	// +optional
	CountTime *Time `json:"countTime,omitempty"`
}

// Account is a customer: it owns workspaces, API keys and credits. Its workspaces are the namespaces whose label pressroom.dev/account has
// its name.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,shortName=acct
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Credits",type=integer,JSONPath=`.spec.credits`
// +kubebuilder:printcolumn:name="Used",type=integer,JSONPath=`.status.creditsUsed`
// +kubebuilder:printcolumn:name="Budget",type=integer,JSONPath=`.status.budget.usedPercent`,priority=1
// +kubebuilder:printcolumn:name="Suspended",type=boolean,JSONPath=`.spec.suspend`,priority=1
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,priority=1
// +kubebuilder:printcolumn:name="Display Name",type=string,JSONPath=`.spec.displayName`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63",message="metadata.name must be at most 63 characters: it is used as a label value",fieldPath=".metadata"
type Account struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the account may use.
	// +optional
	Spec AccountSpec `json:"spec,omitempty,omitzero"`

	// status is whether the account can be used. Its conditions: Ready.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status AccountStatus `json:"status,omitempty,omitzero"`
}

// AccountList is a list of accounts.
// +kubebuilder:object:root=true
type AccountList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Account `json:"items"`
}
