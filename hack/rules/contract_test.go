package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/signedpost"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

const contractPage = "docs/reference/contract.md"

// The API may have more members than the contract, and never fewer.
func TestTheAPIHasEveryMemberOfTheContract(t *testing.T) {
	a := readAPI(t)
	for section, schema := range map[string]string{
		"Site": "Site", "Article summary": "ArticleSummary", "Full article": "Article", "Generate an article": "GenerateRequest",
	} {
		promised := promisedIn(t, section)
		if len(promised) < 4 {
			t.Errorf("%s: only %v is promised: the page is read wrongly", section, promised)
		}
		for _, member := range promised {
			if _, ok := a.Components.Schemas[schema].Properties[member]; !ok {
				t.Errorf("%s: the schema %s has no member %s", section, schema, member)
			}
		}
	}
}

func TestAReceiverGetsEveryMemberOfTheContract(t *testing.T) {
	promised := promisedIn(t, "Payload")
	sent := map[string]bool{}
	for _, format := range []v1alpha1.PayloadFormat{v1alpha1.PayloadJSON, v1alpha1.PayloadHTML} {
		var members map[string]json.RawMessage
		body, err := webhook.Payload(format, full())
		if err == nil {
			err = json.Unmarshal(body, &members)
		}
		if err != nil {
			t.Fatal(err)
		}
		for member := range members {
			sent[member] = true
			if !slices.Contains(promised, member) {
				t.Errorf("the payload has the member %s, which the contract does not name", member)
			}
		}
	}
	for _, member := range promised {
		if !sent[member] {
			t.Errorf("the payload has no member %s", member)
		}
	}
}

// full is an article with each part that a payload can have.
func full() publish.Article {
	var a publish.Article
	a.Title, a.Slug, a.MetaTitle, a.MetaDescription, a.Markdown = "A", "a", "A", "About a.", "Text.\n"
	a.FAQ, a.Tags = []v1alpha1.FAQ{{Question: "Why?", Answer: "So."}}, []string{"Shoes"}
	a.Image = &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{URL: "https://media.acme.example/a.jpg", Alt: "A"}}
	a.HTML = "<p>Text.</p>\n"
	return a
}

func TestTheContractHasTheNamesAndLimitsOfTheCode(t *testing.T) {
	page := read(t, contractPage)
	for _, want := range []string{
		"`" + signedpost.EventHeader + ": " + webhook.Event + "`", "`" + webhook.SignatureHeader + "` is the HMAC-SHA256",
		"begins with `" + v1alpha1.ClientIDPrefix + "`",
		fmt.Sprintf("| authorization code | %.0f minutes |", oauth.CodeLifetime.Minutes()),
		fmt.Sprintf("| access token | %.0f days, which are %.0f seconds |", oauth.TokenLifetime.Hours()/24, oauth.TokenLifetime.Seconds()),
		fmt.Sprintf("| sites in a list | %d |", index.MaxSites),
		fmt.Sprintf("| accepted generate calls of an account | %d in any 60 seconds |", ledger.MinuteLimit),
		fmt.Sprintf("| retries of a delivery | %d |", v1alpha1.MaxAttempts-1),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s does not say %q", contractPage, want)
		}
	}
}

// promisedIn returns the members in the first column of the tables of a section.
func promisedIn(t *testing.T, section string) (members []string) {
	t.Helper()
	_, text, _ := strings.Cut(read(t, contractPage), "\n### "+section+"\n")
	text, _, _ = strings.Cut(text, "\n#")
	for line := range strings.Lines(text) {
		if row, ok := strings.CutPrefix(line, "| `"); ok {
			names, _, _ := strings.Cut(row, "` | ")
			members = append(members, strings.Split(names, "`, `")...)
		}
	}
	return members
}
