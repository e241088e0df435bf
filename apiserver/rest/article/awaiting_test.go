package article

import "testing"

func TestAnAccountHoldsFewRequestsThatWait(t *testing.T) {
	w := waiting{}
	for range maxWaiting {
		if !w.begin("acme") {
			t.Fatal("too few answers wait")
		}
	}
	if w.begin("acme") {
		t.Error("too many answers wait")
	}
	if !w.begin("beta") {
		t.Error("an account waits for another one")
	}
	if w.end("acme"); !w.begin("acme") {
		t.Error("an answer that has ended is counted")
	}
	for range maxWaiting {
		w.end("acme")
	}
	if w.end("beta"); len(w.accounts) != 0 {
		t.Errorf("%v are kept", w.accounts)
	}
}
