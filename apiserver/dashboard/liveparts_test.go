package dashboard_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
)

func listPage(rows ...string) string {
	return `<!doctype html><html><body data-live="/app/live"><nav id="tabs" data-live>` + `<b>1</b></nav><table><tbody>` + strings.Join(rows, "") + `</tbody></table></body></html>`
}

func liveRow(id, text string) string {
	return `<tr id="` + id + `" data-row data-live><td>` + text + `</td></tr>`
}

func TestOnlyWhatHasChangedIsSent(t *testing.T) {
	l := dashboard.NewLiveState("a-1", "a-2")
	form := `<form><input type="hidden" name="ticket" value="TICKET"></form><time datetime="2026-11-22" title="AGO">22 Nov</time>`
	for _, step := range []struct {
		name, page string
		parts      []string
		added      int
	}{
		{"first", listPage(liveRow("a-1", form), liveRow("a-2", "b")), []string{`id="tabs"`, `id="a-1"`, `id="a-2"`}, 0},
		{"the same", listPage(liveRow("a-1", form), liveRow("a-2", "b")), nil, 0},
		{"another token and a later time", listPage(liveRow("a-1", strings.NewReplacer("TICKET", "T2", "AGO", "A2").Replace(form)), liveRow("a-2", "b")), nil, 0},
		{"a change", listPage(liveRow("a-1", form), liveRow("a-2", "c")), []string{`<td>c</td>`}, 0},
		{"a new row", listPage(liveRow("a-3", "new"), liveRow("a-1", form), liveRow("a-2", "c")), []string{}, 1},
		{"still new", listPage(liveRow("a-3", "newer"), liveRow("a-1", form), liveRow("a-2", "c")), nil, 1},
		{"no row", listPage(), []string{}, 0},
	} {
		got, added, some := l.Changes(t, step.page)
		if some != (step.parts != nil) || added != step.added || len(got) != len(step.parts) {
			t.Errorf("%s: got %v, %d added, %v; want %v, %d", step.name, got, added, some, step.parts, step.added)
			continue
		}
		for i, part := range step.parts {
			if !strings.Contains(got[i], part) {
				t.Errorf("%s: part %d is %s, want %s", step.name, i, got[i], part)
			}
		}
	}
}

func TestAPartInAPartIsSentWithThat(t *testing.T) {
	l := dashboard.NewLiveState()
	got, _, _ := l.Changes(t, `<main><div id="a" data-live><p id="b" data-live>x</p></div><p data-live>no id</p><p id="c">not live</p></main>`)
	if !slices.Equal(got, []string{`<div id="a" data-live=""><p id="b" data-live="">x</p></div>`}) {
		t.Errorf("got %v", got)
	}
}
