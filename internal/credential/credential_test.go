package credential_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/credential"
)

var types = []credential.Type{
	credential.APIKey, credential.AccessToken, credential.AuthorizationCode, credential.ClientSecret,
}

func mustNew(tb testing.TB, typ credential.Type) credential.Credential {
	tb.Helper()
	c, err := credential.New(typ, credential.DefaultCell, rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func TestACredentialHasTheFormOfTheDesign(t *testing.T) {
	for _, typ := range types {
		form := regexp.MustCompile(`^pr_` + string(typ) + `_aa[a-z2-7]{14}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`)
		for range 200 {
			c := mustNew(t, typ)
			if s := c.Reveal(); !form.MatchString(s) || len(s) != credential.Length {
				t.Fatalf("%q does not have the form %s", s, form)
			}
			if !credential.IsID(c.ID) {
				t.Fatalf("IsID(%q) = false", c.ID)
			}
		}
	}
}

// Keys are in customers' hands: what these bytes give may never change. The secret is the number in base62, and the
// checksum the CRC-32 of all before it; both were computed apart from this code.
func TestTheEncodingIsStable(t *testing.T) {
	raw := make([]byte, 42)
	for i := range raw {
		raw[i] = byte(i)
	}
	c, err := credential.New(credential.APIKey, credential.DefaultCell, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	const want = "pr_ak_aaaqeayeaudaocaj_2NedrGwnz0Lr6GwfShiHaCXWEPoVWXBUElBWyAgkW771ihwl6"
	if got := c.Reveal(); got != want {
		t.Errorf("Reveal = %s, want %s", got, want)
	}
	const wantHash = "485f44db0f975bf376fedfcdf1a4e7180b83efbef1481244def62ac2845b7276"
	if got := c.Hash(); got != wantHash {
		t.Errorf("Hash = %s, want %s", got, wantHash)
	}
}

// Two installations can only be told apart, by a proxy before both, if each id begins with the code of its own.
func TestEveryIDBeginsWithTheCodeOfTheInstallation(t *testing.T) {
	for code, want := range map[string]string{"": "aa", "aa": "aa", "ab": "ab", "7z": "7z"} {
		var cell credential.Cell
		if code != "" {
			if err := cell.Set(code); err != nil {
				t.Fatal(err)
			}
		}
		for _, typ := range types {
			fresh, err := credential.New(typ, cell, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			named, err := credential.NewNamed(typ, cell, "form", rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []credential.Credential{fresh, named} {
				if _, err := credential.Parse(c.Reveal()); err != nil || c.ID[:2] != want || len(c.Reveal()) != credential.Length {
					t.Errorf("%s of the installation %q: %s, %v", typ, code, c.ID, err)
				}
			}
		}
	}
}

func TestACodeIsTwoCharactersOfBase32(t *testing.T) {
	for _, code := range []string{"", "a", "aaa", "AA", "a1", "a0", "a8", "é", "a-"} {
		var cell credential.Cell
		if err := cell.Set(code); err == nil {
			t.Errorf("%q is accepted", code)
		}
	}
}

func TestTheLengthHoldsForTheSmallestAndTheGreatestSecret(t *testing.T) {
	for _, b := range []byte{0x00, 0xff} {
		c, err := credential.New(credential.APIKey, credential.DefaultCell, bytes.NewReader(bytes.Repeat([]byte{b}, 64)))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(c.Reveal()); got != credential.Length {
			t.Errorf("bytes %#x give %d characters, want %d", b, got, credential.Length)
		}
		if _, err := credential.Parse(c.Reveal()); err != nil {
			t.Errorf("bytes %#x: %v", b, err)
		}
	}
}

func TestParseReadsWhatRevealGives(t *testing.T) {
	for _, typ := range types {
		c := mustNew(t, typ)
		got, err := credential.Parse(c.Reveal())
		if err != nil {
			t.Fatal(err)
		}
		if got.Type != typ || got.ID != c.ID || got.Reveal() != c.Reveal() || !got.Matches(c.Hash()) {
			t.Errorf("Parse(Reveal) = %v, want %v", got, c)
		}
	}
}

func TestEveryChangeOfOneCharacterIsRefused(t *testing.T) {
	s := mustNew(t, credential.APIKey).Reveal()
	for i := range len(s) {
		for n := range 256 {
			b := byte(n)
			if b == s[i] {
				continue
			}
			changed := s[:i] + string([]byte{b}) + s[i+1:]
			if _, err := credential.Parse(changed); !errors.Is(err, credential.ErrMalformed) {
				t.Fatalf("character %d changed to %q: err = %v, want ErrMalformed", i, b, err)
			}
		}
	}
}

func TestNeighboursSwappedAreRefused(t *testing.T) {
	s := []byte(mustNew(t, credential.APIKey).Reveal())
	for i := range len(s) - 1 {
		if s[i] == s[i+1] {
			continue
		}
		s[i], s[i+1] = s[i+1], s[i]
		if _, err := credential.Parse(string(s)); err == nil {
			t.Errorf("characters %d and %d swapped are taken", i, i+1)
		}
		s[i], s[i+1] = s[i+1], s[i]
	}
}

func TestParseRefusesJunk(t *testing.T) {
	s := mustNew(t, credential.APIKey).Reveal()
	for name, junk := range map[string]string{
		"empty":          "",
		"cut off":        s[:len(s)-1],
		"too long":       s + "0",
		"space before":   " " + s[:len(s)-1],
		"upper case":     strings.ToUpper(s),
		"other type":     "pr_zz" + s[5:],
		"same length":    strings.Repeat("a", credential.Length),
		"wrong checksum": "pr_ak_" + strings.Repeat("a", 16) + "_" + strings.Repeat("0", 49),
		"a megabyte":     strings.Repeat("pr_ak_", 1<<18),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := credential.Parse(junk); !errors.Is(err, credential.ErrMalformed) {
				t.Errorf("err = %v, want ErrMalformed", err)
			}
			// The checksum, which is looked at last, takes a copy.
			want := 0.0
			if name == "wrong checksum" {
				want = 1
			}
			if n := testing.AllocsPerRun(10, func() { _, _ = credential.Parse(junk) }); n > want {
				t.Errorf("refusing it allocates %v times, want %v", n, want)
			}
		})
	}
}

func TestOnlyTheSHA256OfTheSecretMatches(t *testing.T) {
	c := mustNew(t, credential.APIKey)
	s := c.Reveal()
	sum := sha256.Sum256([]byte(s[23:66]))
	if got, want := c.Hash(), hex.EncodeToString(sum[:]); got != want {
		t.Errorf("Hash = %s, want %s", got, want)
	}
	for name, tt := range map[string]struct {
		hash string
		want bool
	}{
		"its own":       {c.Hash(), true},
		"upper case":    {strings.ToUpper(c.Hash()), false},
		"another's":     {mustNew(t, credential.APIKey).Hash(), false},
		"empty":         {"", false},
		"the beginning": {c.Hash()[:63], false},
		"the secret":    {s[23:66], false},
	} {
		if got := c.Matches(tt.hash); got != tt.want {
			t.Errorf("%s: Matches = %v, want %v", name, got, tt.want)
		}
	}
}

func TestTheZeroCredentialOpensNothing(t *testing.T) {
	var c credential.Credential
	if c.Reveal() != "" {
		t.Errorf("Reveal = %q, want nothing", c.Reveal())
	}
	if _, err := credential.Parse(c.Reveal()); err == nil {
		t.Error("Parse takes it")
	}
	for _, hash := range []string{"", c.Hash(), strings.Repeat("0", 64)} {
		if c.Matches(hash) {
			t.Errorf("it matches %q", hash)
		}
	}
}

func TestShortRandomnessIsAnError(t *testing.T) {
	if c, err := credential.New(credential.APIKey, credential.DefaultCell, bytes.NewReader(make([]byte, 41))); err == nil {
		t.Errorf("New = %v, want an error", c)
	}
}

func TestIsIDRefusesWhatIsNoID(t *testing.T) {
	for _, s := range []string{"", strings.Repeat("a", 15), strings.Repeat("a", 17), strings.Repeat("A", 16), strings.Repeat("1", 16)} {
		if credential.IsID(s) {
			t.Errorf("IsID(%q) = true", s)
		}
	}
}

func FuzzParseGivesBackWhatItTook(f *testing.F) {
	f.Add(mustNew(f, credential.APIKey).Reveal())
	f.Add("pr_ak_")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := credential.Parse(s)
		if err != nil {
			return
		}
		if c.Reveal() != s {
			t.Errorf("Parse(%q).Reveal() = %q", s, c.Reveal())
		}
	})
}
