package content_test

import (
	"errors"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestATitleCanBeSeen(t *testing.T) {
	for _, invisible := range []string{"\u200b", "\u00ad", "\u202e", "\u3164", "\u2800", "\ufe0f", "\u200d \u2060", "\u115f"} {
		if d, err := content.Normalize(content.Document{Title: invisible, Markdown: "Text."}); !errors.Is(err, content.ErrNoTitle) {
			t.Errorf("%q: %+v, %v, want ErrNoTitle", invisible, d, err)
		}
		d, err := content.Normalize(content.Document{Title: "T", Markdown: "Text.", FAQ: []v1alpha1.FAQ{{Question: invisible, Answer: "A."}}})
		if err != nil || len(d.FAQ) > 0 {
			t.Errorf("a question %q: %+v, %v", invisible, d.FAQ, err)
		}
	}
	for title, want := range map[string]string{
		"a\u202eb\u2066c": "abc", "👨\u200d👩\u200d👧": "👨\u200d👩\u200d👧", "می\u200cخواهم": "می\u200cخواهم", "!": "!",
	} {
		if d, err := content.Normalize(content.Document{Title: title, Markdown: "Text."}); err != nil || d.Title != want {
			t.Errorf("%q: %q, %v, want %q", title, d.Title, err, want)
		}
	}
}
