package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"regexp"
)

// ValidChallenge reports whether a code challenge has the form of method S256.
func ValidChallenge(challenge string) bool { return challengeForm.MatchString(challenge) }

var (
	// challengeForm is the base64url of 32 bytes (RFC 7636, section 4.2).
	challengeForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
	// verifierForm is that of RFC 7636, section 4.1.
	verifierForm = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)
)

// proves reports whether a code verifier belongs to a challenge. A verifier without a challenge is refused: somebody may have
// removed the challenge from the request (RFC 9700, section 4.8.2).
func proves(verifier, challenge string) bool {
	if verifier == "" || challenge == "" {
		return verifier == challenge
	}
	sum := sha256.Sum256([]byte(verifier))
	want := base64.RawURLEncoding.EncodeToString(sum[:])
	return subtle.ConstantTimeCompare([]byte(want), []byte(challenge)) == 1 && verifierForm.MatchString(verifier)
}
