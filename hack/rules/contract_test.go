package rules

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	a.FAQ, a.Tags, a.Disclosure = []v1alpha1.FAQ{{Question: "Why?", Answer: "So."}}, []string{"Shoes"}, "ai_assisted"
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

// proof is a row of the tables of the contract: a statement, a folder, and a test in it.
var proof = regexp.MustCompile("^\\| \\S.* \\| `([\\w/]+)`: (\\S.*) \\|$")

// A statement of the contract that nothing proves is a hope.
func TestEveryStatementOfTheContractHasItsTest(t *testing.T) {
	_, tables, _ := strings.Cut(read(t, contractPage), "\n## Proof\n")
	statements := 0
	for line := range strings.Lines(tables) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| statement |") {
			continue
		}
		statements++
		row := proof.FindStringSubmatch(strings.TrimSpace(line))
		if row == nil {
			t.Errorf("%s has a statement without a test: %s", contractPage, line)
			continue
		}
		folder, name := row[1], row[2]
		if !slices.ContainsFunc(testsIn(t, folder), func(text string) bool {
			return strings.Contains(text, "func "+name+"(t *testing.T)") || strings.Contains(text, `("`+name+`",`)
		}) {
			t.Errorf("%s says that %s has the test %q", contractPage, folder, name)
		}
	}
	const least = 70
	if statements < least {
		t.Errorf("%s has %d statements with tests, want %d at least", contractPage, statements, least)
	}
}

// testsIn returns the texts of the files with tests of a folder of the project.
func testsIn(t *testing.T, folder string) (texts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
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
