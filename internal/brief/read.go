package brief

import (
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// The bounds of a Brief, as its CRD has them. Texts are measured in characters.
const (
	maxInstructions = 4000
	maxFacts        = 50
	maxFact         = 500
	maxSources      = 10
	maxTitle        = 300
	maxText         = 16000
	maxURL          = 2048
)

var (
	sourceName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)
	sourceURL  = regexp.MustCompile(`^https://[\x21-\x7E]+$`)
)

// Read reads a manifest of one Brief from YAML or JSON. Unknown fields, another kind and what kube-apiserver would refuse are errors.
func Read(manifest []byte) (v1alpha1.Brief, error) {
	var b v1alpha1.Brief
	if err := yaml.UnmarshalStrict(manifest, &b); err != nil {
		return b, fmt.Errorf("reading the manifest: %w", err)
	}
	if b.APIVersion != v1alpha1.GroupVersion.String() || b.Kind != "Brief" {
		return b, fmt.Errorf("the manifest has a %s of %s; it must have a Brief of %s", b.Kind, b.APIVersion, v1alpha1.GroupVersion)
	}
	return b, Check(b.Spec)
}

// Check returns an error if kube-apiserver would refuse the spec of a Brief.
func Check(b v1alpha1.BriefSpec) error {
	switch {
	case b.Instructions == "" && len(b.Facts) == 0 && len(b.Sources) == 0:
		return errors.New("it must have instructions, facts or sources")
	case utf8.RuneCountInString(b.Instructions) > maxInstructions:
		return fmt.Errorf("the instructions have more than %d characters", maxInstructions)
	case len(b.Facts) > maxFacts:
		return fmt.Errorf("it has %d facts; it may have %d", len(b.Facts), maxFacts)
	case len(b.Sources) > maxSources:
		return fmt.Errorf("it has %d sources; it may have %d", len(b.Sources), maxSources)
	}
	for i, f := range b.Facts {
		if n := utf8.RuneCountInString(f); n < 1 || n > maxFact {
			return fmt.Errorf("fact %d has %d characters; it must have 1 to %d", i+1, n, maxFact)
		}
	}
	seen := map[string]bool{}
	for _, s := range b.Sources {
		if err := checkSource(s); err != nil {
			return fmt.Errorf("source %q: %w", s.Name, err)
		}
		if seen[s.Name] {
			return fmt.Errorf("two sources have the name %q", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

func checkSource(s v1alpha1.BriefSource) error {
	title, text := utf8.RuneCountInString(s.Title), utf8.RuneCountInString(s.Text)
	switch {
	case !sourceName.MatchString(s.Name):
		return errors.New("the name must have a lower-case letter and up to 30 lower-case letters, digits and hyphens")
	case title < 1 || title > maxTitle:
		return fmt.Errorf("the title has %d characters; it must have 1 to %d", title, maxTitle)
	case text < 1 || text > maxText:
		return fmt.Errorf("the text has %d characters; it must have 1 to %d", text, maxText)
	case s.URL != "" && (len(s.URL) > maxURL || !sourceURL.MatchString(s.URL)):
		return fmt.Errorf("the url must be an HTTPS address of at most %d bytes", maxURL)
	}
	return nil
}
