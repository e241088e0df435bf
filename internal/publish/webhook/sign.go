package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

const (
	// SignatureHeader of a publish webhook (docs/reference/contract.md, Signature).
	SignatureHeader = "X-SERVICE-Signature"
	// Event of a publish webhook.
	Event = "post.publish"
	// TestEvent of a connection test. Receivers ignore an unknown event and answer 2xx (docs/reference/contract.md, Delivery).
	TestEvent = "connection.test"
)

// Sign returns the lower-case hex HMAC-SHA256 of the exact body (docs/reference/contract.md, Signature).
func Sign(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
