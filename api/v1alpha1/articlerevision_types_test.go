package v1alpha1_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func TestHintsAreNoUnsupportedClaims(t *testing.T) {
	s := v1alpha1.ArticleRevisionSpec{Claims: []string{
		"Figure/unsupported §2: 42: 42 shoes.", "Name/wrong-source: Mara: Mara runs.", "Figure/other-context §1: 7: 7 shoes.",
		"Quotation/unsupported §1: a/other-context: \"a/other-context\": so it is.",
	}}
	if got := s.UnsupportedClaims(); got != nil {
		t.Errorf("without a Brief there are %d", *got)
	}
	s.Brief = &v1alpha1.RevisionBrief{Name: "trail"}
	if got := s.UnsupportedClaims(); got == nil || *got != 3 {
		t.Errorf("got %v, want 3", got)
	}
	s.Claims = nil
	if got := s.UnsupportedClaims(); got == nil || *got != 0 {
		t.Errorf("got %v of no claims, want 0", got)
	}
}
