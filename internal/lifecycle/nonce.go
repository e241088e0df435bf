package lifecycle

import (
	"crypto/sha256"
	"encoding/hex"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Nonce returns the value of a command annotation as status holds it: itself, or its SHA-256 if it has over 128
// bytes of JSON.
func Nonce(o metav1.Object, annotation string) string {
	nonce := o.GetAnnotations()[annotation]
	if jsonBytes(nonce) <= v1alpha1.MaxNonceBytes {
		return nonce
	}
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}

// isNewRequest reports whether a nonce asks for something: it is not the last one that was handled.
func isNewRequest(nonce, lastHandled string) bool { return nonce != "" && nonce != lastHandled }

// HandledRegenerate returns the nonce that a new run of an article handles.
func HandledRegenerate(a *v1alpha1.Article) string {
	nonce := Nonce(a, v1alpha1.RegenerateAnnotation)
	if a.Status.Generation == nil {
		return nonce
	}
	return handled(nonce, a.Status.Generation.Nonce)
}

// handled returns the nonce that status holds once a request is handled: the one that the object has now, else the last one.
func handled(nonce, last string) string {
	if nonce == "" {
		return last
	}
	return nonce
}
