package v1alpha1

const (
	// AccountLabel on a namespace makes it a workspace of the account that it names. It is set once.
	AccountLabel = "pressroom.dev/account"

	// RegenerateAnnotation asks for a fresh run of the generator. Its value is a nonce: each new one is acted on once.
	RegenerateAnnotation = "pressroom.dev/regenerate"

	// RedeliverAnnotation asks for a new delivery cycle of an Article's current revision, or of an EventDelivery. Its value is
	// a nonce: each new one is acted on once.
	RedeliverAnnotation = "pressroom.dev/redeliver"

	// TestConnectionAnnotation on a Site asks for a test of its connection. Its value is a nonce: each new one is acted on once.
	TestConnectionAnnotation = "pressroom.dev/test-connection"

	// ResumeAnnotation on an EventSubscription resumes it where it is suspended. Its value is a nonce: each new one is acted
	// on once. Any edit of the spec resumes it too.
	ResumeAnnotation = "pressroom.dev/resume"

	// RequestHashAnnotation is set by the REST facade on what it creates for a request with an Idempotency-Key: the
	// SHA-256 of the request, by which a repeat is told from another request under the same key.
	RequestHashAnnotation = "pressroom.dev/request-hash"

	// TraceParentAnnotation on an Article or an EventDelivery is the W3C trace context (traceparent) of the span that created
	// it, where it is traced. It is read as an id and no more; see docs/operating.md.
	TraceParentAnnotation = "pressroom.dev/traceparent"
)

// LocalReference names an object of a known kind in the same namespace.
type LocalReference struct {
	// name of the object.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// AccountReference names an Account, which is cluster-scoped.
type AccountReference struct {
	// name of the Account, at most 63 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
}

// SecretKeyReference names one entry of a Secret in the same namespace. The value is read each time it is used, so a
// rotated Secret takes effect at once.
type SecretKeyReference struct {
	// name of the Secret.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// key of the entry in the Secret's data.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key"`
}
