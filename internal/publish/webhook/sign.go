package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

const (
	// SignatureHeader of a publish webhook (contract, section 4).
	SignatureHeader = "X-SERVICE-Signature"
	// Event of a publish webhook.
	Event = "post.publish"
	// TestEvent of a connection test. The contract has receivers ignore it and answer 2xx (section 6, rule 4).
	TestEvent = "connection.test"
)

// Sign returns the lower-case hex HMAC-SHA256 of the exact body (contract, section 5).
func Sign(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
