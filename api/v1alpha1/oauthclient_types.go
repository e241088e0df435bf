package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ClientIDPrefix begins every client id of OAuth; the name of the OAuthClient follows.
const ClientIDPrefix = "pr_ci_"

// OAuthClientType says whether an app can keep a secret (RFC 6749, section 2.1).
// +kubebuilder:validation:Enum=Confidential;Public
type OAuthClientType string

// The types of OAuth clients.
const (
	// OAuthClientConfidential is an app on a server: it proves who it is with its secret.
	OAuthClientConfidential OAuthClientType = "Confidential"
	// OAuthClientPublic is an app in the hands of its users: it has no secret, and must use PKCE.
	OAuthClientPublic OAuthClientType = "Public"
)

// LoopbackPort says which port a redirect URI on the loopback interface may have.
// +kubebuilder:validation:Enum=Registered;Any
type LoopbackPort string

// The ports of redirect URIs on the loopback interface.
const (
	// LoopbackPortRegistered takes redirect URIs byte for byte.
	LoopbackPortRegistered LoopbackPort = "Registered"
	// LoopbackPortAny takes any port on 127.0.0.1 and [::1], the rest byte for byte (RFC 8252, section 7.3).
	LoopbackPortAny LoopbackPort = "Any"
)

// OAuthClientSpec says what an app is and where it may be reached. It holds hashes and never a secret, so it is safe to
// commit to Git.
// +kubebuilder:validation:XValidation:rule=`self.redirectURIs.all(u, u.matches(r'^(https://[A-Za-z0-9.:\[\]-]+|http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?][!$-\[\]-~]*)?$'))`,message="redirectURIs must be https, or http on 127.0.0.1 or [::1], and may not have a fragment, user information or blanks",fieldPath=".redirectURIs"
// +kubebuilder:validation:XValidation:rule="self.type != 'Confidential' || (has(self.secretHashes) && size(self.secretHashes) > 0)",message="secretHashes must have at least one entry for the type Confidential",fieldPath=".secretHashes"
// +kubebuilder:validation:XValidation:rule="self.type != 'Public' || !has(self.secretHashes) || size(self.secretHashes) == 0",message="secretHashes may not have entries for the type Public",fieldPath=".secretHashes"
type OAuthClientSpec struct {
	// displayName is the app's name as people know it, 1-200 characters. The consent page shows it.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=200
	DisplayName string `json:"displayName"`

	// accountRef names the account that registered the app and may change it over the REST API. Unset for apps of those
	// who run the installation.
	// +optional
	AccountRef *AccountReference `json:"accountRef,omitempty"`

	// logoURL is the https address of the app's logo, at most 2048 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https://[!-~]+$`
	LogoURL string `json:"logoURL,omitempty"`

	// homeURL is the https address of the app's own site, at most 2048 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https://[!-~]+$`
	HomeURL string `json:"homeURL,omitempty"`

	// policyURL is the https address of the app's privacy policy, at most 2048 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https://[!-~]+$`
	PolicyURL string `json:"policyURL,omitempty"`

	// termsURL is the https address of the app's terms of service, at most 2048 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https://[!-~]+$`
	TermsURL string `json:"termsURL,omitempty"`

	// contacts are e-mail addresses of those who run the app, at most 10.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MinLength=3
	// +kubebuilder:validation:items:MaxLength=254
	// +kubebuilder:validation:items:Pattern=`^[^@\s]+@[^@\s]+$`
	Contacts []string `json:"contacts,omitempty"`

	// redirectURIs are where a person may be sent back to, 1-20, each at most 2048 characters: https, or http on 127.0.0.1
	// or [::1], without a fragment and without user information. They are compared byte for byte.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=20
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=2048
	RedirectURIs []string `json:"redirectURIs"`

	// loopbackPort is Any where redirect URIs on 127.0.0.1 and [::1] may have any port, as programs on a person's own
	// machine need it. Registered by default.
	// +optional
	// +kubebuilder:default=Registered
	LoopbackPort LoopbackPort `json:"loopbackPort,omitempty"`

	// scopes are the rights that the app may ask for, at least one.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Scopes []Scope `json:"scopes"`

	// type is Confidential for an app that can keep a secret, Public for one that cannot. A public one must use PKCE.
	// +required
	Type OAuthClientType `json:"type"`

	// secretHashes are the lower-case hex SHA-256 of the secret parts of the app's secrets, the newest first. Two may be
	// valid at a time, so that a secret can be changed without an outage.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=2
	// +kubebuilder:validation:items:MinLength=64
	// +kubebuilder:validation:items:MaxLength=64
	// +kubebuilder:validation:items:Pattern=`^[0-9a-f]{64}$`
	SecretHashes []string `json:"secretHashes,omitempty"`
}

// OAuthClientStatus says whether the app may be used.
type OAuthClientStatus struct {
	// conditions of the app: Ready, which is False when the account that registered it is missing.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=8
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// observedGeneration is the generation of the spec that the conditions speak of; -1 before the first look.
	// +optional
	// +kubebuilder:default=-1
	// +kubebuilder:validation:Minimum=-1
	// +kubebuilder:validation:Maximum=1000000000000
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// OAuthClient is an app that may ask people for access to their accounts. Its client id is pr_ci_ and its name. It lives in
// the system namespace; deleting it ends every token that it got.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=oac,categories=pressroom
// +kubebuilder:selectablefield:JSONPath=`.spec.accountRef.name`
// +kubebuilder:printcolumn:name="Name",type=string,JSONPath=`.spec.displayName`
// +kubebuilder:printcolumn:name="Type",type=string,JSONPath=`.spec.type`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Scopes",type=string,JSONPath=`.spec.scopes`
// +kubebuilder:printcolumn:name="Account",type=string,JSONPath=`.spec.accountRef.name`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63",message="metadata.name must be at most 63 characters: it is part of the client id",fieldPath=".metadata"
type OAuthClient struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says what the app is.
	// +required
	Spec OAuthClientSpec `json:"spec"`

	// status says whether the app may be used.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status OAuthClientStatus `json:"status,omitempty,omitzero"`
}

// ClientID returns the id under which OAuth knows the app.
func (c *OAuthClient) ClientID() string { return ClientIDPrefix + c.Name }

// GetConditions returns the app's conditions.
func (c *OAuthClient) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the app's conditions.
func (c *OAuthClient) SetConditions(conditions []metav1.Condition) { c.Status.Conditions = conditions }

// OAuthClientList is a list of OAuth clients.
// +kubebuilder:object:root=true
type OAuthClientList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OAuthClient `json:"items"`
}
