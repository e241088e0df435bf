package rotation_test

import (
	"strconv"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/rotation"
)

func TestAnObjectRemembersItsLastRotations(t *testing.T) {
	o := &metav1.ObjectMeta{}
	for i := range 1000 {
		rotation.Remember(o, "request-"+strconv.Itoa(i))
	}
	for request, want := range map[string]bool{"request-999": true, "request-990": true, "request-989": false, "": false, "other": false} {
		if got := rotation.Repeated(o, request); got != want {
			t.Errorf("Repeated(%q) = %t, want %t", request, got, want)
		}
	}
	if n := len(o.Annotations[v1alpha1.RotationsAnnotation]); n > 200 {
		t.Errorf("it takes %d bytes to remember 1,000 rotations", n)
	}
}

func TestARotationWithoutAKeyIsNotRemembered(t *testing.T) {
	o := &metav1.ObjectMeta{}
	rotation.Remember(o, "")
	if len(o.Annotations) != 0 || rotation.Repeated(o, "") {
		t.Errorf("got the annotations %v", o.Annotations)
	}
}
