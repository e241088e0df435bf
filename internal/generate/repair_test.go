package generate

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// standing is an article of seven sections of about 140 words.
func standing(d *draft) article {
	var b strings.Builder
	b.WriteString("Trail shoes are good. They keep you on the path.\n\n")
	for _, s := range d.fields.Sections[:7] {
		b.WriteString("## " + s.Heading + "\n\n" + strings.Repeat("Good words about shoes fill this text. ", 20) + "\n\n")
	}
	return d.assess(d.document(d.fields, b.String()))
}

func TestTheRepairOfASectionIsCheap(t *testing.T) {
	d := drafted("")
	a := standing(d)
	findings := []check.Finding{{Check: "a", Model: "Write shorter sentences: at most 20 words in most of them."}}
	section := tokensOf(d, a, target{at: check.Target{Part: check.Section, Section: 3}, findings: findings})
	whole := tokensOf(d, a, target{at: check.Target{Part: check.Whole}, findings: findings})
	if share := 100 * section / whole; share > 45 {
		t.Errorf("the repair of a section takes %d tokens, %d %% of the whole body's %d, want 45 or less", section, share, whole)
	}
}

// A claim costs the answer of its section again, and few passages: what all turns have in common is in the endpoint's cache.
func TestTheRepairOfAClaimIsCheap(t *testing.T) {
	d := briefed("")
	for i := range d.request.Material.Sources {
		d.request.Material.Sources[i].Text = strings.TrimSpace(strings.Repeat("Shoes about good words fill 61 percent of the text. ", 9)+"\n\n") + "\n\n" +
			strings.Repeat("The trail has more shoes than words that fill the path of this text.\n\n", 100)
	}
	a := standing(d)
	finding := check.Finding{Check: "claims", Model: `Leave out "99 percent" in the sentence "Of them 99 percent slip.": no source and no fact has it.`}
	p, answer := d.repairPrompt(a, target{at: check.Target{Part: check.Section, Section: 3}, findings: []check.Finding{finding}})
	text := len(a.named.Markdown)
	if 3*answer > text {
		t.Errorf("the answer takes %d bytes, of %d of the text: more than a third", answer, text)
	}
	_, task, _ := strings.Cut(p.turns[0].text, "</plan>")
	if most := 2*maxMendPassageChars + 2*answer; len(task) > most {
		t.Errorf("behind what all turns have in common, the question has %d bytes, want %d or less", len(task), most)
	}
	t.Logf("text %d bytes, answer %d, question behind the plan %d", text, answer, len(task))
}

func TestAnAnswerTakesThePlaceOfItsSection(t *testing.T) {
	d := drafted("")
	d.extent.minWords = 0
	a := standing(d)
	at := func(section int) part {
		return sectionOf(a, target{at: check.Target{Part: check.Section, Section: section}})
	}
	heading := content.Sections(a.named.Markdown)[3].Heading
	for _, c := range []struct {
		name, answer string
		section      int
		wantUsable   bool
		want         string
	}{
		{"the section", "## " + heading + "\n\nNew words.", 3, true, "## " + heading + "\n\nNew words.\n\n## "},
		{"another heading", "## Other\n\nNew words.", 3, true, "## Other\n\nNew words.\n\n## "},
		{"without its heading", "New words.", 3, true, "## " + heading + "\n\nNew words.\n\n## "},
		{"the introduction", "New words on trail shoes.", 0, true, "New words on trail shoes.\n\n## "},
		{"two sections", "## A\n\nNew.\n\n## B\n\nNew.", 3, false, ""},
		{"words before the section", "Shoes matter.\n\n## A\n\nNew.", 3, false, ""},
		{"words to the person who asked", "Sure!\n\n## Other\n\nNew words.\n\nI hope this helps!", 3, true, "## Other\n\nNew words.\n\n## "},
		{"a section for the introduction", "Shoes matter.\n\n## A\n\nNew.", 0, false, ""},
		{"JSON", `{"markdown": "New"}`, 3, false, ""},
		{"a call of a tool", `<tool_call>{"name": "search"}</tool_call>`, 3, false, ""},
		{"reasoning alone", "<think>They want it shorter.", 3, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, usable := d.withPart(a.named, at(c.section), c.answer, false)
			if usable != c.wantUsable || usable && !strings.Contains(got.Markdown, c.want) {
				t.Errorf("usable: %v, the body is %q, want %v and %q in it", usable, got.Markdown, c.wantUsable, c.want)
			}
			if usable && len(content.Sections(got.Markdown)) != 8 {
				t.Errorf("%d sections, want 8", len(content.Sections(got.Markdown)))
			}
		})
	}
}
