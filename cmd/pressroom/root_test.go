package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestTheBinaryHasItsCommands(t *testing.T) {
	var got []string
	for _, c := range newRootCommand().Commands() {
		got = append(got, c.Name())
	}
	for _, want := range []string{"apiserver", "controller", "keys", "oauth-clients", "openapi"} {
		if !slices.Contains(got, want) {
			t.Errorf("commands are %v, want %s among them", got, want)
		}
	}
}

func TestServersHaveTheFlagsThatTheManifestsSet(t *testing.T) {
	for command, flags := range map[string][]string{
		"apiserver":  {"bind-address", "metrics-bind-address", "health-probe-bind-address", "kubeconfig", "system-namespace", "zap-log-level"},
		"controller": {"metrics-bind-address", "health-probe-bind-address", "kubeconfig", "system-namespace", "zap-log-level"},
	} {
		cmd, _, err := newRootCommand().Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range flags {
			if cmd.Flag(name) == nil {
				t.Errorf("%s has no flag --%s", command, name)
			}
		}
	}
}

// A flag that does nothing misleads.
func TestCommandsWithoutAClusterHaveNoFlagsOfOne(t *testing.T) {
	for _, command := range []string{"score", "eval", "openapi"} {
		for _, flag := range []string{"kubeconfig", "system-namespace", "zap-log-level"} {
			root := newRootCommand()
			root.SetArgs([]string{command, "--" + flag + "=x"})
			if err := root.Execute(); err == nil || err.Error() != "unknown flag: --"+flag {
				t.Errorf("%s --%s: err = %v, want an unknown flag", command, flag, err)
			}
		}
	}
}

func TestTheFlagsOfAClusterMayStandBeforeTheCommand(t *testing.T) {
	root := newRootCommand()
	root.SetArgs([]string{"--kubeconfig", "/nowhere/kubeconfig", "keys", "revoke", "bbbbbbbbbbbbbbbb"})
	if err := root.Execute(); err == nil || !strings.Contains(err.Error(), "/nowhere/kubeconfig") {
		t.Errorf("err = %v, want the path in it", err)
	}
}

func TestVersionIsPrinted(t *testing.T) {
	root := newRootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"--version"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), version) {
		t.Errorf("--version prints %q, want %s in it", out.String(), version)
	}
}

func TestANetworkThatIsNoneIsSaidWithWhatMustBe(t *testing.T) {
	for _, of := range [][2]string{
		{"apiserver", "trusted-proxy"}, {"apiserver", "allow-cidr"}, {"apiserver", "deny-cidr"}, {"controller", "allow-cidr"}, {"controller", "deny-cidr"},
	} {
		command, flag := of[0], of[1]
		root := newRootCommand()
		root.SetArgs([]string{command, "--" + flag + "=10.0.0"})
		want := "--" + flag + " must be a network such as 10.0.0.0/8"
		if err := root.Execute(); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), `not "10.0.0"`) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}

// Accounts register clients, and a second controller that somebody starts by hand waits for the first one.
func TestWhatAFlagHasToTurnOff(t *testing.T) {
	for name, server := range map[string]string{"oauth-client-registration": "apiserver", "leader-elect": "controller"} {
		command, _, err := newRootCommand().Find([]string{server})
		if err != nil {
			t.Fatal(err)
		}
		if flag := command.Flags().Lookup(name); flag == nil || flag.DefValue != "true" {
			t.Errorf("the flag %s is %+v, want true by default", name, flag)
		}
	}
}

func TestAMissingKubeconfigIsSaid(t *testing.T) {
	root := newRootCommand()
	root.SetArgs([]string{"keys", "revoke", "bbbbbbbbbbbbbbbb", "--kubeconfig=/nowhere/kubeconfig"})
	if err := root.Execute(); err == nil || !strings.Contains(err.Error(), "/nowhere/kubeconfig") {
		t.Errorf("err = %v, want the path in it", err)
	}
}
