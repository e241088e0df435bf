package credentials_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/project"
)

// forAgent makes the manifest of a key for an agent, and returns it with what is printed beside it.
func forAgent(t *testing.T, args ...string) (key v1alpha1.APIKey, stderr string) {
	t.Helper()
	stdout, stderr, err := run(append([]string{"create", "--account=acme", "--for-agent", "-o=yaml"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict([]byte(stdout), &key); err != nil {
		t.Fatal(err)
	}
	return key, stderr
}

func TestAKeyForAnAgentIsLimited(t *testing.T) {
	key, _ := forAgent(t, "--workspaces=acme-blog")
	s := key.Spec
	if got := s.Scopes; len(got) != 2 || got[0] != v1alpha1.ScopeRead || got[1] != v1alpha1.ScopeWrite {
		t.Errorf("its scopes are %v, want read and write", got)
	}
	if len(s.Workspaces) != 1 || s.Workspaces[0] != "acme-blog" || s.DisplayName != "agent" {
		t.Errorf("it is %q for %v", s.DisplayName, s.Workspaces)
	}
	if want := time.Date(2027, 2, 18, 12, 0, 0, 0, time.UTC); s.ExpirationTime == nil || !s.ExpirationTime.Time.Equal(want) {
		t.Errorf("it ends %v, want in 90 days", s.ExpirationTime)
	}
	if got := s.Limits.CreditsPerDay; got == nil || *got != 20 {
		t.Errorf("its limit is %v, want 20 credits a day", got)
	}
	key, _ = forAgent(t, "--workspaces=acme-blog", "--scopes=read", "--expires-in=1h", "--credits-per-day=0", "--name=Reader")
	if s := key.Spec; len(s.Scopes) != 1 || s.DisplayName != "Reader" || *s.Limits.CreditsPerDay != 0 || s.ExpirationTime.Day() != 20 {
		t.Errorf("with flags it is %+v", s)
	}
}

func TestNoAgentGetsMore(t *testing.T) {
	for name, tt := range map[string]struct{ args, want string }{
		"all workspaces":       {"", "--workspaces"},
		"two workspaces":       {"--workspaces=a,b", "--workspaces"},
		"approve":              {"--workspaces=a --scopes=read,write,approve", "may not have approve"},
		"manage":               {"--workspaces=a --scopes=manage,read", "may not have manage"},
		"nothing to read":      {"--workspaces=a --scopes=write", "--scopes"},
		"no end":               {"--workspaces=a --expires-in=0", "--expires-in"},
		"no limit":             {"--workspaces=a --credits-per-day=-1", "--credits-per-day"},
		"no address":           {"--workspaces=a --base-url=api.example.com", "--base-url"},
		"an address of a file": {"--workspaces=a --base-url=file:///etc", "--base-url"},
		"an address that a shell would run": {
			"--workspaces=a --base-url=https://$(id).example", "--base-url",
		},
		"an address with a password": {"--workspaces=a --base-url=https://u:p@api.example.com", "--base-url"},
	} {
		stdout, stderr, err := run(append([]string{"create", "--account=acme", "--for-agent"}, strings.Fields(tt.args)...)...)
		if err == nil || !strings.Contains(err.Error(), tt.want) || stdout+stderr != "" {
			t.Errorf("%s: got %q, %v, want an error about %s", name, stdout+stderr, err, tt.want)
		}
	}
	if _, _, err := run("create", "--account=acme", "--base-url=https://api.example.com"); err == nil || !strings.Contains(err.Error(), "--for-agent") {
		t.Errorf("an address for no agent: got %v", err)
	}
}

func TestTheConfigurationOfClientsHasTheAddressAndNotTheKey(t *testing.T) {
	_, stderr := forAgent(t, "--workspaces=acme-blog", "--base-url=https://api.acme.example/press/")
	printed, config, _ := strings.Cut(stderr, "\n")
	key, err := credential.Parse(printed)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(config, strings.Split(key.Reveal(), "_")[3]) {
		t.Error("the key is printed twice")
	}
	const url = "https://api.acme.example/press/mcp"
	if n := strings.Count(config, url+" ") + strings.Count(config, url+"\n") + strings.Count(config, url+`"`); n != 3 {
		t.Errorf("%d clients get the address: %s", n, config)
	}
	if want := `claude mcp add --transport http pressroom ` + url + ` --header "x-api-key: $PRESSROOM_API_KEY"`; !strings.Contains(config, want) {
		t.Errorf("Claude Code is not told %s", want)
	}
	var code struct {
		Inputs []struct {
			ID string `json:"id"`
		} `json:"inputs"`
		Servers map[string]struct {
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		} `json:"servers"`
	}
	decoder := json.NewDecoder(strings.NewReader(after(t, config, "{\n")))
	if err := decoder.Decode(&code); err != nil {
		t.Fatal(err)
	}
	if server := code.Servers["pressroom"]; server.URL != url || server.Headers["x-api-key"] != "${input:"+code.Inputs[0].ID+"}" {
		t.Errorf("VS Code gets %+v", code)
	}
	manifest, _, _ := strings.Cut(config[strings.Index(config, "<<END\n")+len("<<END\n"):], "\nEND\n")
	var server struct {
		Spec struct {
			URL, Protocol string
			HeadersFrom   []struct {
				Name      string
				ValueFrom struct{ Type, Name, Key string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(manifest), &server); err != nil {
		t.Fatal(err)
	}
	from := server.Spec.HeadersFrom[0]
	if server.Spec.URL != url || from.Name != "x-api-key" || from.ValueFrom.Type != "Secret" ||
		!strings.Contains(config, "create secret generic "+from.ValueFrom.Name+" --from-literal="+from.ValueFrom.Key+"=") {
		t.Errorf("kagent gets %+v", server)
	}
}

// People copy from the page what the command prints.
func TestThePageHasTheConfigurationThatIsPrinted(t *testing.T) {
	_, stderr := forAgent(t, "--workspaces=acme-blog", "--base-url=https://api.acme.example")
	page, err := os.ReadFile(filepath.Join(project.Root(), "docs", "how-to", "agents.md"))
	if err != nil {
		t.Fatal(err)
	}
	code, _, _ := strings.Cut(after(t, stderr, "  {\n"), "\n  }\n")
	code = strings.ReplaceAll(code+"\n  }", "\n  ", "\n")[2:]
	claude, _, _ := strings.Cut(after(t, stderr, "claude mcp add"), "\n")
	secret, _, _ := strings.Cut(after(t, stderr, "kubectl create secret"), "\n")
	for _, printed := range []string{code, claude, secret} {
		if !strings.Contains(string(page), printed) {
			t.Errorf("the page lacks %s", printed)
		}
	}
}

func TestWithoutAnAddressTheConfigurationSaysWhatToReplace(t *testing.T) {
	_, stderr := forAgent(t, "--workspaces=acme-blog")
	if !strings.Contains(stderr, "https://pressroom.example.com/mcp") || !strings.Contains(stderr, "Replace https://pressroom.example.com ") {
		t.Errorf("it says %s", stderr)
	}
}

// after returns a text from the first place on where it has some words.
func after(t *testing.T, text, words string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, words)
	if !found {
		t.Fatalf("%q is not in %s", words, text)
	}
	return words + rest
}
