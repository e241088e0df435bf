package system

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/pressroom-dev/pressroom/hack/dev/datafolder"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// keyVariable holds the API key in the env file.
const keyVariable = "PRESSROOM_API_KEY"

// keys finds an API key in what `pressroom keys create` prints.
var keys = regexp.MustCompile(`\bpr_ak_[a-z2-7]+_[0-9A-Za-z]+\b`)

// ensureKey uses the API key of an earlier run if it still works, else makes one. Kubernetes holds only its hash.
func (s *System) ensureKey(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shortly)
	defer cancel()
	old, err := datafolder.ReadEnv(s.EnvFile(), keyVariable)
	if err != nil {
		return err
	}
	// There is no key before the first run, and none that can be parsed if somebody has changed the file.
	if c, err := credential.Parse(old); err == nil {
		works, err := s.keyWorks(ctx, c)
		if err != nil {
			return err
		}
		if works {
			s.APIKey = old
			return nil
		}
	}
	if s.APIKey, err = s.createKey(ctx); err != nil {
		return err
	}
	s.Say("an API key is made; Kubernetes holds only its hash")
	return nil
}

// keyWorks reports whether the APIKey of a key exists and holds its hash.
func (s *System) keyWorks(ctx context.Context, c credential.Credential) (bool, error) {
	hash, err := s.Cluster.Kubectl(ctx, nil, "get", "apikeys.pressroom.dev", "-n", Namespace, c.ID, "--ignore-not-found",
		"-o", "jsonpath={.spec.secretHash}")
	if err != nil {
		return false, err
	}
	return c.Matches(strings.TrimSpace(hash)), nil
}

// createKey makes a key with the command that a person uses.
func (s *System) createKey(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, s.Binary(), "keys", "create",
		"--kubeconfig="+s.Cluster.Kubeconfig(), "--system-namespace="+Namespace,
		"--account="+Account, "--scopes=read,write,approve,manage", "--name=development")
	cmd.Env = os.Environ()
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("pressroom keys create: %w: %s", err, strings.TrimSpace(problem.String()))
	}
	key := keys.FindString(out.String())
	if key == "" {
		return "", errors.New("pressroom keys create has printed no key")
	}
	return key, nil
}
