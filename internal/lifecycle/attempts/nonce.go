package attempts

import (
	"crypto/sha256"
	"encoding/hex"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// Nonce returns the value of a command annotation as status holds it: itself, or its SHA-256 if it has over 128
// bytes of JSON.
func Nonce(o metav1.Object, annotation string) string {
	nonce := o.GetAnnotations()[annotation]
	if bounds.JSONBytes(nonce) <= v1alpha1.MaxNonceBytes {
		return nonce
	}
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}

// IsNewRequest reports whether a nonce asks for something: it is not the last one that was handled.
func IsNewRequest(nonce, lastHandled string) bool { return nonce != "" && nonce != lastHandled }

// Handled returns the nonce that status holds once a request is handled: the one that the object has now, else the last one.
func Handled(nonce, last string) string {
	if nonce == "" {
		return last
	}
	return nonce
}

// CycleAsked reports whether an object's nonce asks for a cycle that its record does not have.
func CycleAsked(o metav1.Object, r *v1alpha1.DeliveryRecord) bool {
	last := ""
	if r.Cycle != nil {
		last = r.Cycle.Nonce
	}
	return IsNewRequest(Nonce(o, v1alpha1.RedeliverAnnotation), last)
}
