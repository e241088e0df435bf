package eventsubscription

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Format is the form of the messages that a subscription receives.
type Format string

// formats are the formats of the Kubernetes API.
var formats = []v1alpha1.EventFormat{v1alpha1.FormatStandard, v1alpha1.FormatSlack, v1alpha1.FormatTeams, v1alpha1.FormatGitHub}

// Schema describes a Format.
func (Format) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{
		Type: huma.TypeString, Default: string(formatOf(v1alpha1.FormatStandard)),
		Description: "standard: the event as JSON. slack, teams: a message for people, for an incoming webhook of Slack or a workflow of " +
			"Teams; its url is a secret, of which answers show the host. github: a repository_dispatch, which starts workflows of a " +
			"GitHub repository; its url ends with /repos/OWNER/REPOSITORY/dispatches.",
	}
	for _, f := range formats {
		s.Enum = append(s.Enum, string(formatOf(f)))
	}
	return s
}

// formatOf returns a format of the Kubernetes API as the REST API names it.
func formatOf(f v1alpha1.EventFormat) Format {
	return Format(strings.ToLower(string(cmp.Or(f, v1alpha1.FormatStandard))))
}

// stored returns a format as the Kubernetes API names it; empty for the default.
func (f Format) stored() v1alpha1.EventFormat {
	for _, format := range formats[1:] {
		if formatOf(format) == f {
			return format
		}
	}
	return ""
}

// shownURL is the URL of a subscription as answers show it: of a chat, whose URL is a secret, only the host.
func shownURL(s v1alpha1.EventSubscriptionSpec) string {
	u, err := url.Parse(s.URL)
	if err != nil || (s.Format != v1alpha1.FormatSlack && s.Format != v1alpha1.FormatTeams) {
		return s.URL
	}
	return u.Scheme + "://" + u.Host + "/…"
}
