package content_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestTasksHaveBoxesThatEveryCMSShows(t *testing.T) {
	const list = "- [ ] Pack\n- [x] **Book** a hut\n- [X] Walk\n- [link](/a) and [ ] text"
	got, err := content.HTML(list)
	want := "<ul>\n<li>☐ Pack</li>\n<li>☑ <strong>Book</strong> a hut</li>\n<li>☑ Walk</li>\n<li><a href=\"/a\">link</a> and [ ] text</li>\n</ul>\n"
	if err != nil || got != want {
		t.Errorf("%q, %v\nwant %q", got, err, want)
	}
	if got, want := content.PlainText(list), "- ☐ Pack\n- ☑ Book a hut\n- ☑ Walk\n- link and [ ] text"; got != want {
		t.Errorf("PlainText = %q, want %q", got, want)
	}
}
