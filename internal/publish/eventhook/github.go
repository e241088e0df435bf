package eventhook

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/internal/publish/answer"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
	"github.com/pressroom-dev/pressroom/internal/retryafter"
)

// dispatchPrefix begins the event_type of a repository_dispatch, so that a workflow can tell the events of Pressroom from others.
const dispatchPrefix = "pressroom."

// repositoryDispatch is the body of GitHub's operation "Create a repository dispatch event". GitHub takes an event_type of at most 100
// characters, and a client_payload of at most 10 members and less than 64 KB. The events have 3 members, and never the text of an article.
type repositoryDispatch struct {
	EventType     string `json:"event_type"`
	ClientPayload Body   `json:"client_payload"`
}

// maxToken is the longest token that is sent, in bytes. GitHub's are 40 to 255 bytes long.
const maxToken = 1024

var printable = regexp.MustCompile(`^[\x21-\x7e]+$`)

// ErrToken reports that an access token cannot stand in a header. It holds nothing of the token.
var ErrToken = errors.New("the token must be at most 1024 printable ASCII characters, without blanks")

// ParseToken returns an access token as it stands in a Secret. White space around it, such as the last line end of a file, is ignored.
func ParseToken(token string) (string, error) {
	token = strings.TrimSpace(token)
	if len(token) > maxToken || !printable.MatchString(token) {
		return "", ErrToken
	}
	return token, nil
}

// authorize adds the token of GitHub to a request, and has its answers judged as GitHub means them.
func authorize(r *signedpost.Request, token string) {
	r.Signature["Authorization"] = []string{"Bearer " + token}
	r.Secrets = append(r.Secrets, token)
	r.Refused = refusedByGitHub
}

// refusedByGitHub says what a status other than 2xx means. That the token is not valid, that the repository is not there or not for the
// token, and that GitHub does not take the body is final. A 403 is a missing permission or a rate limit.
func refusedByGitHub(status int, header http.Header, now time.Time) signedpost.Refusal {
	switch status {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusGone, http.StatusUnprocessableEntity:
		return signedpost.Refusal{Final: true}
	case http.StatusForbidden, http.StatusTooManyRequests:
		asked := retryafter.Parse(header.Get("Retry-After"), now)
		return signedpost.Refusal{RetryAfter: cmp.Or(asked, untilReset(header, now), time.Minute)}
	default:
		return signedpost.Refusal{RetryAfter: answer.RetryAfter(status, header, now)}
	}
}

// untilReset returns the time until a used up rate limit begins again, at most an hour; 0 if it is not used up.
func untilReset(header http.Header, now time.Time) time.Duration {
	if header.Get("X-RateLimit-Remaining") != "0" {
		return 0
	}
	seconds, err := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil {
		return 0
	}
	return min(max(time.Unix(seconds, 0).Sub(now), 0), retryafter.Max)
}
