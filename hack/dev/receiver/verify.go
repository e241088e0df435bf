package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// The headers of a publish webhook (contract, section 4).
const (
	EventHeader     = "X-SERVICE-Event"
	SignatureHeader = "X-SERVICE-Signature"
	PublishEvent    = "post.publish"
	// TestEvent tests the connection and carries no article.
	TestEvent = "connection.test"
)

// Verify reports whether a signature is the lower-case hex HMAC-SHA256 of the exact bytes of a body (contract, section 5), in
// constant time. Requests carry no time, so none is too old.
func Verify(secret, body []byte, signature string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}
