package article_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

var trail = v1alpha1.BriefSpec{
	Facts:   []string{"Acme sells 42 trail models."},
	Sources: []v1alpha1.BriefSource{{Name: "survey", Title: "Trail survey", URL: "https://example.org/survey", Text: "The survey asked 1,200 runners in 2025."}},
}

const trailText = "Acme sells 42 trail models. The survey asked 1,200 runners in 2025.\n\n## Wear\n\nA study found that 97 percent of *runners* switch shoes."

const unsupportedLine = "Figure/unsupported §2: 97 percent: A study found that 97 percent of runners switch shoes."

// checked is an article in review whose text was checked against the brief.
func checked(t *testing.T, p *pagetest.Person, markdown string, lines ...string) *v1alpha1.Article {
	t.Helper()
	doc := content.Document{Title: "Trail shoes", Slug: "trail-shoes", Markdown: markdown, Language: "en"}
	return p.API.Article(func(a *v1alpha1.Article) {
		name := identity.RevisionName(a.Name, a.Name, 1)
		rev := revision.New(a, doc, revision.Origin{
			Name: name, Number: 1, Source: v1alpha1.SourceGenerated, Generator: &v1alpha1.GeneratorRecord{Type: v1alpha1.GeneratorOpenAI, Model: "small"},
		})
		rev.Spec.Brief = &v1alpha1.RevisionBrief{Name: "trail-2026", Digest: brief.Digest(trail)}
		rev.Spec.Claims = lines
		rev.Spec.Scores = v1alpha1.Scores{SEOScore: 80, Failed: []string{"Gate/claims: the brief does not support what the text claims"}}
		if len(lines) == 0 {
			rev.Spec.Scores.Failed = nil
		}
		p.API.Objects.Revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{client.ObjectKeyFromObject(rev): rev}
		a.Status = v1alpha1.ArticleStatus{
			Slug: "trail-shoes",
			Run:  &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, Number: 1, RequestHash: lifecycle.RequestHash(a.Spec.Generate)},
			Revision: &v1alpha1.CurrentRevision{
				Name: name, Number: 1, Digest: doc.Digest(), Title: doc.Title, Source: v1alpha1.SourceGenerated, SEOScore: 80,
				ContentHash: lifecycle.ContentHash(a.Spec.Content), UnsupportedClaims: new(int32(len(lines))),
			},
		}
	})
}

func TestAReviewerSeesFirstWhatTheBriefDoesNotSupport(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", trail)
	a := checked(t, p, trailText, unsupportedLine, "Figure/other-context §1: 42: Acme sells 42 trail models.")
	page := p.Get(pagetest.In("articles", a.Name))
	p.Want(page, http.StatusOK, map[string]string{
		"#claims": "To check before you approve", ".claims > .claim-list mark": "97 percent",
		".claims > .claim-list": "No source and no fact has it. In “Wear”", ".claims > details:not(.supported)": "1 hint",
		".supported > summary": "supported", ".supported blockquote": "1,200 runners", ".decide": "You are asked for a note",
	})
	if first := page.Find(".side > section").First(); first.Find("#claims").Length() != 1 {
		t.Error("the claims are not the first thing beside the text")
	}
	if sentence := page.Text(".claims > .claim-list .sentence"); sentence != "A study found that 97 percent of runners switch shoes." {
		t.Errorf("the sentence is %q", sentence)
	}
	if links := page.Links(".claims a"); len(links) == 0 || !strings.Contains(links[0], "/briefs/") {
		t.Errorf("the links are %v", links)
	}
	preview := p.Get(pagetest.In("articles", a.Name, "preview") + "?revision=1")
	p.Want(preview, http.StatusOK, map[string]string{"article mark": "97 percent", "article em": "runners"})
	if n := preview.Find("mark").Length(); n != 1 {
		t.Errorf("the preview has %d marks", n)
	}
}

// The text cited another source for it, whose name no reader sees.
func TestAClaimIsNotSupportedAndUnsupported(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", trail)
	line := ground.Claim{
		Class: ground.Figure, Result: ground.WrongSource, Words: "1,200", Sentence: "The survey asked 1,200 runners in 2025.",
	}.Line()
	page := p.Get(pagetest.In("articles", checked(t, p, trailText, line).Name))
	p.Want(page, http.StatusOK, map[string]string{".claims > .claim-list mark": "1,200", ".supported": "42"})
	if words := page.Text(".supported mark"); strings.Contains(words, "1,200") {
		t.Errorf("the page says that these are supported: %s", words)
	}
}

func TestAPageSaysWhyItHasNoPassages(t *testing.T) {
	for name, tt := range map[string]struct {
		now  *v1alpha1.BriefSpec
		want string
	}{
		"changed": {&v1alpha1.BriefSpec{Facts: []string{"Another."}}, "The brief has changed since"}, "deleted": {nil, "The brief is deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			p := pagetest.SignIn(t)
			if tt.now != nil {
				p.API.Brief("trail-2026", *tt.now)
			}
			page := p.Get(pagetest.In("articles", checked(t, p, trailText, unsupportedLine).Name))
			p.Want(page, http.StatusOK, map[string]string{"#evidence": tt.want, ".claims > .claim-list mark": "97 percent"})
			if page.Find(".supported").Length() > 0 {
				t.Error("passages of another brief are shown")
			}
		})
	}
}

func TestATextWithoutABriefHasNoClaims(t *testing.T) {
	p := pagetest.SignIn(t)
	a := p.API.WithRevisions(1)
	if page := p.Get(pagetest.In("articles", a.Name)); page.Status != http.StatusOK || page.Find("#claims").Length() > 0 {
		t.Errorf("got %d: %s", page.Status, page.Text("main"))
	}
}

func TestApprovingInSpiteOfClaimsNeedsANote(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", trail)
	a := checked(t, p, trailText, unsupportedLine)
	const form = "form[action$='/approve']"
	asked := p.Submit(p.Get(pagetest.In("articles", a.Name)), form, nil)
	p.Want(asked, http.StatusOK, map[string]string{"h1": "Approve it anyway?", ".claim-list mark": "97 percent", "#note-hint": "The record of the post keeps it"})
	refused := p.Submit(asked, form, url.Values{"note": {"  "}})
	p.Want(refused, http.StatusUnprocessableEntity, map[string]string{"#note-problem": "Say why", ".claim-list mark": "97 percent"})
	long := p.Submit(asked, form, url.Values{"note": {strings.Repeat("ü", 2001)}})
	p.Want(long, http.StatusUnprocessableEntity, map[string]string{"#note-problem": "At most 2000 characters."})
	if typed := long.Find("#note").Text(); len([]rune(strings.TrimSpace(typed))) != 2001 {
		t.Errorf("%d characters of the note are left", len([]rune(typed)))
	}
	if review := p.API.Stored(a).Spec.Review; review != nil {
		t.Fatalf("it has the decision %+v", review)
	}
	p.Want(p.Submit(refused, form, url.Values{"note": {"Checked with sales."}}), http.StatusSeeOther, nil)
	if review := p.API.Stored(a).Spec.Review; review == nil || review.Note != "Checked with sales." || review.Decision != v1alpha1.DecisionApproved {
		t.Errorf("it has the decision %+v", review)
	}
}

func TestATextWhoseClaimsAreSupportedNeedsNoNote(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", trail)
	a := checked(t, p, trailText)
	page := p.Get(pagetest.In("articles", a.Name))
	p.Want(page, http.StatusOK, map[string]string{".claims": "The brief supports the claims of this text."})
	p.Want(p.Submit(page, "form[action$='/approve']", nil), http.StatusSeeOther, nil)
}

// The editor underlines them: a preview alone is not held against a brief.
func TestThePreviewOfTheEditorHasTheClaims(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", trail)
	a := checked(t, p, trailText, unsupportedLine, "Figure/other-context §1: 42: Acme sells 42 trail models.")
	claims := previewed(p, a, nil).Find("[hidden][data-finding=claims]")
	if got := claims.Text(); claims.Length() != 1 || got != "The brief does not support “97 percent”.A study found that 97 percent of runners switch shoes." {
		t.Errorf("it has %q", got)
	}
}

func TestHostileClaimsAreText(t *testing.T) {
	p := pagetest.SignIn(t)
	hostile := v1alpha1.BriefSpec{Sources: []v1alpha1.BriefSource{
		{Name: "a", Title: "<script>alert(1)</script>", Text: "<script>alert(2)</script> \u202e42 percent " + strings.Repeat("[", 15000)},
		{Name: "b", Title: "B", Text: strings.Repeat("[](", 5000)},
	}}
	p.API.Brief("trail-2026", hostile)
	a := checked(t, p, "He said <script>alert(3)</script> 42 percent.",
		"Quotation/unsupported §1: <script>alert(4)</script>: He said <script>alert(4)</script>.", "Name/wrong-source: \u202eevil: By \u202eevil.", "Address/unsupported §9999: a: b")
	for _, path := range []string{pagetest.In("articles", a.Name), pagetest.In("articles", a.Name, "preview") + "?revision=1", pagetest.In("briefs"), pagetest.In("briefs", identity.UID(identity.KindBrief, operationtest.Workspace, "trail-2026"))} {
		page := p.Get(path)
		p.Want(page, http.StatusOK, nil)
		if scripts := page.Find("script:not([src])").Length(); scripts > 0 {
			t.Errorf("%s has %d scripts of others", path, scripts)
		}
	}
	page := p.Get(pagetest.In("articles", a.Name))
	if alone := page.Find(".claim-list .sentence").FilterFunction(func(_ int, s *goquery.Selection) bool { return s.Nodes[0].Data != "bdi" }).Length(); alone > 0 {
		t.Errorf("%d sentences turn the direction of what follows", alone)
	}
}

func TestManyClaimsAreFolded(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", trail)
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("Figure/unsupported §2: %d percent: A study found that %d percent of runners switch shoes.", i, i))
	}
	a := checked(t, p, trailText, lines...)
	a.Status.Revision.UnsupportedClaims = new(int32(75))
	p.API.Indexed(a)
	page := p.Get(pagetest.In("articles", a.Name))
	p.Want(page, http.StatusOK, map[string]string{".claims": "The brief does not support 75 claims.", ".claims > details > summary": "52 more", ".claims .quiet": "15 others are not listed."})
	if shown := page.Find(".claims > .claim-list > li").Length(); shown != 8 {
		t.Errorf("%d claims are shown at once", shown)
	}
	if all := page.Find(".claims .claim-list li").Length(); all < 60 {
		t.Errorf("the page has %d claims", all)
	}
}

func TestAnActionOnManyLeavesOutWhatNeedsANote(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Brief("trail-2026", trail)
	a := checked(t, p, trailText, unsupportedLine)
	bulk := p.Forge(p.Get(pagetest.In("articles")), "form[action$='/bulk']", url.Values{"do": {"approve"}, "item": {a.Name + " " + a.Status.Revision.Digest}})
	p.Want(bulk, http.StatusOK, map[string]string{"main": "approve it on its page, with a note"})
	if bulk.Find("tbody tr").Length() > 0 {
		t.Error("it can be approved with others")
	}
}
