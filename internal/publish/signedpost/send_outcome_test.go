package signedpost_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
)

// Package egress cannot import the API: a class that the API does not know would make kube-apiserver refuse the attempt's record.
func TestTheClassesOfFailedConnectionsAreTheAPIs(t *testing.T) {
	for class, want := range map[egress.Class]v1alpha1.ErrorClass{
		egress.NameLookup: v1alpha1.ErrorNameLookup, egress.Connection: v1alpha1.ErrorConnection, egress.TLS: v1alpha1.ErrorTLS,
		egress.Timeout: v1alpha1.ErrorTimeout, egress.InvalidAnswer: v1alpha1.ErrorInvalidAnswer, egress.AddressBlocked: v1alpha1.ErrorAddressBlocked,
	} {
		if string(class) != string(want) {
			t.Errorf("the class is %s, want %s", class, want)
		}
	}
}
