package v1alpha1

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
