package receiver_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// sign signs as the service does. The golden signature in receiver_test.go proves that this is what openssl computes.
func sign(body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}
