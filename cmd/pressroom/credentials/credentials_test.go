package credentials_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/cmd/pressroom/credentials"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

var errAway = errors.New("there is no cluster")

// run runs a command that does not reach a cluster. What commands do on one is proved in cmd/pressroom.
func run(args ...string) (stdout, stderr string, err error) {
	var out, problems bytes.Buffer
	root := &cobra.Command{Use: "keys", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(credentials.NewKeysCommands(credentials.Source{
		Config: func(*cobra.Command) (*rest.Config, error) { return nil, errAway },
		Clock:  clocktesting.NewFakePassiveClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)),
	})...)
	root.SetOut(&out)
	root.SetErr(&problems)
	root.SetArgs(args)
	err = root.Execute()
	return out.String(), problems.String(), err
}

func TestAManifestNeedsNoCluster(t *testing.T) {
	stdout, stderr, err := run("create", "--account=acme", "--cell=7b", "-o", "yaml")
	if err != nil {
		t.Fatal(err)
	}
	secret, err := credential.Parse(strings.SplitN(stderr, "\n", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	key := &v1alpha1.APIKey{}
	if err := yaml.UnmarshalStrict([]byte(stdout), key); err != nil {
		t.Fatal(err)
	}
	if key.Name != secret.ID || !strings.HasPrefix(key.Name, "7b") || !secret.Matches(key.Spec.SecretHash) || strings.Contains(stdout, secret.Reveal()) {
		t.Errorf("the manifest is %s", stdout)
	}
}

func TestWhatNeedsAClusterSaysThatThereIsNone(t *testing.T) {
	for _, args := range [][]string{
		{"create", "--account=acme"}, {"revoke", "aaaaaaaaaaaaaaaa"}, {"made", "--account=acme", "mara@acme.example"},
	} {
		if stdout, _, err := run(args...); !errors.Is(err, errAway) || stdout != "" {
			t.Errorf("%v: got %q, %v", args, stdout, err)
		}
	}
}

func TestArgumentsThatMakeNoSenseAreRefusedBeforeTheClusterIsAsked(t *testing.T) {
	for name, args := range map[string][]string{
		"an argument to create":      {"create", "--account=acme", "acme"},
		"an installation":            {"create", "--account=acme", "--cell=7B"},
		"nothing to revoke":          {"revoke"},
		"no key":                     {"revoke", "aaaaaaaaaaaaaaaa", "not-a-key"},
		"made by whom":               {"made", "--account=acme"},
		"made without an account":    {"made", "aaaaaaaaaaaaaaaa"},
		"a flag that is not there":   {"revoke", "--force", "aaaaaaaaaaaaaaaa"},
		"a time that is no duration": {"create", "--account=acme", "--expires-in=soon"},
	} {
		if stdout, _, err := run(args...); err == nil || errors.Is(err, errAway) || stdout != "" {
			t.Errorf("%s: got %q, %v", name, stdout, err)
		}
	}
}

// What is given may be most of a key.
func TestAnErrorDoesNotRepeatWhatMayBeAKey(t *testing.T) {
	_, stderr, err := run("create", "--account=acme", "-o=yaml")
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.SplitN(stderr, "\n", 2)[0][:credential.Length-1]
	secret := strings.Split(broken, "_")[3]
	stdout, stderr, err := run("revoke", broken)
	if err == nil || strings.Contains(err.Error()+stdout+stderr, secret[:8]) {
		t.Errorf("got %v", err)
	}
}
