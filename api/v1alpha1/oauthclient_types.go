package v1alpha1

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ClientIDPrefix starts the client id of every registered client. The name of the OAuthClient follows.
const ClientIDPrefix = "pr_ci_"

// DocumentClientPrefix starts the name of every OAuthClient that the facade has made of a Client ID Metadata Document. A function of the
// URL of the document follows. Only a client without an account may have such a name.
const DocumentClientPrefix = "document-"

// OAuthClientType says whether a client can keep a secret (RFC 6749, section 2.1).
// +kubebuilder:validation:Enum=Confidential;Public
type OAuthClientType string

// The types of OAuth clients.
const (
	// OAuthClientConfidential is a client on a server, which authenticates with its secret.
	OAuthClientConfidential OAuthClientType = "Confidential"
	// OAuthClientPublic is a client on its users' devices: it has no secret, and must use PKCE.
	OAuthClientPublic OAuthClientType = "Public"
)

// LoopbackPort is the port that a redirect URI on the loopback interface may have.
// +kubebuilder:validation:Enum=Registered;Any
type LoopbackPort string

// The ports of redirect URIs on the loopback interface.
const (
	// LoopbackPortRegistered compares redirect URIs byte for byte.
	LoopbackPortRegistered LoopbackPort = "Registered"
	// LoopbackPortAny allows any port on 127.0.0.1 and [::1], and compares the rest byte for byte (RFC 8252, section 7.3).
	LoopbackPortAny LoopbackPort = "Any"
)

// OAuthClientSpec describes a client and its redirect URIs. It holds hashes and never a secret, so it can be committed to Git.
// +kubebuilder:validation:XValidation:rule=`self.redirectURIs.all(u, u.matches(r'^(https://[A-Za-z0-9.:\[\]-]+|http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?][!$-\[\]-~]*)?$'))`,message="redirectURIs must be https, or http on 127.0.0.1 or [::1], and may not have a fragment, user information or blanks",fieldPath=".redirectURIs"
// +kubebuilder:validation:XValidation:rule="self.type != 'Confidential' || (has(self.secrets) && size(self.secrets) > 0)",message="secrets must have at least one entry for the type Confidential",fieldPath=".secrets"
// +kubebuilder:validation:XValidation:rule="self.type != 'Public' || !has(self.secrets) || size(self.secrets) == 0",message="secrets may not have entries for the type Public",fieldPath=".secrets"
// +kubebuilder:validation:XValidation:rule="!('Manage' in self.scopes)",message="scopes may not have Manage: only API keys and members of an account may",fieldPath=".scopes"
// +kubebuilder:validation:XValidation:rule="has(self.accountRef) == has(oldSelf.accountRef) && (!has(self.accountRef) || self.accountRef.name == oldSelf.accountRef.name)",message="accountRef may not change: register another client",fieldPath=".accountRef"
// +kubebuilder:validation:XValidation:rule="self.type == oldSelf.type",message="type may not change: register another client",fieldPath=".type"
// +kubebuilder:validation:XValidation:rule="has(self.createdByRef) == has(oldSelf.createdByRef) && (!has(self.createdByRef) || self.createdByRef == oldSelf.createdByRef)",message="createdByRef may not change",fieldPath=".createdByRef"
type OAuthClientSpec struct {
	// displayName is the name that the consent page shows, 1-200 characters.
	// +required
	DisplayName ShortText `json:"displayName,omitempty"`

	// accountRef names the account that registered the client and may change it over the REST API. Unset for clients of the operator of the
	// installation. It may not change.
	// +optional
	AccountRef *AccountReference `json:"accountRef,omitempty"`

	// logoURL is the https address of the client's logo, at most 2048 characters.
	// +optional
	LogoURL HTTPSURL `json:"logoURL,omitempty"`

	// homeURL is the https address of the client's own site, at most 2048 characters.
	// +optional
	HomeURL HTTPSURL `json:"homeURL,omitempty"`

	// policyURL is the https address of the client's privacy policy, at most 2048 characters.
	// +optional
	PolicyURL HTTPSURL `json:"policyURL,omitempty"`

	// termsURL is the https address of the client's terms of service, at most 2048 characters.
	// +optional
	TermsURL HTTPSURL `json:"termsURL,omitempty"`

	// contacts are the e-mail addresses of the people who run the client, at most 10.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MinLength=3
	// +kubebuilder:validation:items:MaxLength=254
	// +kubebuilder:validation:items:Pattern=`^[^@\s]+@[^@\s]+$`
	Contacts []string `json:"contacts,omitempty"`

	// redirectURIs are the addresses that a person may be sent back to, 1-20 of at most 2048 characters: https, or http on 127.0.0.1 or
	// [::1], without fragment and user information. They are compared byte for byte.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=20
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=2048
	RedirectURIs []string `json:"redirectURIs,omitempty"`

	// loopbackPort is the port that a redirect URI on 127.0.0.1 or [::1] may have: Registered (its own) or Any, which programs on a
	// person's machine need. The default is Registered.
	// +optional
	// +kubebuilder:default=Registered
	LoopbackPort LoopbackPort `json:"loopbackPort,omitempty"`

	// scopes are the rights that the client may ask for, at least one: Read (sites and articles), Write (generate, write, publish, archive
	// and delete articles) and Approve (approve and reject them). Manage may not be asked for.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Scopes []Scope `json:"scopes,omitempty"`

	// suspend turns the client off: it cannot ask for access, and neither its secrets nor its tokens work. The default is false.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// type is Confidential for a client that can keep a secret, or Public for one that cannot, and must use PKCE. It may not change.
	// +required
	Type OAuthClientType `json:"type,omitempty"`

	// secrets of the client, at most 2. Both work: a rotation adds one, and says when the one before ends.
	// +optional
	// +listType=map
	// +listMapKey=hash
	// +kubebuilder:validation:MaxItems=2
	Secrets []OAuthClientSecret `json:"secrets,omitempty"`

	// createdByRef is who made the client over the REST API or the dashboard. It may not change. One that was made with an API key is
	// deleted with that key. Unset if it was made otherwise.
	// +optional
	CreatedByRef *CreatorReference `json:"createdByRef,omitempty"`
}

// OAuthClientSecret is a secret of a client, by its hash.
type OAuthClientSecret struct {
	// hash is the lower-case hex SHA-256 of the secret part of the secret.
	// +required
	Hash SHA256 `json:"hash,omitempty"`

	// expirationTime is when the secret stops working. Unset means never.
	// +optional
	ExpirationTime *Time `json:"expirationTime,omitempty"`
}

// ValidAt reports whether the secret works at a time.
func (s OAuthClientSecret) ValidAt(now time.Time) bool {
	return s.ExpirationTime == nil || now.Before(s.ExpirationTime.Time)
}

// OAuthClientStatus shows whether the client may be used.
type OAuthClientStatus struct {
	// The conditions, and the generation that they describe.
	Observed `json:",inline"`

	// accountUID is the metadata.uid that the account had when the controller saw the two first. Another Account of the same name, made
	// later, gives nothing.
	// +optional
	AccountUID UID `json:"accountUID,omitempty"`
}

// OAuthClient is an application that may ask people for access to their accounts. Its client id is pr_ci_ and its name, or the URL of the
// metadata document that the facade has made it of. Deleting it ends all its tokens.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:selectablefield:JSONPath=`.spec.accountRef.name`
// +kubebuilder:selectablefield:JSONPath=`.spec.createdByRef.name`
// +kubebuilder:printcolumn:name="Display Name",type=string,JSONPath=`.spec.displayName`
// +kubebuilder:printcolumn:name="Type",type=string,JSONPath=`.spec.type`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Scopes",type=string,JSONPath=`.spec.scopes`,priority=1
// +kubebuilder:printcolumn:name="Account",type=string,JSONPath=`.spec.accountRef.name`,priority=1
// +kubebuilder:printcolumn:name="Created By",type=string,JSONPath=`.spec.createdByRef.name`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$')",message="metadata.name must be a DNS label, of a-z, 0-9 and hyphens, at most 63 characters: it is part of the client id",fieldPath=".metadata"
type OAuthClient struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the client.
	// +required
	Spec OAuthClientSpec `json:"spec,omitempty,omitzero"`

	// status shows whether the client may be used. Its conditions: Ready, which is False if the client is suspended, all its secrets have
	// expired, or the account that registered it does not exist.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status OAuthClientStatus `json:"status,omitempty,omitzero"`
}

// ClientID returns the client id of OAuth: the URL of its metadata document if it has one, and otherwise a function of its name.
func (c *OAuthClient) ClientID() string {
	if url := c.DocumentURL(); url != "" {
		return url
	}
	return ClientIDPrefix + c.Name
}

// DocumentURL returns the URL of the Client ID Metadata Document that describes the client; empty if it was registered.
func (c *OAuthClient) DocumentURL() string {
	if c.Spec.AccountRef != nil || !strings.HasPrefix(c.Name, DocumentClientPrefix) {
		return ""
	}
	return c.Annotations[ClientIDAnnotation]
}

// BelongsTo reports whether this account, and not an earlier one with the same name, has registered the client.
func (c *OAuthClient) BelongsTo(account metav1.Object) bool {
	return c.Spec.AccountRef != nil && sameAccount(c.Spec.AccountRef.Name, c.Status.AccountUID, account)
}

// OAuthClientList is a list of OAuth clients.
// +kubebuilder:object:root=true
type OAuthClientList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OAuthClient `json:"items"`
}
