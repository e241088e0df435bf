package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Scope is a right of a credential. The REST API and OAuth use lower case.
// +kubebuilder:validation:Enum=Read;Write;Approve;Manage
type Scope string

// The scopes.
const (
	// ScopeRead allows reading sites and articles.
	ScopeRead Scope = "Read"
	// ScopeWrite allows generating, writing, publishing, archiving and deleting articles.
	ScopeWrite Scope = "Write"
	// ScopeApprove allows approving and rejecting articles.
	ScopeApprove Scope = "Approve"
	// ScopeManage allows connecting, changing and removing sites, and making and revoking API keys. OAuth clients cannot get it.
	ScopeManage Scope = "Manage"
)

// APIKeySpec describes what an API key allows. It holds a hash and never the key, so it can be committed to Git.
// +kubebuilder:validation:XValidation:rule="self.secretHash == oldSelf.secretHash",message="secretHash may not change: create another key",fieldPath=".secretHash"
// +kubebuilder:validation:XValidation:rule="self.accountRef.name == oldSelf.accountRef.name",message="accountRef may not change: create another key",fieldPath=".accountRef"
// +kubebuilder:validation:XValidation:rule="has(self.createdByRef) == has(oldSelf.createdByRef) && (!has(self.createdByRef) || self.createdByRef == oldSelf.createdByRef)",message="createdByRef may not change",fieldPath=".createdByRef"
type APIKeySpec struct {
	// accountRef names the account that the key belongs to. It may not change.
	// +required
	AccountRef AccountReference `json:"accountRef,omitempty,omitzero"`

	// displayName is who or what uses the key, at most 200 characters. What the key approves is recorded under it, as in `newsletter tool
	// (api-key:aa3kq2vxw5ntb6ha)`.
	// +optional
	DisplayName ShortText `json:"displayName,omitempty"`

	// secretHash is the lower-case hex SHA-256 of the key's secret part. It may not change.
	// +required
	SecretHash SHA256 `json:"secretHash,omitempty"`

	// scopes are the rights of the key, at least one: Read (sites and articles), Write (generate, write, publish, archive and delete
	// articles), Approve (approve and reject them) and Manage (connect, change and remove sites; make and revoke API keys).
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=4
	Scopes []Scope `json:"scopes,omitempty"`

	// workspaces limits the key to these workspaces of the account, at most 100. If unset, the key is for all of them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=63
	Workspaces []string `json:"workspaces,omitempty"`

	// expirationTime is when the key stops working. Unset means never. OAuth grants that were given with the key go on: only deleting the
	// key ends them.
	// +optional
	ExpirationTime *Time `json:"expirationTime,omitempty"`

	// limits bound what the key may use, also through what people who sign in with it do in the dashboard, and through the OAuth grants
	// that they give.
	// +optional
	Limits APIKeyLimits `json:"limits,omitempty,omitzero"`

	// createdByRef is who made the key over the REST API or the dashboard. It may not change. One that was made with an API key is deleted
	// with that key. Unset if it was made otherwise.
	// +optional
	CreatedByRef *CreatorReference `json:"createdByRef,omitempty"`
}

// APIKeyLimits bound what an API key may use.
type APIKeyLimits struct {
	// creditsPerDay is how many credits the key may take in a UTC day, 0 to 1000000: one for each text that its requests have generated.
	// Unset means no limit of its own.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	CreditsPerDay *int32 `json:"creditsPerDay,omitempty"`
}

// APIKeyStatus shows whether the key works.
type APIKeyStatus struct {
	// The conditions, and the generation that they describe.
	Observed `json:",inline"`

	// accountUID is the metadata.uid that the account had when the controller saw the two first. Another Account of the same name, made
	// later, gives nothing.
	// +optional
	AccountUID UID `json:"accountUID,omitempty"`
}

// APIKey is a credential for the REST API. Its name is the id part of the key, which is unique in the installation. Deleting it revokes the
// key, and ends the OAuth grants that were given with it.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:selectablefield:JSONPath=`.spec.accountRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.createdByRef.name`
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:printcolumn:name="Account",type=string,JSONPath=`.spec.accountRef.name`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Scopes",type=string,JSONPath=`.spec.scopes`,priority=1
// +kubebuilder:printcolumn:name="Display Name",type=string,JSONPath=`.spec.displayName`
// +kubebuilder:printcolumn:name="Expires",type=string,JSONPath=`.spec.expirationTime`,priority=1
// +kubebuilder:printcolumn:name="Created By",type=string,JSONPath=`.spec.createdByRef.name`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z2-7]{16}$')",message="metadata.name must be the id part of the key: 16 characters of a-z and 2-7",fieldPath=".metadata"
type APIKey struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes what the key allows.
	// +required
	Spec APIKeySpec `json:"spec,omitempty,omitzero"`

	// status shows whether the key works. Its conditions: Ready, which is False if the account does not exist or the key has expired.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status APIKeyStatus `json:"status,omitempty,omitzero"`
}

// BelongsTo reports whether the key belongs to this account, and not to an earlier one with the same name.
func (k *APIKey) BelongsTo(account metav1.Object) bool {
	return sameAccount(k.Spec.AccountRef.Name, k.Status.AccountUID, account)
}

// APIKeyList is a list of API keys.
// +kubebuilder:object:root=true
type APIKeyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []APIKey `json:"items"`
}
