// Package eventhook sends events about articles, signed as the Standard Webhooks specification says.
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
	// minSecret and maxSecret are the specification's bounds in bytes, newSecret is what is made here.
	minSecret, newSecret, maxSecret = 24, 32, 64
)

// ErrSecret says that a signing secret is not of the form that the specification asks for. It tells nothing of the secret.
var ErrSecret = errors.New("the signing secret must be whsec_ and the base64 of 24 to 64 random bytes")

// NewSecret makes a signing secret.
func NewSecret(random io.Reader) (string, error) {
	key := make([]byte, newSecret)
	if _, err := io.ReadFull(random, key); err != nil {
		return "", fmt.Errorf("making a signing secret: %w", err)
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(key), nil
}

// ParseSecret returns the key that a signing secret stands for. White space around it, such as a file's last line end, is
// no part of it.
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
