package connectortest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Sentences checks what a connector says of wrong set-ups: each has a sentence of its own, within the bound of the API, and no secret
// is in any of it.
type Sentences struct {
	// of has the name of the set-up by what was said.
	of map[string]string
}

// Case is a wrong set-up of a CMS.
type Case struct {
	Name string
	// Test and Publish are the classes of the outcomes; empty if it succeeds.
	Test, Publish v1alpha1.ErrorClass
	// Says is a part of the sentence of the test, or of the attempt to publish if the test succeeds.
	Says string
}

// Check checks the outcomes of a connection test and of an attempt to publish.
func (s *Sentences) Check(t *testing.T, c Case, tested, published publish.Outcome, secrets ...string) {
	t.Helper()
	if tested.ErrorClass != c.Test || published.ErrorClass != c.Publish {
		t.Errorf("the test ended with %q, want %q: %s; publishing with %q, want %q: %s",
			tested.ErrorClass, c.Test, tested.Message, published.ErrorClass, c.Publish, published.Message)
	}
	first := tested
	if c.Test == "" {
		first = published
	}
	if !strings.Contains(first.Message, c.Says) {
		t.Errorf("%q does not say %q", first.Message, c.Says)
	}
	for _, o := range []publish.Outcome{tested, published} {
		if o.ErrorClass != "" {
			s.add(t, c.Name, o)
		}
	}
	all := fmt.Sprintf("%+v %+v", tested, published)
	for _, secret := range secrets {
		if secret != "" && strings.Contains(all, secret) {
			t.Errorf("%s has %s", all, secret)
		}
	}
}

func (s *Sentences) add(t *testing.T, name string, o publish.Outcome) {
	t.Helper()
	if s.of == nil {
		s.of = map[string]string{}
	}
	said := string(o.ErrorClass) + o.Message
	if other := s.of[said]; other != "" && other != name {
		t.Errorf("%q is also what %s says", said, other)
	}
	s.of[said] = name
	if len(o.Message) > v1alpha1.MaxAttemptMessageBytes {
		t.Errorf("%q has %d bytes", o.Message, len(o.Message))
	}
	final := []v1alpha1.ErrorClass{
		v1alpha1.ErrorWrongCredentials, v1alpha1.ErrorMissingPermission, v1alpha1.ErrorNotFound, v1alpha1.ErrorInvalidContent,
		v1alpha1.ErrorSlugTaken, v1alpha1.ErrorChangedAtSite,
	}
	if o.Final != slices.Contains(final, o.ErrorClass) {
		t.Errorf("final is %t of %s", o.Final, o.ErrorClass)
	}
}
