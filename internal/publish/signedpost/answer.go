package signedpost

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

// maxAnswer is how much of an answer's body is read, in bytes: a little under 64 KiB, so that the decoder's buffer, which doubles,
// ends there.
const maxAnswer = 63 << 10

// readAnswer takes id and url from the body of a 2xx (docs/reference/contract.md, Answer of a receiver). The attempt is accepted whatever
// the body holds and however it ends, so everything that cannot be used counts as absent. Reading stops at the end of the JSON object: a
// receiver that goes on sending delays nothing.
func readAnswer(body io.Reader) (id, link string) {
	r := bufio.NewReader(io.LimitReader(body, maxAnswer))
	skipMark(r)
	// Decoding into a struct takes linear time however slowly the bytes arrive, and keeps these two members only; reading token by
	// token or into a map does neither. Names match in any case: .NET receivers send Id and Url.
	var named struct {
		ID  postID  `json:"id"`
		URL postURL `json:"url"`
	}
	if err := json.NewDecoder(r).Decode(&named); err != nil {
		return "", ""
	}
	return string(named.ID), string(named.URL)
}

// skipMark skips the byte-order mark that some editors write at the start of a PHP file, and PHP sends.
func skipMark(r *bufio.Reader) {
	const mark = "\uFEFF"
	if start, err := r.Peek(len(mark)); err == nil && string(start) == mark {
		// Discarding what is buffered cannot fail.
		_, _ = r.Discard(len(mark))
	}
}

// postID is a string, or a number as the receiver wrote it. Another value, or one that is blank, too long or not printable, counts
// as absent.
type postID string

// UnmarshalJSON implements json.Unmarshaler.
func (id *postID) UnmarshalJSON(raw []byte) error {
	text := readString(raw)
	if raw[0] == '-' || (raw[0] >= '0' && raw[0] <= '9') {
		text = string(raw)
	}
	if answer.IsID(text) {
		*id = postID(text)
	}
	return nil
}

// postURL is an absolute http or https URL that is safe in a link. Another value counts as absent.
type postURL string

// UnmarshalJSON implements json.Unmarshaler.
func (u *postURL) UnmarshalJSON(raw []byte) error {
	if text := readString(raw); answer.IsLink(text) {
		*u = postURL(text)
	}
	return nil
}

// readString returns the text of a JSON string, and "" of another value.
func readString(raw []byte) string {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// judge judges an answer by its status. Only the body of a 2xx can name the post (docs/reference/contract.md, Answer of a receiver).
func judge(resp *http.Response, body *recorder, refused Refusal, stop func()) publish.Outcome {
	status := resp.StatusCode
	if status >= 200 && status <= 299 {
		id, link := readAnswer(body)
		return publish.Outcome{
			ID: id, URL: link, AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted, HTTPStatus: int32(status)},
		}
	}
	if status < 100 || status > 999 {
		return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptConnectionFailed, ErrorClass: v1alpha1.ErrorInvalidAnswer,
			Message: "the answer has no valid HTTP status",
		}}
	}
	late := time.AfterFunc(explanationTime, stop)
	defer late.Stop()
	body.fill()
	return publish.Outcome{
		AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, ErrorClass: classOf(status), HTTPStatus: int32(status),
			Message: rejection(status, refused.Final),
		},
		Final: refused.Final, RetryAfter: refused.RetryAfter,
	}
}

// classOf is the class of a status other than 2xx.
func classOf(status int) v1alpha1.ErrorClass {
	switch status / 100 {
	case 3:
		return v1alpha1.ErrorRedirect
	case 4:
		return v1alpha1.ErrorClient
	case 5:
		return v1alpha1.ErrorServer
	default:
		return v1alpha1.ErrorUnexpectedStatus
	}
}

// rejection describes a status other than 2xx. It leaves out the text that the receiver sent beside the status, which could be
// anything.
func rejection(status int, final bool) string {
	message := fmt.Sprintf("the receiver answered %d", status)
	if text := http.StatusText(status); text != "" {
		message += " " + text
	}
	if final {
		return message + ": delivery is not retried"
	}
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return message + ": redirects are not followed"
	default:
		return message
	}
}
