package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// most is how long a result is at most, in bytes.
const most = 60_000

func TestAResultHasNothingThatAnAgentDoesNotNeed(t *testing.T) {
	e := serve(t)
	session := e.connect(key(operationtest.WriterKey), "")
	text, isError := e.call(session, "preview_text", map[string]any{
		"site_uid": operationtest.SiteUID, "title": "Trail shoes", "content_markdown": "Some *text* about <trail> shoes & more.", "target_keyword": "trail shoes",
	})
	if isError || strings.Contains(text, "content_html") || strings.Contains(text, `"result":"passed"`) || !strings.Contains(text, `"result":"failed"`) {
		t.Errorf("preview_text answers %s", text)
	}
	if !strings.Contains(text, "shoes & more") {
		t.Errorf("the text is not as it was written: %s", text)
	}
	text, isError = e.call(session, "get_article", map[string]any{"uid": e.Article(nil).Name})
	if isError || strings.Contains(text, `"allowed":false`) || strings.Contains(text, "content_html") {
		t.Errorf("get_article answers %s", text)
	}
}

// notes are what a result says of what was cut from it.
type notes struct {
	Cut []struct {
		Member string `json:"member"`
		Length int    `json:"length"`
		Shown  int    `json:"shown"`
		Rest   string `json:"rest"`
	} `json:"cut"`
	Content string `json:"content_markdown"`
}

func TestALongTextIsReadInParts(t *testing.T) {
	// Quotes and characters outside of ASCII take more bytes of JSON than of text.
	long := strings.TrimSpace(strings.Repeat("He said \"ümlaut\" — and 靴.\n\n", 6000))
	e := serve(t)
	a := longArticle(e, long)
	session := e.connect(key(operationtest.ReadOnlyKey), "")
	text, isError := e.call(session, "get_article", map[string]any{"uid": a})
	var first notes
	if err := json.Unmarshal([]byte(text), &first); err != nil || isError || len(text) > most {
		t.Fatalf("got %d bytes, %v: %.300s", len(text), err, text)
	}
	if len(first.Cut) != 1 || first.Cut[0].Member != "content_markdown" || first.Cut[0].Length != len(long) ||
		first.Cut[0].Shown != len(first.Content) || !strings.Contains(first.Cut[0].Rest, "get_revision") {
		t.Fatalf("the note is %+v", first.Cut)
	}
	var whole strings.Builder
	parts := 0
	for offset, more := 0, true; more; parts++ {
		text, isError := e.call(session, "get_revision", map[string]any{"uid": a, "number": 1, "text_offset": offset})
		var part notes
		if err := json.Unmarshal([]byte(text), &part); err != nil || isError || len(text) > most || part.Content == "" {
			t.Fatalf("at %d: got %d bytes, %v: %.300s", offset, len(text), err, text)
		}
		whole.WriteString(part.Content)
		offset += len(part.Content)
		more = len(part.Cut) > 0
		if more && (part.Cut[0].Length != len(long) || !strings.Contains(part.Cut[0].Rest, fmt.Sprintf("text_offset %d;", offset))) {
			t.Fatalf("at %d: the note is %+v", offset, part.Cut)
		}
	}
	if whole.String() != long || parts < 2 {
		t.Errorf("%d parts have %d bytes, want the %d of the text", parts, whole.Len(), len(long))
	}
	for _, offset := range []int{len(long) + 1, strings.Index(long, "靴") + 1} {
		text, isError := e.call(session, "get_revision", map[string]any{"uid": a, "number": 1, "text_offset": offset})
		if !isError || !strings.Contains(text, `"field":"text_offset"`) {
			t.Errorf("at %d: got %.300s", offset, text)
		}
	}
}

// longArticle returns the uid of an article whose first revision has a text.
func longArticle(e *endpoint, text string) string {
	e.T.Helper()
	doc := content.Document{Title: "T", Markdown: text}
	a := e.Article(func(a *v1alpha1.Article) {
		r := revision.New(a, doc, revision.Origin{
			Name: identity.RevisionName(a.Name, a.Name, 1), Number: 1, Source: v1alpha1.SourceGenerated, Scores: revision.Score(doc, check.Input{}),
		})
		e.Objects.Revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{client.ObjectKeyFromObject(r): r}
		record.MakeCurrent(a, v1alpha1.CurrentRevision{
			Name: r.Name, Number: 1, Digest: r.Spec.Digest, Title: r.Spec.Title, Source: v1alpha1.SourceGenerated,
		})
	})
	return a.Name
}

func TestALongListIsAskedForInPartsAndMissesNothing(t *testing.T) {
	e := serve(t)
	want := map[string]bool{}
	for range 100 {
		want[e.Article(func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "shoes " + strings.Repeat("x", 190) }).Name] = true
	}
	session := e.connect(key(operationtest.ReadOnlyKey), "")
	pages := 0
	arguments := map[string]any{"limit": 100}
	for more := true; more; pages++ {
		text, isError := e.call(session, "list_articles", arguments)
		var page struct {
			Data []struct {
				UID string `json:"uid"`
			} `json:"data"`
			NextCursor *string `json:"nextCursor"`
			HasMore    bool    `json:"hasMore"`
			Cut        []any   `json:"cut"`
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil || isError || len(text) > most || len(page.Cut) > 0 || len(page.Data) == 0 {
			t.Fatalf("got %d bytes, %v: %.300s", len(text), err, text)
		}
		for _, a := range page.Data {
			delete(want, a.UID)
		}
		if more = page.HasMore; more {
			arguments["cursor"] = *page.NextCursor
		}
	}
	if len(want) > 0 || pages < 2 {
		t.Errorf("%d pages miss %d articles", pages, len(want))
	}
}

func TestALongBriefIsCutWithNotes(t *testing.T) {
	e := serve(t)
	spec := v1alpha1.BriefSpec{Instructions: "For beginners."}
	for i := range 10 {
		spec.Sources = append(spec.Sources, v1alpha1.BriefSource{Name: fmt.Sprintf("s%d", i), Title: "Survey", Text: strings.Repeat("word \"x\" ", 1700)})
	}
	e.Brief("trail-2026", spec)
	session := e.connect(key(operationtest.ReadOnlyKey), "")
	var list struct {
		Data []struct {
			UID string `json:"uid"`
		} `json:"data"`
	}
	e.Into(operationtest.Request{Path: "/v1/api/briefs"}, &list)
	text, isError := e.call(session, "get_brief", map[string]any{"uid": list.Data[0].UID})
	var got notes
	if err := json.Unmarshal([]byte(text), &got); err != nil || isError || len(text) > most || len(got.Cut) == 0 {
		t.Fatalf("got %d bytes, %v: %.300s", len(text), err, text)
	}
	for _, c := range got.Cut {
		if c.Shown >= c.Length || c.Shown == 0 || !strings.HasPrefix(c.Member, "sources") {
			t.Errorf("the note is %+v", c)
		}
	}
}

func TestAnAgentIsToldWhenItsCreditsComeBack(t *testing.T) {
	e := serve(t)
	e.Ledger.Err = &ledger.LimitError{Code: ledger.KeyLimit, Most: 20, RetryAfter: 15 * time.Hour}
	text, isError := e.call(e.connect(key(operationtest.WriterKey), ""), "generate_article",
		map[string]any{"site_uid": operationtest.SiteUID, "keyword": "trail shoes"})
	want := operationtest.Began.Add(15 * time.Hour).Format(time.RFC3339)
	if !isError || !strings.Contains(text, `"reason":"generate_key_day"`) || !strings.Contains(text, `"retry_at":"`+want+`"`) ||
		!strings.Contains(text, fmt.Sprintf(`"status":%d`, http.StatusTooManyRequests)) {
		t.Errorf("got %s, want that it may go on at %s", text, want)
	}
}
