package credentials

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 500, time.UTC)

func TestTheFlagsBecomeTheSpecOfAKey(t *testing.T) {
	f := &createFlags{
		account: "acme", name: "Mara's laptop", scopes: []string{"approve", " Read"}, workspaces: []string{"acme-shop", "acme-blog", "acme-shop"},
		expiresIn: 720 * time.Hour, creditsPerDay: 20,
	}
	got, err := f.spec(now)
	if err != nil {
		t.Fatal(err)
	}
	if got.AccountRef.Name != "acme" || got.DisplayName != "Mara's laptop" ||
		!slices.Equal(got.Scopes, []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeApprove}) ||
		!slices.Equal(got.Workspaces, []string{"acme-blog", "acme-shop"}) {
		t.Errorf("got %+v", got)
	}
	if limit := got.Limits.CreditsPerDay; limit == nil || *limit != 20 {
		t.Errorf("its limit is %v, want 20 credits", limit)
	}
	f.creditsPerDay = unlimited
	if got, err := f.spec(now); err != nil || got.Limits.CreditsPerDay != nil {
		t.Errorf("its limit is %v, %v, want none", got.Limits.CreditsPerDay, err)
	}
	if want := now.Add(720 * time.Hour).Truncate(time.Second); !got.ExpirationTime.Time.Equal(want) {
		t.Errorf("it ends at %s, want %s", got.ExpirationTime, want)
	}
}

func TestAFlagThatMakesNoSenseIsNamed(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*createFlags)
		want   string
	}{
		"no account":            {func(f *createFlags) { f.account = "" }, "--account must"},
		"a broken account":      {func(f *createFlags) { f.account = "Not A Name" }, "--account must"},
		"an unknown scope":      {func(f *createFlags) { f.scopes = []string{"read", "admin"} }, `must be of read, write, approve, manage, not "admin"`},
		"no scope":              {func(f *createFlags) { f.scopes = nil }, "--scopes must"},
		"a broken workspace":    {func(f *createFlags) { f.workspaces = []string{"a/b"} }, "--workspaces must"},
		"a time in the past":    {func(f *createFlags) { f.expiresIn = -time.Hour }, "--expires-in must"},
		"a name of 201 letters": {func(f *createFlags) { f.name = strings.Repeat("ü", 201) }, "--name may"},
		"less than no credits":  {func(f *createFlags) { f.creditsPerDay = -2 }, "--credits-per-day must"},
		"too many credits":      {func(f *createFlags) { f.creditsPerDay = 1_000_001 }, "--credits-per-day must"},
		"another output":        {func(f *createFlags) { f.output = "xml" }, "--output must"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &createFlags{account: "acme", scopes: []string{"read"}}
			tt.change(f)
			if _, err := f.spec(now); !errors.Is(err, errUsage) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestScopesAreReadInTheOrderOfThosePossible(t *testing.T) {
	got, err := ParseScopes([]string{"MANAGE", "write", "write"}, auth.Scopes())
	if want := []v1alpha1.Scope{v1alpha1.ScopeWrite, v1alpha1.ScopeManage}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if _, err := ParseScopes([]string{"manage"}, auth.Scopes()[:1]); err == nil {
		t.Error("a scope that is not possible is accepted")
	}
}

func TestAManifestCanBeReadAgain(t *testing.T) {
	key := &v1alpha1.APIKey{Spec: v1alpha1.APIKeySpec{DisplayName: "Mara"}}
	key.Name = "aaaaaaaaaaaaaaaa"
	for format, read := range map[string]func([]byte, any) error{
		"json": json.Unmarshal, "yaml": func(data []byte, into any) error { return yaml.UnmarshalStrict(data, into) },
	} {
		data, err := encode(key, format)
		if err != nil || !strings.HasSuffix(string(data), "\n") {
			t.Fatalf("%s: %q, %v", format, data, err)
		}
		got := &v1alpha1.APIKey{}
		if err := read(data, got); err != nil || got.Name != key.Name || got.Spec.DisplayName != "Mara" {
			t.Errorf("%s: got %+v, %v", format, got, err)
		}
	}
}
