// Package identity derives the identifiers of the REST API from objects: uid, _id and run id (docs/contributing/design.md, Identifiers).
package identity

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Kinds that have a uid over REST.
const (
	KindArticle           = "Article"
	KindSite              = "Site"
	KindEventSubscription = "EventSubscription"
	KindBrief             = "Brief"
)

// space is the namespace (RFC 9562, section 5.5) of every UUIDv5 made here. It must never change.
var space = uuid.MustParse("6f3a3c3e-5d0b-5c2f-9a53-0b1d1f6f7a10")

// UID returns the uid of an object: its name if that is a lower-case UUID, else the UUIDv5 of kind, namespace and name. Both
// survive a restore and a rebuild from Git.
func UID(kind, namespace, name string) string {
	if IsUID(name) {
		return name
	}
	return derived(kind, namespace, name)
}

// IsUID reports whether s is a UUID in the canonical lower-case form of 36 characters.
func IsUID(s string) bool {
	if len(s) != 36 || strings.ToLower(s) != s {
		return false
	}
	_, err := uuid.Parse(s)
	return err == nil
}

// NewName returns a UUIDv7, which is both the name and the uid of a new object.
func NewName() string {
	// Reading random bytes never fails.
	return uuid.Must(uuid.NewV7()).String()
}

// IdempotentName returns the name of the object that a request creates under an Idempotency-Key. It is a function of
// workspace and key, so creating it again fails with AlreadyExists.
func IdempotentName(workspace, key string) string {
	return derived(workspace, key)
}

func derived(parts ...string) string { return uuid.NewSHA1(space, []byte(encoded(parts...))).String() }

// encoded returns one string for the parts, so that different parts give different strings.
func encoded(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		// The length distinguishes ("a", "bc") from ("ab", "c").
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return b.String()
}

// RecordID returns the _id of the object with this uid: 12 hex digits of the creation time in milliseconds and the last 12
// of the uid. It sorts by age and is the cursor of lists. If the uid is a UUIDv7, the time is taken from it.
func RecordID(uid string, created time.Time) string {
	ms := created.UnixMilli()
	if id, err := uuid.Parse(uid); err == nil && id.Version() == 7 {
		sec, nsec := id.Time().UnixTime()
		ms = sec*1000 + nsec/int64(time.Millisecond)
	}
	return fmt.Sprintf("%012x%s", ms&0xffffffffffff, uid[len(uid)-12:])
}

// IsRecordID reports whether s has the form of an _id: 24 lower-case hex digits.
func IsRecordID(s string) bool {
	return len(s) == 24 && strings.Trim(s, "0123456789abcdef") == ""
}

// RevisionName returns the name of an article's revision, which is also the id of the run that creates it.
func RevisionName(article, uid string, number int32) string {
	return fmt.Sprintf("%s-%s-%d", article, uid[:8], number)
}

// EventID returns the name of the delivery of one event to one subscription, which is also its webhook-id. It is a function of
// subscription, article, event, revision and the time of the event, so each delivery is created once. It is a UUIDv8 (RFC 9562,
// section 5.8) that begins with the milliseconds until the year 10889: names sort by time, the newest first, as lists of
// kube-apiserver do.
func EventID(subscriptionUID, articleUID, event, revision string, at time.Time) string {
	const first48 = 1<<48 - 1
	id := uuid.NewSHA1(space, []byte(encoded("event", subscriptionUID, articleUID, event, revision)))
	var left [8]byte
	binary.BigEndian.PutUint64(left[:], uint64(first48-min(max(at.UnixMilli(), 0), first48)))
	copy(id[:6], left[2:])
	id[6] = id[6]&0x0f | 0x80
	return id.String()
}

// RecordTime returns the time that an _id begins with, in milliseconds; the zero time if s is not an _id.
func RecordTime(s string) time.Time {
	if !IsRecordID(s) {
		return time.Time{}
	}
	ms, _ := strconv.ParseInt(s[:12], 16, 64)
	return time.UnixMilli(ms).UTC()
}

// PostName returns the name of the Post of a slug at a destination. If creating it fails with AlreadyExists, another article has the
// slug.
func PostName(destination, slug string) string {
	sum := sha256.Sum256([]byte(destination))
	return slug + "-" + hex.EncodeToString(sum[:8])
}
