package system

import (
	"fmt"
	"os"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// SignInLink returns an address that signs a person in to the dashboard once, with the API key.
func (s *System) SignInLink() (string, error) {
	file, err := s.sessionKeys()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("reading the session keys: %w", err)
	}
	keys, err := seal.ParseKeys(text)
	if err != nil {
		return "", err
	}
	key, err := credential.Parse(s.APIKey)
	if err != nil {
		return "", err
	}
	path, err := login.NewLink(keys, time.Now(), key.ID, Account)
	return s.APIURL() + path, err
}
