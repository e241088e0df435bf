// Package rotation remembers, at an object, which requests have rotated its secret: a repeat with the same Idempotency-Key rotates nothing.
package rotation

import (
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ErrRepeated means that an earlier request with the same Idempotency-Key has rotated the secret.
var ErrRepeated = errors.New("the secret was rotated under this Idempotency-Key already")

// remembered is how many requests an object remembers.
const remembered = 10

// Repeated reports whether the object remembers a request by its name. Without an Idempotency-Key the name is empty.
func Repeated(o metav1.Object, request string) bool {
	return request != "" && slices.Contains(requests(o), request)
}

// Remember adds a request to those that the object remembers, of which the oldest is forgotten.
func Remember(o metav1.Object, request string) {
	if request == "" {
		return
	}
	last := append([]string{request}, requests(o)...)
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[v1alpha1.RotationsAnnotation] = strings.Join(last[:min(len(last), remembered)], ",")
	o.SetAnnotations(annotations)
}

func requests(o metav1.Object) []string {
	value := o.GetAnnotations()[v1alpha1.RotationsAnnotation]
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}
