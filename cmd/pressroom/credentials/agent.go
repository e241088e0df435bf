package credentials

import (
	"bytes"
	_ "embed"
	"net/url"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/spf13/cobra"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// What a key for an agent has, unless flags say otherwise: agents take credits in loops that nobody watches, and are forgotten.
const (
	agentCreditsPerDay = 20
	agentLife          = 90 * 24 * time.Hour
	agentName          = "agent"
)

// placeholderURL stands in the configuration if no address is given.
const placeholderURL = "https://pressroom.example.com"

// forAgents changes the defaults of the flags to those of a key for an agent, and checks what only such a key must have.
func (f *createFlags) forAgents(cmd *cobra.Command) error {
	flags := cmd.Flags()
	if !f.forAgent {
		if flags.Changed(flagBaseURL) {
			return Usage("--%s is for --for-agent", flagBaseURL)
		}
		return nil
	}
	if !flags.Changed(flagName) {
		f.name = agentName
	}
	if !flags.Changed(flagExpiresIn) {
		f.expiresIn = agentLife
	}
	if !flags.Changed(flagCreditsPerDay) {
		f.creditsPerDay = agentCreditsPerDay
	}
	switch {
	case len(f.workspaces) != 1:
		return Usage("a key for an agent is for one workspace: --workspaces must name it")
	case f.expiresIn <= 0:
		return Usage("a key for an agent ends: --%s must be a time from now", flagExpiresIn)
	case f.creditsPerDay < 0:
		return Usage("a key for an agent has a limit: --%s must be 0 to %d", flagCreditsPerDay, mostCredits)
	}
	return f.readBaseURL()
}

// checkAgentScopes refuses the scopes that no agent gets: it could approve what it writes.
func checkAgentScopes(scopes []v1alpha1.Scope) error {
	for _, s := range scopes {
		if s != v1alpha1.ScopeRead && s != v1alpha1.ScopeWrite {
			return Usage("a key for an agent has read and write: --scopes may not have %s", strings.ToLower(string(s)))
		}
	}
	if !slices.Contains(scopes, v1alpha1.ScopeRead) {
		return Usage("a key for an agent has read: --scopes must have it")
	}
	return nil
}

// readBaseURL checks the address of the REST API and removes the slash at its end.
func (f *createFlags) readBaseURL() error {
	if f.baseURL == "" {
		f.baseURL = placeholderURL
	}
	u, err := url.Parse(f.baseURL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		strings.ContainsAny(f.baseURL, `"'\$`+"` \n") {
		return Usage("--%s must be an address such as https://api.example.com", flagBaseURL)
	}
	f.baseURL = strings.TrimSuffix(f.baseURL, "/")
	return nil
}

// agentConfig is the configuration of clients of /mcp. It names the key by a variable: the key itself is printed once.
//
//go:embed agent.txt
var agentConfig string

var agentTemplate = template.Must(template.New("").Parse(agentConfig))

// notifyAgent prints how clients reach /mcp with the key, on stderr: stdout has the key, or its manifest, alone.
func (f *createFlags) notifyAgent(cmd *cobra.Command) error {
	var text bytes.Buffer
	data := map[string]any{"URL": f.baseURL + "/mcp", "Placeholder": f.baseURL == placeholderURL}
	if err := agentTemplate.Execute(&text, data); err != nil {
		return err
	}
	return Notify(cmd, "%s", text.String())
}
