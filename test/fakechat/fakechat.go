// Package fakechat answers as incoming webhooks of Slack and workflows of Teams do. It refuses messages that they would not show as
// intended.
package fakechat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// SlackPath and TeamsPath are the addresses of a channel, without the host. Others do not exist.
const (
	SlackPath = "/services/T0AB12CD3/B0EF45GH6/qwertyuiopasdfghjklzxcvb"
	TeamsPath = "/powerautomate/automations/direct/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke" +
		"?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"
)

// Chat is a channel of one of the two.
type Chat struct {
	teams bool

	mu sync.Mutex
	// shown are the texts of the messages, as people see them.
	shown []string
	// refusal answers in place of the channel, if it is set.
	refusal func(http.ResponseWriter)
}

// NewSlack returns a channel of Slack.
func NewSlack() *Chat { return &Chat{} }

// NewTeams returns a channel of Teams.
func NewTeams() *Chat { return &Chat{teams: true} }

// Path is the address of the channel without the host.
func (c *Chat) Path() string {
	if c.teams {
		return TeamsPath
	}
	return SlackPath
}

// Shown returns the texts of the messages.
func (c *Chat) Shown() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.shown)
}

// Limit has the channel answer that there are too many messages.
func (c *Chat) Limit(seconds string) {
	c.refuse(http.StatusTooManyRequests, map[bool]string{
		false: "rate_limited", true: `{"error":{"code":"TooManyRequests","message":"Rate limit is exceeded."}}`,
	}[c.teams], http.Header{"Retry-After": {seconds}})
}

// Archive has the channel take nothing any more. A workflow that was turned off answers 404.
func (c *Chat) Archive() {
	if c.teams {
		c.refuse(http.StatusNotFound, `{"error":{"code":"WorkflowNotFound","message":"The workflow could not be found."}}`, nil)
		return
	}
	c.refuse(http.StatusGone, "channel_is_archived", nil)
}

func (c *Chat) refuse(status int, body string, header http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refusal = func(w http.ResponseWriter) {
		maps.Copy(w.Header(), header)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// ServeHTTP implements http.Handler.
func (c *Chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil || r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.URL.RequestURI() != c.Path() && c.teams:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":{"code":"AuthorizationFailed","message":"The authentication credentials are not valid."}}`)
	case r.URL.RequestURI() != c.Path():
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "no_service")
	case c.refusal != nil:
		c.refusal(w)
	case c.teams:
		// The workflow runs after the answer. Whether it can show the message stands in the history of the flow alone.
		c.shown = append(c.shown, teamsText(body))
		w.WriteHeader(http.StatusAccepted)
	default:
		text, problem := slackText(body)
		if problem != "" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, problem)
			return
		}
		c.shown = append(c.shown, text)
		_, _ = io.WriteString(w, "ok")
	}
}

// slackText returns the text of a message, or the problem that Slack names.
func slackText(body []byte) (text, problem string) {
	var message struct {
		Text    string `json:"text"`
		Unfurls *bool  `json:"unfurl_links"`
	}
	switch err := strictly(body, &message); {
	case err != nil:
		return "", "invalid_payload"
	case message.Text == "":
		return "", "no_text"
	}
	return message.Text, ""
}

// teamsText returns the texts of a card and where its buttons lead, or what is wrong with it.
func teamsText(body []byte) string {
	var message struct {
		Type        string `json:"type"`
		Attachments []struct {
			ContentType string  `json:"contentType"`
			ContentURL  *string `json:"contentUrl"`
			Content     struct {
				Schema  string `json:"$schema"`
				Type    string `json:"type"`
				Version string `json:"version"`
				Body    []struct {
					Type    string `json:"type"`
					Inlines []struct {
						Type, Text, Weight, Size string
					} `json:"inlines"`
				} `json:"body"`
				Actions []struct{ Type, Title, URL string } `json:"actions"`
			} `json:"content"`
		} `json:"attachments"`
	}
	if err := strictly(body, &message); err != nil {
		return err.Error()
	}
	if message.Type != "message" || len(message.Attachments) != 1 ||
		message.Attachments[0].ContentType != "application/vnd.microsoft.card.adaptive" {
		return "this is no message with one card"
	}
	card := message.Attachments[0].Content
	if card.Type != "AdaptiveCard" || card.Version > "1.4" {
		return fmt.Sprintf("a %s of version %s is not shown", card.Type, card.Version)
	}
	var lines []string
	for _, block := range card.Body {
		if block.Type != "RichTextBlock" {
			return "this fake does not know " + block.Type
		}
		for _, run := range block.Inlines {
			if run.Type != "TextRun" || run.Text == "" {
				return "a run has no text"
			}
			lines = append(lines, run.Text)
		}
	}
	for _, action := range card.Actions {
		if action.Type != "Action.OpenUrl" || action.Title == "" {
			return "a button has no use"
		}
		lines = append(lines, action.URL)
	}
	return strings.Join(lines, "\n")
}

// strictly decodes JSON whose members are all known.
func strictly(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// Echo refuses every request with its address, as some proxies do.
func Echo() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "Cannot POST "+r.URL.RequestURI())
	})
}
