package seal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newKey(t *testing.T) string {
	t.Helper()
	key := testkit.SessionKey()
	return key
}

func keysOf(t *testing.T, lines ...string) seal.Keys {
	t.Helper()
	keys, err := seal.ParseKeys([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestWhatIsSealedOpensForItsPurposeAlone(t *testing.T) {
	keys := keysOf(t, newKey(t))
	sealed, err := keys.Seal("one", []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := keys.Open("one", sealed); err != nil || string(text) != "text" {
		t.Errorf("Open = %q, %v", text, err)
	}
	if strings.Contains(sealed, "text") {
		t.Error("the text can be read")
	}
	if _, err := keys.Open("another", sealed); err == nil {
		t.Error("what was sealed for one purpose opens for another")
	}
	if _, err := keysOf(t, newKey(t)).Open("one", sealed); err == nil {
		t.Error("a foreign key opens it")
	}
	for i := range sealed {
		changed := []byte(sealed)
		changed[i] ^= 1
		if _, err := keys.Open("one", string(changed)); err == nil {
			t.Fatalf("it opens with character %d changed", i)
		}
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := len(sealed) - 1
	other := sealed[:last] + string(alphabet[strings.IndexByte(alphabet, sealed[last])^1])
	if _, err := keys.Open("one", other); err == nil {
		t.Error("it opens in another form, which differs in bits that count for nothing")
	}
	large, err := keys.Seal("one", make([]byte, 64<<10))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Open("one", large); err == nil {
		t.Error("it opens however large it is")
	}
	for _, short := range []string{"", "A", sealed[:20]} {
		if _, err := keys.Open("one", short); err == nil {
			t.Errorf("%q opens", short)
		}
	}
}

func TestKeysRotateWithoutSigningAnybodyOut(t *testing.T) {
	older, newer, newest := newKey(t), newKey(t), newKey(t)
	sealed, err := keysOf(t, older).Seal("p", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keysOf(t, newer, older).Open("p", sealed); err != nil {
		t.Error("the key before does not open")
	}
	if _, err := keysOf(t, newest, newer).Open("p", sealed); err == nil {
		t.Error("a key that is gone opens")
	}
	sealed, err = keysOf(t, newer, older).Seal("p", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keysOf(t, newer).Open("p", sealed); err != nil {
		t.Error("the first key does not seal")
	}
}

func TestKeyFilesMustBeRight(t *testing.T) {
	key := newKey(t)
	tests := []struct {
		name, content string
		wantErr       bool
	}{
		{"one", key, false},
		{"two, with comments", "# newest\n" + key + "\n\n" + newKey(t) + "\n", false},
		{"none", "# nothing\n", true},
		{"three", strings.Join([]string{key, key, key}, "\n"), true},
		{"short", "c2hvcnQ=", true},
		{"not base64", "!" + key[1:], true},
		{"with something after it", key + " x", true},
		{"long", key[:43] + "AAAA=", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := seal.ParseKeys([]byte(tt.content))
			if (err != nil) != tt.wantErr {
				t.Errorf("err = %v, want an error: %v", err, tt.wantErr)
			}
			if err != nil && strings.Contains(err.Error(), key) {
				t.Error("the error shows the key")
			}
		})
	}
}
