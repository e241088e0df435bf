package dashboard

import "strings"

// statusWords are the statuses of articles (contract, section 2) in words.
var statusWords = map[string]string{
	"draft": "Draft", "generating": "Generating", "review": "In review", "approved": "Approved", "rejected": "Rejected",
	"scheduled": "Scheduled", "published": "Published", "failed": "Failed", "archived": "Archived",
}

// shortName returns who decided without the id of the key, which tells people of the same name apart.
func shortName(by string) string {
	name, _, _ := strings.Cut(by, " (api-key:")
	return name
}

// statusWord returns a status in words.
func statusWord(status string) string {
	if word, ok := statusWords[status]; ok {
		return word
	}
	return status
}
