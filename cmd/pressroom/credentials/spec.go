package credentials

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

// maxDisplayName bounds the name of a key in characters, as in the CRD.
const maxDisplayName = 200

// mostCredits bounds the credits of a key in a day, as in the CRD.
const mostCredits = 1_000_000

// spec checks the flags and returns the key's spec without its hash.
func (f *createFlags) spec(now time.Time) (v1alpha1.APIKeySpec, error) {
	spec := v1alpha1.APIKeySpec{AccountRef: v1alpha1.AccountReference{Name: f.account}, DisplayName: f.name}
	if problems := validation.IsDNS1123Label(f.account); len(problems) > 0 {
		return spec, Usage("--account must name an account, not %q", f.account)
	}
	if utf8.RuneCountInString(f.name) > maxDisplayName {
		return spec, Usage("--name may have at most %d characters", maxDisplayName)
	}
	if f.output != "" && f.output != "yaml" && f.output != "json" {
		return spec, Usage("--output must be yaml or json, not %q", f.output)
	}
	var err error
	if spec.Scopes, err = ParseScopes(f.scopes, auth.Scopes()); err != nil {
		return spec, err
	}
	if f.forAgent {
		if err := checkAgentScopes(spec.Scopes); err != nil {
			return spec, err
		}
	}
	for _, w := range f.workspaces {
		if problems := validation.IsDNS1123Label(w); len(problems) > 0 {
			return spec, Usage("--workspaces must name workspaces, not %q", w)
		}
	}
	spec.Workspaces = slices.Compact(slices.Sorted(slices.Values(f.workspaces)))
	err = f.limit(&spec, now)
	return spec, err
}

// limit checks the flags for what bounds a key, and sets it.
func (f *createFlags) limit(spec *v1alpha1.APIKeySpec, now time.Time) error {
	switch {
	case f.creditsPerDay < unlimited || f.creditsPerDay > mostCredits:
		return Usage("--credits-per-day must be 0 to %d, or -1 for any number", mostCredits)
	case f.creditsPerDay != unlimited:
		spec.Limits.CreditsPerDay = &f.creditsPerDay
	}
	switch {
	case f.expiresIn < 0:
		return Usage("--expires-in must be a time from now")
	case f.expiresIn > 0:
		spec.ExpirationTime = &v1alpha1.Time{Time: now.Add(f.expiresIn).UTC().Truncate(time.Second)}
	}
	return nil
}

// ParseScopes reads scopes in any case, and returns them in the order of those that are possible.
func ParseScopes(given []string, possible []v1alpha1.Scope) ([]v1alpha1.Scope, error) {
	var scopes []v1alpha1.Scope
	names := make([]string, len(possible))
	for i, s := range possible {
		names[i] = strings.ToLower(string(s))
		before := len(given)
		given = slices.DeleteFunc(slices.Clone(given), func(g string) bool { return strings.EqualFold(strings.TrimSpace(g), string(s)) })
		if len(given) < before {
			scopes = append(scopes, s)
		}
	}
	if len(given) > 0 {
		return nil, Usage("--scopes must be of %s, not %q", strings.Join(names, ", "), given[0])
	}
	if len(scopes) == 0 {
		return nil, Usage("--scopes must name at least one")
	}
	return scopes, nil
}

// encode returns the manifest of a key in YAML or JSON.
func encode(key *v1alpha1.APIKey, format string) ([]byte, error) {
	if format == "yaml" {
		return yaml.Marshal(key)
	}
	data, err := json.MarshalIndent(key, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the manifest: %w", err)
	}
	return append(data, '\n'), nil
}
