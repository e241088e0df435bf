package content_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestOneTildeStrikesNothingOut(t *testing.T) {
	for markdown, want := range map[string]string{
		"10~20 minutes, or 30~40":    "<p>10~20 minutes, or 30~40</p>\n",
		"10~20분, 30~40분":             "<p>10~20분, 30~40분</p>\n",
		"~one~ ~~two~~ ~~~three~~~":  "<p>~one~ <del>two</del> ~~~three~~~</p>\n",
		"H~2~O":                      "<p>H~2~O</p>\n",
		"~~重点。~~下一句":                 "<p><del>重点。</del>下一句</p>\n",
		"| a |\n|---|\n| 1~2, 3~4 |": "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1~2, 3~4</td>\n</tr>\n</tbody>\n</table>\n",
	} {
		if got, err := content.HTML(markdown); err != nil || got != want {
			t.Errorf("%q: %q, %v\nwant %q", markdown, got, err, want)
		}
	}
	if got := content.PlainText("10~20 minutes, or 30~40"); got != "10~20 minutes, or 30~40" {
		t.Errorf("PlainText = %q", got)
	}
}

func TestEmphasisBesideChineseJapaneseAndKorean(t *testing.T) {
	for markdown, want := range map[string]string{
		"这是**重点。**下一句，还有**“引用”**部分":  "这是<strong>重点。</strong>下一句，还有<strong>“引用”</strong>部分",
		"これは**「重要」**です。":             "これは<strong>「重要」</strong>です。",
		"これは**私のやりたかったこと。**だからするの。":  "これは<strong>私のやりたかったこと。</strong>だからするの。",
		"**이 용어(This term)**를 강조":    "<strong>이 용어(This term)</strong>를 강조",
		"税込**¥10,000**で":             "税込<strong>¥10,000</strong>で",
		"*（注）*本文":                    "<em>（注）</em>本文",
		"***重点！***然后":                "<em><strong>重点！</strong></em>然后",
		"**`code`**と**[リンク。](/a)**も": `<strong><code>code</code></strong>と<strong><a href="/a">リンク。</a></strong>も`,
		"禰󠄀**(ね)**豆子":                "禰󠄀<strong>(ね)</strong>豆子",
		"中文_下划_中文":                   "中文_下划_中文",
		"a**(b)**c 2*3*4 **a**":      "a**(b)**c 2<em>3</em>4 <strong>a</strong>",
		"** 不是 **":                   "** 不是 **",
	} {
		got, err := content.HTML(markdown)
		if want := "<p>" + want + "</p>\n"; err != nil || got != want {
			t.Errorf("%q: %q, %v\nwant %q", markdown, got, err, want)
		}
	}
	for _, read := range []string{content.PlainText("这是**重点。**下一句"), bodyText(t, "这是**重点。**下一句")} {
		if read != "这是重点。下一句" {
			t.Errorf("read as %q", read)
		}
	}
}

func TestLinesOfChineseAndJapaneseAreJoined(t *testing.T) {
	for markdown, want := range map[string]string{
		"第一行，\n第二行":     "第一行，第二行",
		"カタカナ\nひらがな":    "カタカナひらがな",
		"一**二**\n三":     "一<strong>二</strong>\n三",
		"一\n**二**":      "一<strong>二</strong>",
		"한국어\n문장":       "한국어\n문장",
		"一\nEnglish\n二": "一\nEnglish\n二",
		"一  \n二":        "一<br>\n二",
	} {
		got, err := content.HTML(markdown)
		if want := "<p>" + want + "</p>\n"; err != nil || got != want {
			t.Errorf("%q: %q, %v\nwant %q", markdown, got, err, want)
		}
	}
	if got, err := content.HTML("<div>一\n二</div>\n\n```\n一\n二\n```"); err != nil || got != "<div>一二</div>\n<pre><code>一\n二\n</code></pre>\n" {
		t.Errorf("HTML = %q, %v", got, err)
	}
	doc, err := content.Normalize(content.Document{Title: "标题\n第二行", Markdown: "第一行，\n第二行"})
	if err != nil || doc.Title != "标题第二行" || doc.MetaDescription != "第一行，第二行" {
		t.Errorf("%+v, %v", doc, err)
	}
	for _, read := range []string{content.PlainText("第一行，\n第二行"), bodyText(t, "第一行，\n第二行")} {
		if read != "第一行，第二行" {
			t.Errorf("read as %q", read)
		}
	}
}

func TestFootnotes(t *testing.T) {
	const text = "Grip[^1] and weight[^w], grip again[^1].\n\n[^1]: How it *holds*.\n[^w]: In grams.\n\n    Dry.\n\nThe end[^none]."
	got, err := content.HTML(text)
	if err != nil {
		t.Fatal(err)
	}
	checkBalanced(t, got)
	id := got[strings.Index(got, `id="n`)+4:][:10]
	want := `<p>Grip<sup id="I-fnref:1"><a href="#I-fn:1" role="doc-noteref">1</a></sup> and weight` +
		`<sup id="I-fnref:2"><a href="#I-fn:2" role="doc-noteref">2</a></sup>, grip again` +
		`<sup id="I-fnref1:1"><a href="#I-fn:1" role="doc-noteref">1</a></sup>.</p>` + "\n<p>The end[^none].</p>\n" +
		`<div role="doc-endnotes">` + "\n<hr>\n<ol>\n" + `<li id="I-fn:1">` + "\n<p>How it <em>holds</em>." +
		"\u00a0" + `<a href="#I-fnref:1" role="doc-backlink">↩︎</a>` + "\u00a0" + `<a href="#I-fnref1:1" role="doc-backlink">↩︎</a></p>` + "\n</li>\n" +
		`<li id="I-fn:2">` + "\n<p>In grams.</p>\n<p>Dry.\u00a0" + `<a href="#I-fnref:2" role="doc-backlink">↩︎</a></p>` + "\n</li>\n</ol>\n</div>\n"
	if want = strings.ReplaceAll(want, "I-", id); got != want {
		t.Errorf("HTML = %s\nwant   %s", got, want)
	}
	if other, err := content.HTML(text + " Other."); err != nil || strings.Contains(other, id) {
		t.Errorf("the ids of another text: %q, %v, want none with %s", other, err, id)
	}
	if got, want := content.PlainText(text), "Grip and weight, grip again.\n\nThe end[^none].\n\n1. How it holds.\n2. In grams.\nDry."; got != want {
		t.Errorf("PlainText = %q\nwant        %q", got, want)
	}
	body, err := content.Read(text)
	if err != nil || len(body.Links) > 0 || body.Blocks[0].Text != "Grip and weight, grip again." {
		t.Errorf("Read = %+v, %v", body, err)
	}
}

func TestFootnotesStayWithTheTextThatRefersToThem(t *testing.T) {
	d := content.MoveFAQ(content.Document{Language: "en", Markdown: "Grip[^1].\n\n[^1]: A note.\n\n## FAQ\n\n### Why?\n\nBecause[^2].\n\n[^2]: Of grip.\n"})
	if len(d.FAQ) != 1 || d.FAQ[0].Answer != "Because." || !strings.Contains(d.Markdown, "[^1]: A note.") || strings.Contains(d.Markdown, "Because") {
		t.Errorf("%+v", d)
	}
	d, err := content.Normalize(content.Document{Title: "T", Markdown: "# T\n\n[^1]: A note.\n\nGrip[^1].\n\n# More"})
	if err != nil || d.Markdown != "[^1]: A note.\n\nGrip[^1].\n\n## More" {
		t.Errorf("%q, %v", d.Markdown, err)
	}
	links := content.NamedLinks{}
	body, _ := links.Apply("Grip[^1] <https://a.example>, weight[^2].\n\n[^1]: https://a.example\n[^2]: Smith, https://b.example\n")
	if strings.Contains(body, "[^1]") || !strings.Contains(body, "weight[^2]") || strings.Contains(body, "example") || !strings.Contains(body, "[^2]: Smith") {
		t.Errorf("without addresses: %q", body)
	}
}

func bodyText(t *testing.T, markdown string) string {
	t.Helper()
	body, err := content.Read(markdown)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, b := range body.Blocks {
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "\n")
}
