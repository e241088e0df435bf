package content_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestABodyIsReadAsItsHTMLShowsIt(t *testing.T) {
	const (
		paragraph = content.BlockParagraph
		heading   = content.BlockHeading
		item      = content.BlockListItem
		cell      = content.BlockCell
	)
	for _, tc := range []struct {
		name, markdown string
		want           content.Body
	}{
		{"text on one line", "a *b **c***\nd\\\ne &amp; \\*", content.Body{Blocks: []content.Block{{Kind: paragraph, Text: "a b c d e & *"}}}},
		{"first-level headings are second-level ones", "# a\n\nb\n\n### c\n\n## d", content.Body{Blocks: []content.Block{
			{Kind: heading, Level: 2, Text: "a", Section: 1}, {Kind: paragraph, Text: "b", Section: 1},
			{Kind: heading, Level: 3, Text: "c", Section: 1}, {Kind: heading, Level: 2, Text: "d", Section: 2},
		}}},
		{"code and quotations are aside", "a `b` c\n\n> d\n\n```\ne\n```", content.Body{
			Blocks: []content.Block{{Kind: paragraph, Text: "a c"}}, Aside: "b d e", Quoted: []content.Quoted{{Text: "d", Before: 1}},
		}},
		{"paragraphs of quotations", "a\n\n> b `c`\n>\n> d\n\n## e\n\n> - f", content.Body{
			Blocks: []content.Block{{Kind: paragraph, Text: "a"}, {Kind: heading, Level: 2, Text: "e", Section: 1}},
			Aside:  "b c d f", Quoted: []content.Quoted{{Text: "b", Before: 1}, {Text: "d", Before: 1}, {Text: "f", Section: 1, Before: 2}},
		}},
		{"items and cells", "- **a** b\n  - c\n\n| d | e |\n|---|---|\n| f |", content.Body{Blocks: []content.Block{
			{Kind: item, Text: "a b", BoldLed: true}, {Kind: item, Text: "c"},
			{Kind: cell, Text: "d"}, {Kind: cell, Text: "e"}, {Kind: cell, Text: "f"},
		}}},
		{"links and images", "[a](/b 'c')\n\n## d\n\ne <https://f.g> ![h *i*](j)", content.Body{
			Blocks: []content.Block{
				{Kind: paragraph, Text: "a", Linked: true}, {Kind: heading, Level: 2, Text: "d", Section: 1},
				{Kind: paragraph, Text: "e https://f.g", Section: 1},
			},
			Links:  []content.Link{{Text: "a", URL: "/b"}, {Text: "https://f.g", URL: "https://f.g", Section: 1}},
			Images: []content.Image{{Alt: "h i", Section: 1}},
		}},
		{"raw HTML", "<div>a<p rel=x>b</div><a href=/c rel='ugc NOFOLLOW'>d</a><script>e</script><!-- f --><li>g", content.Body{
			Blocks: []content.Block{
				{Kind: paragraph, Text: "a"}, {Kind: paragraph, Text: "b"}, {Kind: paragraph, Text: "d", Linked: true}, {Kind: item, Text: "g"},
			},
			Links: []content.Link{{Text: "d", URL: "/c", NoFollow: true}},
		}},
	} {
		got, err := content.Read(tc.markdown)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
