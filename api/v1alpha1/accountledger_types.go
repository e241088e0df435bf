package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// AccountLedgerSpec is what an account has used. Credits, the daily limits and the rate window change together, in one compare-and-swap on
// the ledger.
// +structType=atomic
type AccountLedgerSpec struct {
	// creditsUsed is the number of credits charged so far, minus refunds.
	// +optional
	CreditsUsed Count `json:"creditsUsed,omitempty"`

	// recentCallTimes are when generate calls were accepted in the last 60 seconds, oldest first (docs/reference/contract.md, Limits).
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=60
	RecentCallTimes []MicroTime `json:"recentCallTimes,omitempty"`

	// day is the UTC day of the counts in sites, as YYYY-MM-DD.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=10
	Day string `json:"day,omitempty"`

	// sites counts the articles generated on that day, by site.
	// +optional
	// +listType=map
	// +listMapKey=workspace
	// +listMapKey=site
	// +kubebuilder:validation:MaxItems=500
	Sites []SiteUsage `json:"sites,omitempty"`

	// months has what models have used in this month and in the one before.
	// +optional
	// +listType=map
	// +listMapKey=month
	// +kubebuilder:validation:MaxItems=2
	Months []MonthUsage `json:"months,omitempty"`

	// keysToday counts the credits that API keys with spec.limits.creditsPerDay have taken on that day, at most 100 keys.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MaxItems=100
	KeysToday []KeyUsage `json:"keysToday,omitempty"`

	// pending holds charges that their Articles do not record yet.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=200
	Pending []PendingCharge `json:"pending,omitempty"`

	// refunded holds refunds that their Articles do not record yet.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=200
	Refunded []RefundedCharge `json:"refunded,omitempty"`
}

// SiteUsage counts the articles of one site on one day.
type SiteUsage struct {
	// workspace is the namespace of the site.
	// +required
	Workspace NamespaceName `json:"workspace,omitempty"`

	// site is the name of the site.
	// +required
	Site ObjectName `json:"site,omitempty"`

	// count of articles.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	Count int32 `json:"count"`

	// tokens that models used for the site on that day. Those of attempts that ended within 10 s before a controller was killed may be
	// missing.
	// +optional
	Tokens Count `json:"tokens,omitempty"`
}

// KeyUsage counts the credits that one API key has taken on one day.
type KeyUsage struct {
	// key is the name of the APIKey.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	Key string `json:"key,omitempty"`

	// count of credits. A key that has taken none is not in the list.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000
	Count int32 `json:"count,omitempty"`
}

// PendingCharge is a credit taken for a run that its Article does not record yet.
type PendingCharge struct {
	// run is the id of the run, which is the name of the revision that it will make.
	// +required
	Run ObjectName `json:"run,omitempty"`

	// workspace is the namespace of the article.
	// +required
	Workspace NamespaceName `json:"workspace,omitempty"`

	// article is the name of the article.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=200
	Article string `json:"article,omitempty"`

	// articleUID is the metadata.uid of the Article that has taken the charge over: no other may use it, and deleting that one returns
	// nothing. Unset until the controller has seen an Article for the charge.
	// +optional
	ArticleUID UID `json:"articleUID,omitempty"`

	// site is the name of the site.
	// +required
	Site ObjectName `json:"site,omitempty"`

	// time when the credit was taken.
	// +required
	Time MicroTime `json:"time,omitempty,omitzero"`

	// key is the name of the APIKey whose credits of the day count it; unset if they are not limited.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	Key string `json:"key,omitempty"`
}

// RefundedCharge is a refund that its Article does not record yet.
type RefundedCharge struct {
	// run is the id of the run whose credit was given back.
	// +required
	Run ObjectName `json:"run,omitempty"`

	// workspace is the namespace of the article.
	// +required
	Workspace NamespaceName `json:"workspace,omitempty"`

	// article is the name of the article.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=200
	Article string `json:"article,omitempty"`

	// articleUID is the metadata.uid of the article.
	// +required
	ArticleUID UID `json:"articleUID,omitempty"`
}

// AccountLedger is what the Account of its name has used. The programs alone write it, and none deletes it: an Account that was deleted and
// made again goes on with it.
// +kubebuilder:object:root=true
// +kubebuilder:ac:generate=false
// +kubebuilder:resource:scope=Cluster,shortName=ledger
// +kubebuilder:printcolumn:name="Used",type=integer,JSONPath=`.spec.creditsUsed`
// +kubebuilder:printcolumn:name="Day",type=string,JSONPath=`.spec.day`
// +kubebuilder:printcolumn:name="Last Call",type=date,JSONPath=`.spec.recentCallTimes[-1:]`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63",message="metadata.name must be at most 63 characters: it is the name of an Account",fieldPath=".metadata"
type AccountLedger struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the account has used. It is a record and not a request: without status it is in every backup.
	// +optional
	Spec AccountLedgerSpec `json:"spec,omitempty,omitzero"`
}

// AccountLedgerList is a list of ledgers.
// +kubebuilder:object:root=true
type AccountLedgerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []AccountLedger `json:"items"`
}
