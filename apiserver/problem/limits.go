package problem

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// The reasons of RATE_LIMIT_EXCEEDED and LIMIT_REACHED, of INSUFFICIENT_CREDITS where not the credits are used up, and of UNAVAILABLE where
// a limit is behind it. Each limit has one.
const (
	// ReasonRequests means that the key, or the account with all its keys, has sent too many requests to this replica at once.
	ReasonRequests Reason = "requests"
	// ReasonGenerateMinute means that the account has asked for too many articles within a minute.
	ReasonGenerateMinute Reason = "generate_minute"
	// ReasonGenerateDay means that the site has as many articles as it may get in a day, which begins at 00:00 UTC.
	ReasonGenerateDay Reason = "generate_day"
	// ReasonGenerateKeyDay means that the API key has taken its credits of the day, which begins at 00:00 UTC.
	ReasonGenerateKeyDay Reason = "generate_key_day"
	// ReasonBudgetReached means that the account's budget of the month is used up. The next month begins at 00:00 UTC on the 1st.
	ReasonBudgetReached Reason = "budget_reached"
	// ReasonGenerateConcurrent means that too many articles of the account are being started at once.
	ReasonGenerateConcurrent Reason = "generate_concurrent"
	// ReasonUnknownObjects means that the account has asked for too many objects that the replica does not know.
	ReasonUnknownObjects Reason = "unknown_objects"
	// ReasonBodies means that the bodies of the account's requests in progress are too large together.
	ReasonBodies Reason = "bodies"
	// ReasonWrittenBytes means that the account has written too many bytes in the last minutes.
	ReasonWrittenBytes Reason = "written_bytes"
	// ReasonAccountLimit means that the account has as many objects of a kind as it may: `details` names the limit.
	ReasonAccountLimit Reason = "account_limit"
	// ReasonWorkspaceQuota means that the operator's quota of the workspace is used up: only they can raise it.
	ReasonWorkspaceQuota Reason = "workspace_quota"
)

// The units of a quota that is not one of requests (draft-ietf-httpapi-ratelimit-headers-10).
const unitBytes = "content-bytes"

// RateLimit is a limit of requests, or of what they carry, that ends with time.
type RateLimit struct {
	Reason Reason
	// Policy is the name of the limit in the header, and Quota is how much it allows in the Window. A quota that comes back when
	// requests end has none.
	Policy string
	Quota  int64
	Window time.Duration
	// unit of the quota; empty for requests.
	unit string
}

// The limits of which an answer knows how much they allow.
func minuteLimit() RateLimit {
	return RateLimit{Reason: ReasonGenerateMinute, Policy: "generate", Quota: ledger.MinuteLimit, Window: time.Minute}
}

func dayLimit(articles int64) RateLimit {
	return RateLimit{Reason: ReasonGenerateDay, Policy: "generate-day", Quota: articles, Window: 24 * time.Hour}
}

func keyDayLimit(credits int64) RateLimit {
	return RateLimit{Reason: ReasonGenerateKeyDay, Policy: "generate-key-day", Quota: credits, Window: 24 * time.Hour}
}

// UnknownObjects is the limit of look-ups of what a replica does not know.
func UnknownObjects(atOnce int64, window time.Duration) RateLimit {
	return RateLimit{Reason: ReasonUnknownObjects, Policy: "unknown-objects", Quota: atOnce, Window: window}
}

// Bodies is the limit of the bytes in the bodies of an account's requests in progress.
func Bodies(bytes int64) RateLimit {
	return RateLimit{Reason: ReasonBodies, Policy: "bodies", Quota: bytes, unit: unitBytes}
}

// WrittenBytes is the limit of what an account writes.
func WrittenBytes(bytes int64, window time.Duration) RateLimit {
	return RateLimit{Reason: ReasonWrittenBytes, Policy: "written-bytes", Quota: bytes, Window: window, unit: unitBytes}
}

// The header fields of draft-ietf-httpapi-ratelimit-headers-10. An answer has those of the share of its credential too.
const (
	policyHeader = "Ratelimit-Policy"
	leftHeader   = "Ratelimit"
)

// Reached is the answer to a request for more than a limit allows for now.
func (l RateLimit) Reached(message string, wait time.Duration) *APIError {
	e := New(http.StatusTooManyRequests, CodeRateLimited, message).After(wait)
	e.Problem.Reason = l.Reason
	policy := fmt.Sprintf("%q;q=%d", l.Policy, l.Quota)
	if l.unit != "" {
		policy += fmt.Sprintf(";qu=%q", l.unit)
	}
	if l.Window > 0 {
		policy += fmt.Sprintf(";w=%.0f", l.Window.Seconds())
	}
	e.header = http.Header{
		policyHeader: {policy}, leftHeader: {fmt.Sprintf(`%q;r=0;t=%.0f`, l.Policy, math.Ceil(wait.Seconds()))},
	}
	return e
}

// TooManyRequests is the answer to a key, or an account, that has used up its share of the replica. The header has that share already.
func TooManyRequests(wait time.Duration) *APIError {
	e := New(http.StatusTooManyRequests, CodeRateLimited, "too many requests with this key, or of its account").After(wait)
	e.Problem.Reason = ReasonRequests
	return e
}
