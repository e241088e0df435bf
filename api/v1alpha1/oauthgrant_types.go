package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// OAuthGrantSpec describes what a person consented to. It never changes.
// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a grant may not change: revoke it, and ask for another consent"
// +kubebuilder:validation:XValidation:rule="!('Manage' in self.scopes)",message="scopes may not have Manage: only API keys and members of an account may",fieldPath=".scopes"
type OAuthGrantSpec struct {
	// clientRef names the client that was granted access.
	// +required
	ClientRef LocalReference `json:"clientRef,omitempty,omitzero"`

	// accountRef names the account that access was granted to.
	// +required
	AccountRef AccountReference `json:"accountRef,omitempty,omitzero"`

	// workspaces limits the grant to these workspaces of the account, at most 100. If unset, the grant is for all of them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=63
	Workspaces []string `json:"workspaces,omitempty"`

	// person is who consented, at most 180 characters: an e-mail address, or api-key: and the id of the key that signed in. What the token
	// approves is recorded under this name and the client.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=180
	Person string `json:"person,omitempty"`

	// keyUID is the metadata.uid of the key that signed in. Another key of the same id, made later, gives nothing. Unset if a member
	// consented, and if an earlier version recorded it.
	// +optional
	KeyUID UID `json:"keyUID,omitempty"`

	// groups of the person that were members of the account at the consent, at most 200. A member by groups alone keeps the grant while the
	// account has one of them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=200
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=200
	Groups []string `json:"groups,omitempty"`

	// scopes are the rights that were granted, at least one: Read, Write and Approve, as of an OAuthClient, and never Manage. The token
	// never has more than the person has now.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Scopes []Scope `json:"scopes,omitempty"`

	// redirectURI is where the code was sent, at most 2048 characters. Redeeming the code must name it again, byte for byte.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	RedirectURI string `json:"redirectURI,omitempty"`

	// codeChallenge is the base64url of the SHA-256 of the client's code verifier (RFC 7636, method S256). Unset if the client did not use
	// PKCE.
	// +optional
	// +kubebuilder:validation:MinLength=43
	// +kubebuilder:validation:MaxLength=43
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_-]{43}$`
	CodeChallenge string `json:"codeChallenge,omitempty"`

	// codeHash is the lower-case hex SHA-256 of the secret part of the authorization code.
	// +required
	CodeHash SHA256 `json:"codeHash,omitempty"`

	// expirationTime is when the code stops working, 10 minutes after the consent.
	// +required
	ExpirationTime MicroTime `json:"expirationTime,omitempty,omitzero"`
}

// OAuthGrantStatus describes the state of the code and of its token.
type OAuthGrantStatus struct {
	// The conditions, and the generation that they describe.
	Observed `json:",inline"`

	// redemptionTime is when the code was exchanged for the token. A code is exchanged once.
	// +optional
	RedemptionTime *MicroTime `json:"redemptionTime,omitempty"`

	// tokenHash is the lower-case hex SHA-256 of the secret part of the access token.
	// +optional
	TokenHash SHA256 `json:"tokenHash,omitempty"`

	// tokenExpirationTime is when the token stops working, 365 days after the exchange.
	// +optional
	TokenExpirationTime *MicroTime `json:"tokenExpirationTime,omitempty"`

	// revocationTime is when the grant was revoked: by the person, the account or the client, because its code was used twice, or because
	// its API key, membership or account has ended.
	// +optional
	RevocationTime *MicroTime `json:"revocationTime,omitempty"`

	// lastUseTime is when the token was last used, written at most once an hour.
	// +optional
	LastUseTime *MicroTime `json:"lastUseTime,omitempty"`

	// accountUID is the metadata.uid that the account had when the controller saw the two first. Another Account of the same name, made
	// later, gives nothing.
	// +optional
	AccountUID UID `json:"accountUID,omitempty"`
}

// OAuthGrant is one consent with its authorization code and its access token: exchanging the code is one compare-and-swap. Its name is the
// id in both. The facade creates it. Deleting it ends the token.
// +kubebuilder:object:root=true
// +kubebuilder:ac:generate=false
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:selectablefield:JSONPath=`.spec.accountRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.clientRef.name`
// +kubebuilder:printcolumn:name="Client",type=string,JSONPath=`.spec.clientRef.name`
// +kubebuilder:printcolumn:name="Account",type=string,JSONPath=`.spec.accountRef.name`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Person",type=string,JSONPath=`.spec.person`
// +kubebuilder:printcolumn:name="Scopes",type=string,JSONPath=`.spec.scopes`,priority=1
// +kubebuilder:printcolumn:name="Expires",type=string,JSONPath=`.status.tokenExpirationTime`,priority=1
// +kubebuilder:printcolumn:name="Last Used",type=date,JSONPath=`.status.lastUseTime`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z2-7]{16}$')",message="metadata.name must be the id part of the code and the token: 16 characters of a-z and 2-7",fieldPath=".metadata"
type OAuthGrant struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes what was consented to.
	// +required
	Spec OAuthGrantSpec `json:"spec,omitempty,omitzero"`

	// status describes the state of the grant. Its conditions: Ready, which is True while its token works.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status OAuthGrantStatus `json:"status,omitempty,omitzero"`
}

// BelongsTo reports whether the grant gives access to this account, and not to an earlier one with the same name.
func (g *OAuthGrant) BelongsTo(account metav1.Object) bool {
	return sameAccount(g.Spec.AccountRef.Name, g.Status.AccountUID, account)
}

// sameAccount reports whether an account is the one that a reference means. The uid is empty until the controller has seen the two
// together.
func sameAccount(name, uid string, account metav1.Object) bool {
	return account.GetName() == name && (uid == "" || uid == string(account.GetUID()))
}

// GivenWith reports whether the grant was given with this API key, and not with an earlier one with the same id, where that is known.
func (g *OAuthGrant) GivenWith(key metav1.Object) bool {
	return g.Spec.KeyUID == "" || g.Spec.KeyUID == string(key.GetUID())
}

// GivenTo reports whether the grant was given to this client, and not to an earlier one with the same name.
func (g *OAuthGrant) GivenTo(client metav1.Object) bool {
	if g.Spec.ClientRef.Name != client.GetName() {
		return false
	}
	for _, owner := range g.OwnerReferences {
		if owner.Kind == "OAuthClient" && owner.Name == client.GetName() {
			return owner.UID == client.GetUID()
		}
	}
	return false
}

// OAuthGrantList is a list of grants.
// +kubebuilder:object:root=true
type OAuthGrantList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OAuthGrant `json:"items"`
}
