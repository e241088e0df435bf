package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const (
	// AccountLabel on a namespace makes it a workspace of the account that the label names. It is set once.
	AccountLabel = "pressroom.dev/account"

	// GrantLabel on an EventSubscription is the name of the OAuthGrant with whose token it was created. The subscription ends with the
	// access that the client has by that grant, or by a later one that the same person gave it.
	GrantLabel = "pressroom.dev/oauth-grant"

	// ClientLabel on an EventSubscription is the name of the OAuthClient of the grant that GrantLabel names.
	ClientLabel = "pressroom.dev/oauth-client"

	// RegenerateAnnotation asks for another run of the generator. Its value is a nonce: one that differs from the last one handled starts a
	// run.
	RegenerateAnnotation = "pressroom.dev/regenerate"

	// RedeliverAnnotation asks for a new delivery cycle of an Article's current revision, or of an EventDelivery. Its value is a nonce: one
	// that differs from the last one handled starts a cycle.
	RedeliverAnnotation = "pressroom.dev/redeliver"

	// OverwriteAnnotation on an Article asks for what RedeliverAnnotation does, and overwrites what somebody has changed of the post in the
	// CMS. Setting it needs the verb approve on articles.
	OverwriteAnnotation = "pressroom.dev/overwrite"

	// UnpublishAnnotation on a published Article takes its post back from the site. Its value is a nonce: one that differs from the last
	// one handled starts a cycle. RedeliverAnnotation publishes the article again. Setting it needs the verb approve on articles.
	UnpublishAnnotation = "pressroom.dev/unpublish"

	// ShareEpochAnnotation on an Article ends its share links: those that were made while it had another value open nothing. Its value is
	// any text. If you set an earlier value again, the links of that time work again until they expire.
	ShareEpochAnnotation = "pressroom.dev/share-epoch"

	// TestConnectionAnnotation on a Site asks for a test of its connection. Its value is a nonce: one that differs from the last one
	// handled starts a test.
	TestConnectionAnnotation = "pressroom.dev/test-connection"

	// ResumeAnnotation on an EventSubscription resumes it if it is suspended. Its value is a nonce: one that differs from the last one
	// handled resumes; while the subscription is not suspended, there is nothing to do for it. Any change of the spec resumes it too.
	ResumeAnnotation = "pressroom.dev/resume"

	// UIDAnnotation on a Site or an Account is the metadata.uid that the object had when the controller saw it first. A Site with another
	// uid is therefore restored or copied, and nothing is generated or sent for it until somebody confirms it with
	// RestoreConfirmedAnnotation. An Account that has one gets no new ledger by itself. On an IdempotencyRecord it is the record's own uid
	// when it was completed: a restored one names an object of before.
	UIDAnnotation = "pressroom.dev/uid"

	// RestoreConfirmedAnnotation on a Site says that everything is there that belongs to it; on an Account whose AccountLedger is missing,
	// that an empty one begins. Its value is the present metadata.uid of the object, so that it says nothing about a copy. The controller
	// records it in status.confirmedUID, and the annotation may go then: tools that apply manifests from Git may remove it.
	RestoreConfirmedAnnotation = "pressroom.dev/restore-confirmed"

	// AddressAnnotation on a Secret is the only address that its values are used for: the URL of a site as spec.cms has it, byte for byte,
	// https:// and the shop's own domain for Shopify, https://api.webflow.com for Webflow, baseURL of a generator, and the URL of an
	// EventSubscription for its token. The facade sets it
	// on the credentials that people type, so that they are never sent to an address that is typed later.
	AddressAnnotation = "pressroom.dev/address"

	// TestEventAnnotation on an EventSubscription asks for a test event. Its value is a nonce: one that differs from the last one handled
	// sends one.
	TestEventAnnotation = "pressroom.dev/test-event"

	// RequestHashAnnotation is set by the facade on what it creates for a request with an Idempotency-Key. It is the SHA-256 of the
	// request, which distinguishes a repeated request from another one with the same key.
	RequestHashAnnotation = "pressroom.dev/request-hash"

	// RequestNameAnnotation on an APIKey is the name of the request with an Idempotency-Key that has made it: a function of the account and
	// that key. The facade sets it, so that a repeated request makes no other API key.
	RequestNameAnnotation = "pressroom.dev/request-name"

	// RotationsAnnotation on an EventSubscription or an OAuthClient has the names of the last 10 requests with an Idempotency-Key that have
	// rotated its secret, the latest first, separated by commas. The facade sets it, so that a repeated request rotates nothing.
	RotationsAnnotation = "pressroom.dev/rotations"

	// ClientIDAnnotation on an OAuthClient is its client id if that is the URL of a Client ID Metadata Document. The facade sets it on the
	// clients that it makes of such documents. The name of such a client is a function of the URL, and it has no account; on others the
	// annotation means nothing.
	ClientIDAnnotation = "pressroom.dev/client-id"

	// ClientReadAnnotation on an OAuthClient with ClientIDAnnotation is when its document was read last, in RFC 3339.
	ClientReadAnnotation = "pressroom.dev/client-read-at"

	// CreatedAtAnnotation on an Article or a Site is when it was created first, in RFC 3339. The _id of the REST API begins with it. The
	// facade sets it on an Article that it creates for a request with an Idempotency-Key, because metadata.creationTimestamp has whole
	// seconds. A backup or an export must set it, because an object that is created again has another creationTimestamp. It is ignored if
	// it is more than 5 seconds later than metadata.creationTimestamp.
	CreatedAtAnnotation = "pressroom.dev/created-at"

	// CreatedByAnnotation on an Article is who created it over the REST API, the dashboard or /mcp: api-key: and the id of an API key, or
	// the e-mail address of a person; for an app that one of them has let in, followed by (app NAME). The facade sets it. Nothing is
	// decided by it: anyone who may write Articles with kubectl may write it.
	CreatedByAnnotation = "pressroom.dev/created-by"

	// ChangedByAnnotation on an Article has those who changed it over the REST API, the dashboard or /mcp, as CreatedByAnnotation names
	// them: each once, the latest first, separated by commas, and as many as fit into 128 bytes. The facade sets it, and nothing is decided
	// by it.
	ChangedByAnnotation = "pressroom.dev/changed-by"

	// EditedByAnnotation on an Article is who wrote spec.content last over the REST API, the dashboard or /mcp: the first 16 digits of the
	// content's SHA-256 (or none, if there is no content), for a text that was given back / and the number of its revision, a blank, and
	// the name of the person as spec.review.by has it. It says nothing of content with another hash, such as that of a later kubectl
	// edit. The revision keeps the name. Setting it needs the verb attest on articles.
	EditedByAnnotation = "pressroom.dev/edited-by"

	// RequestedByAnnotation on an Article is who asked for its generated text last over the REST API, the dashboard or /mcp, as
	// EditedByAnnotation says who wrote: with the first 16 digits of the SHA-256 of the request, which is spec.generate and the annotation
	// pressroom.dev/regenerate. Setting it needs the verb attest on articles.
	RequestedByAnnotation = "pressroom.dev/requested-by"

	// EditorAnnotation begins the names of annotations on an Article that say who has its editor in the dashboard open: a hash of the
	// person follows. The value is when they were seen last, in RFC 3339, a blank, and their name. The facade sets it at most once a
	// minute for each of at most 6 people. After 2 minutes it means nothing, and the next one of them removes it. Nothing is decided by
	// it.
	EditorAnnotation = "pressroom.dev/editor-"

	// TraceParentAnnotation on an Article or an EventDelivery is the W3C trace context (traceparent) of the span that created it, if that
	// was traced. Only its id and its sampling flag are read; see docs/how-to/monitor.md.
	TraceParentAnnotation = "pressroom.dev/traceparent"
)

// Observed is what the controller says of an object first, in the status of each kind.
type Observed struct {
	// conditions of the object. The description of status lists their types.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:XValidation:rule="self.all(c, c.lastTransitionTime >= timestamp('0001-01-01T00:00:00Z'))",message="lastTransitionTime must be a time such as 2026-12-01T09:00:00Z (RFC 3339, with a capital T and Z)"
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// observedGeneration is the generation that the conditions describe; -1 until the controller has seen the object.
	// +optional
	// +kubebuilder:default=-1
	// +kubebuilder:validation:Minimum=-1
	// +kubebuilder:validation:Maximum=1000000000000
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// LocalReference names an object of a known kind in the same namespace.
// +structType=atomic
type LocalReference struct {
	// name of the object, at most 253 characters.
	// +required
	Name ObjectName `json:"name,omitempty"`
}

// AccountReference names an Account, which is cluster-scoped.
// +structType=atomic
type AccountReference struct {
	// name of the Account, at most 63 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`
}

// CreatorKind says what made an object.
// +kubebuilder:validation:Enum=APIKey;User
type CreatorKind string

// The kinds of creators.
const (
	// CreatorAPIKey is an APIKey. The name is its name, which is the id of the key.
	CreatorAPIKey CreatorKind = "APIKey"
	// CreatorUser is a person who was signed in with OpenID Connect. The name is their e-mail address in lower case.
	CreatorUser CreatorKind = "User"
)

// CreatorReference names who made an object. What it names may be gone by now.
// +structType=atomic
type CreatorReference struct {
	// kind says what made the object: APIKey, or User for a person who was signed in with OpenID Connect.
	// +required
	Kind CreatorKind `json:"kind,omitempty"`

	// name of the APIKey, or the e-mail address of the person in lower case, 1-253 characters.
	// +required
	Name ObjectName `json:"name,omitempty"`
}

// APIKey returns the name of the APIKey that made an object, or "" if none did. What is made with a key falls with it.
func (r *CreatorReference) APIKey() string {
	if r == nil || r.Kind != CreatorAPIKey {
		return ""
	}
	return r.Name
}

// SecretKeyReference names one entry of a Secret in the same namespace. A new value takes effect within a second.
// +structType=atomic
type SecretKeyReference struct {
	// name of the Secret.
	// +required
	Name ObjectName `json:"name,omitempty"`

	// key of the entry in the Secret's data.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key,omitempty"`
}

// Copied reports whether an object is not the one that the controller has seen under its annotation UIDAnnotation: it comes from a backup,
// or was copied.
func Copied(o metav1.Object) bool {
	seen := o.GetAnnotations()[UIDAnnotation]
	return seen != "" && seen != string(o.GetUID())
}

// Confirmed reports whether somebody has confirmed, by the annotation RestoreConfirmedAnnotation, that the object may be used.
func Confirmed(o metav1.Object) bool {
	return o.GetUID() != "" && o.GetAnnotations()[RestoreConfirmedAnnotation] == string(o.GetUID())
}

// Restored reports whether the site comes from a backup, or was copied, and nobody has confirmed yet that it may be used.
func (s *Site) Restored() bool { return Copied(s) && s.Status.ConfirmedUID != string(s.UID) }

// MaxNonceBytes bounds a nonce in status, in bytes of JSON. A longer one is stored as its SHA-256.
const MaxNonceBytes = 128

// HandledRequest is the last request of a command annotation that was handled: the controller has begun what it asks for, or has refused
// it, which a condition says. A request is handled once.
type HandledRequest struct {
	// name of the annotation without pressroom.dev/, such as redeliver.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`

	// nonce is the value of the annotation. A nonce of more than 128 bytes is stored as its SHA-256.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Nonce string `json:"nonce,omitempty"`
}
