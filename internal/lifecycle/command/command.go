// Package command finds out what people ask for by command annotations. The value of one is a nonce: a new one is a new request, and status
// has the last one that was handled. Pure.
package command

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

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

// Requested reports whether a command annotation of an object asks for something: its nonce is not the last one that was handled.
func Requested(o metav1.Object, handled []v1alpha1.HandledRequest, annotation string) bool {
	nonce := Nonce(o, annotation)
	return nonce != "" && nonce != HandledNonce(handled, annotation)
}

// HandledNonce returns the nonce of a command annotation that was handled last; "" if none was.
func HandledNonce(handled []v1alpha1.HandledRequest, annotation string) string {
	for _, r := range handled {
		if r.Name == nameOf(annotation) {
			return r.Nonce
		}
	}
	return ""
}

// MarkHandled records in status that the present nonce of a command annotation is handled. Without a nonce, it changes nothing.
func MarkHandled(o metav1.Object, handled *[]v1alpha1.HandledRequest, annotation string) {
	nonce := Nonce(o, annotation)
	if nonce == "" {
		return
	}
	for i := range *handled {
		if (*handled)[i].Name == nameOf(annotation) {
			(*handled)[i].Nonce = nonce
			return
		}
	}
	*handled = append(*handled, v1alpha1.HandledRequest{Name: nameOf(annotation), Nonce: nonce})
}

// nameOf returns the name of a command annotation in status.
func nameOf(annotation string) string {
	return strings.TrimPrefix(annotation, v1alpha1.GroupVersion.Group+"/")
}
