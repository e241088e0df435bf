package identity_test

import (
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/identity"
)

func TestUIDIsTheNameWhereThatIsAUUID(t *testing.T) {
	const name = "0192f1b0-7c3e-7a10-8d52-3f5a1c9e0b11"
	if got := identity.UID(identity.KindArticle, "acme-blog", name); got != name {
		t.Errorf("UID = %s, want the name", got)
	}
	upper := identity.UID(identity.KindArticle, "acme-blog", strings.ToUpper(name))
	if upper == name || !identity.IsUID(upper) {
		t.Errorf("UID of another name = %s, want a derived one", upper)
	}
}

func TestUIDDependsOnKindNamespaceAndName(t *testing.T) {
	seen := map[string]string{}
	for _, in := range [][3]string{
		{"Article", "a", "bc"}, {"Article", "ab", "c"}, {"Site", "a", "bc"}, {"Article", "a", "b"},
	} {
		uid := identity.UID(in[0], in[1], in[2])
		if again := identity.UID(in[0], in[1], in[2]); again != uid {
			t.Errorf("UID(%v) gave %s and then %s", in, uid, again)
		}
		if before, ok := seen[uid]; ok {
			t.Errorf("%v and %s share a uid", in, before)
		}
		seen[uid] = in[0] + "/" + in[1] + "/" + in[2]
	}
}

// A rebuild from Git must give the same uids for ever: this one may not change.
func TestDerivedUIDIsStable(t *testing.T) {
	const want = "1ed6bcb9-4830-5e33-8984-49fdc36d87e4"
	if got := identity.UID(identity.KindArticle, "acme-blog", "trail-shoes"); got != want {
		t.Errorf("UID = %s, want %s", got, want)
	}
}

func TestRecordIDSortsByAge(t *testing.T) {
	created := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var ids []string
	for i := range 5 {
		uid := identity.UID(identity.KindArticle, "w", strings.Repeat("x", i+1))
		ids = append(ids, identity.RecordID(uid, created.Add(time.Duration(i)*time.Second)))
	}
	if !sort.StringsAreSorted(ids) {
		t.Errorf("ids are not in the order of creation: %v", ids)
	}
	for _, id := range ids {
		if !identity.IsRecordID(id) {
			t.Errorf("IsRecordID(%q) = false", id)
		}
	}
}

func TestRecordIDTakesTheTimeOfAUUIDv7(t *testing.T) {
	// RFC 9562, appendix A.6: this UUIDv7 carries 2022-02-22T19:22:22.000Z.
	const uid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
	want := "017f22e279b0" + "dc0c0c07398f"
	if got := identity.RecordID(uid, time.Now()); got != want {
		t.Errorf("RecordID = %s, want %s", got, want)
	}
}

func TestIsRecordIDRefusesJunk(t *testing.T) {
	for _, s := range []string{"", "abc", strings.Repeat("g", 24), strings.Repeat("A", 24), strings.Repeat("a", 25)} {
		if identity.IsRecordID(s) {
			t.Errorf("IsRecordID(%q) = true", s)
		}
	}
}

func TestRevisionNameFitsAnObjectName(t *testing.T) {
	uid := identity.UID(identity.KindArticle, "w", strings.Repeat("a", 200))
	if got := identity.RevisionName(strings.Repeat("a", 200), uid, 1000000000); len(got) > 253 {
		t.Errorf("the name has %d characters, want at most 253", len(got))
	}
}

// Lists of kube-apiserver are in the order of names, and cannot be read from their end.
func TestEventIDsAreDifferentUUIDsThatSortNewestFirst(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	previous := "g"
	for i := range 100 {
		id := identity.EventID("s", "a", "Published", "r", at.Add(time.Duration(i*i)*time.Millisecond))
		if i > 0 && id >= previous {
			t.Errorf("%s does not sort before %s", id, previous)
		}
		if !identity.IsUID(id) || id[14] != '8' || seen[id] {
			t.Errorf("%s is no new UUIDv8", id)
		}
		if again := identity.EventID("s", "a", "Published", "r", at.Add(time.Duration(i*i)*time.Millisecond)); again != id {
			t.Errorf("%s and then %s", id, again)
		}
		seen[id], previous = true, id
	}
	for _, other := range [][4]string{{"t", "a", "Published", "r"}, {"s", "b", "Published", "r"}, {"s", "a", "Failed", "r"}, {"s", "a", "Published", "q"}} {
		id := identity.EventID(other[0], other[1], other[2], other[3], at)
		if seen[id] {
			t.Errorf("%v has the id of another event", other)
		}
		seen[id] = true
	}
}
