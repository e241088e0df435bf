// Package eventhook sends events about articles, signed as the Standard Webhooks specification requires.
package eventhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
)

// The headers of Standard Webhooks, in the specification's spelling.
const (
	IDHeader        = "webhook-id"
	TimestampHeader = "webhook-timestamp"
	SignatureHeader = "webhook-signature"
)

// Target is the URL to send to, and the keys to sign with: the current one, and the previous one during a rotation.
type Target struct {
	URL  string
	Keys [][]byte
	// Token of GitHub; empty for the other formats.
	Token string
}

// Message is one event. The same id and body are sent on every attempt.
type Message struct {
	ID   string
	Type string
	Body []byte
}

// Sign returns the signature header: v1 and the base64 HMAC-SHA256 of id, seconds and body, one for each key.
func Sign(keys [][]byte, id string, at time.Time, body []byte) string {
	signatures := make([]string, 0, len(keys))
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + seconds(at) + "."))
		mac.Write(body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(signatures, " ")
}

func seconds(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// Send makes one attempt, with a timestamp of its own.
func Send(ctx context.Context, client *http.Client, clock clock.Clock, t Target, m Message) publish.Outcome {
	if len(t.Keys) == 0 {
		return publish.NotSent(false, "there is no signing secret")
	}
	now := clock.Now()
	signature := Sign(t.Keys, m.ID, now, m.Body)
	request := signedpost.Request{
		URL: t.URL, Event: m.Type, Body: m.Body,
		Signature: http.Header{IDHeader: {m.ID}, TimestampHeader: {seconds(now)}, SignatureHeader: {signature}},
		Secrets:   slices.Concat(encoded(t.Keys), strings.Fields(signature)),
	}
	if t.Token != "" {
		authorize(&request, t.Token)
	}
	return signedpost.Send(ctx, client, clock, request)
}

// encoded returns the keys as they stand in Secrets, without the prefix.
func encoded(keys [][]byte) []string {
	secrets := make([]string, 0, len(keys))
	for _, key := range keys {
		secrets = append(secrets, base64.StdEncoding.EncodeToString(key))
	}
	return secrets
}

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
