// Package eventhook sends events about articles, signed as the Standard Webhooks specification requires.
package eventhook

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// secretPrefix marks a signing secret of Standard Webhooks.
	secretPrefix = "whsec_"
	// minSecret and maxSecret are the specification's bounds in bytes, newSecret is the length of secrets made here.
	minSecret, newSecret, maxSecret = 24, 32, 64
)

// ErrSecret reports that a signing secret does not have the form that the specification requires. It holds nothing of the secret.
var ErrSecret = errors.New("the signing secret must be whsec_ and the base64 of 24 to 64 random bytes")

// NewSecret makes a signing secret.
func NewSecret(random io.Reader) (string, error) {
	key := make([]byte, newSecret)
	if _, err := io.ReadFull(random, key); err != nil {
		return "", fmt.Errorf("making a signing secret: %w", err)
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(key), nil
}

// ParseSecret returns the key that a signing secret encodes. White space around it, such as the last line end of a file, is
// ignored.
func ParseSecret(secret string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(secret), secretPrefix)
	if !ok {
		return nil, ErrSecret
	}
	key, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(key) < minSecret || len(key) > maxSecret {
		return nil, ErrSecret
	}
	return key, nil
}
