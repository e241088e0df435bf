package rest

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// An answer with a secret must be the same when its request is repeated, and nothing that is stored may reveal the secret. So it is not
// stored. It is derived (HKDF, RFC 5869) from the credential of the request, of which Pressroom stores only a hash, from the
// Idempotency-Key, and from a random salt in the record. Once the record is deleted, nobody can derive the secret again.

const (
	// saltBytes are those of a record's salt.
	saltBytes = 32
	// derivedBytes are enough for a name and a secret.
	derivedBytes = 128
	// hashInfo and secretInfo keep what is derived for one purpose apart from the other.
	hashInfo, secretInfo = "pressroom request hash ", "pressroom secret "
)

// secretRequest is a request for an operation whose answer has a secret. Without an Idempotency-Key its name is empty.
type secretRequest struct {
	keyedRequest
	credential string
}

// secretRequest returns the identity of a request. The scope is the workspace or the account that its key is for. Its hash depends on the
// credential: under another one the key was used for another request.
func (in Idempotent) secretRequest(c *call, namespace, scope, operation string, body any) (secretRequest, error) {
	if in.Key == "" {
		return secretRequest{}, nil
	}
	data, err := json.Marshal(body)
	if err != nil {
		return secretRequest{}, fmt.Errorf("hashing the request: %w", err)
	}
	name := identity.IdempotentName(scope, operation, string(in.Key))
	proof, err := hkdf.Key(sha256.New, []byte(c.credential), nil, hashInfo+name, sha256.Size)
	if err != nil {
		return secretRequest{}, fmt.Errorf("hashing the request: %w", err)
	}
	sum := sha256.Sum256(append(proof, data...))
	return secretRequest{credential: c.credential, keyedRequest: keyedRequest{
		namespace: namespace, name: name, operation: operation, hash: hex.EncodeToString(sum[:]),
	}}, nil
}

// random returns the bytes that the name and the secret are made of: the same ones for the same salt, and others without a key.
func (r secretRequest) random(salt string) (io.Reader, error) {
	if r.name == "" {
		return rand.Reader, nil
	}
	if r.credential == "" || salt == "" {
		return nil, problem.Conflict("the Idempotency-Key was used for another request")
	}
	derived, err := hkdf.Key(sha256.New, []byte(r.credential), []byte(salt), secretInfo+r.name, derivedBytes)
	if err != nil {
		return nil, fmt.Errorf("deriving a secret: %w", err)
	}
	return bytes.NewReader(derived), nil
}

// newSalt returns the salt of a new record.
func newSalt() (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := rand.Read(salt); err != nil {
		return "", fmt.Errorf("making a salt: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(salt), nil
}
