package system

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// keys finds an API key in what `pressroom keys create` prints, and in the env file.
var keys = regexp.MustCompile(`\bpr_ak_[a-z2-7]+_[0-9A-Za-z]+\b`)

// ensureKey uses the API key of an earlier run if it still works, else makes one. Kubernetes holds only its hash.
func (s *System) ensureKey(ctx context.Context) error {
	env, err := os.ReadFile(s.EnvFile())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("reading the API key: %w", err)
	}
	s.APIKey = keys.FindString(string(env))
	if c, err := credential.Parse(s.APIKey); err == nil {
		hash, err := s.Cluster.Kubectl(ctx, nil,
			"get", "apikeys.pressroom.dev", c.ID, "--ignore-not-found", "-o", "jsonpath={.spec.secretHash}")
		if err != nil || c.Matches(hash) {
			return err
		}
	}
	out, err := s.pressroom(ctx, "keys", "create", "--kubeconfig="+s.Cluster.Kubeconfig(), "--cell="+s.Cell.String(),
		"--account="+Account, "--scopes=read,write,approve,manage", "--name=development")
	if s.APIKey = keys.FindString(out); err == nil && s.APIKey == "" {
		err = errors.New("pressroom keys create has printed no key")
	}
	if err == nil {
		s.Say("an API key is made; Kubernetes holds only its hash")
	}
	return err
}

// sessionKeys returns the file with the key that seals sessions. It is made once, so that nobody is signed out by a restart.
func (s *System) sessionKeys() (string, error) {
	file := s.path("session-keys")
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		return file, err
	}
	key := make([]byte, 32)
	rand.Read(key)
	return file, os.WriteFile(file, []byte(base64.StdEncoding.EncodeToString(key)+"\n"), 0o600)
}

// SignInLink returns an address that signs a person in to the dashboard once, with the API key.
func (s *System) SignInLink(ctx context.Context) (string, error) {
	text, err := os.ReadFile(s.path("session-keys"))
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
	uid, err := s.Cluster.Kubectl(ctx, nil, "get", "apikeys.pressroom.dev", key.ID, "-o", "jsonpath={.metadata.uid}")
	if err != nil {
		return "", err
	}
	path, err := login.NewLink(keys, time.Now(), key.ID, types.UID(uid))
	return s.APIURL() + path, err
}
