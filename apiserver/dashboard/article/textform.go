package article

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// textForm is a text as its form has it.
type textForm struct {
	// Site of a text that is not an article yet.
	Site string
	// Digest and Revision name the text that was read.
	Digest, Revision string

	Title, Slug, Markdown, MetaTitle, MetaDescription, Keyword, Tone string
	// Secondary are the secondary keywords, one on each line.
	Secondary string
	FAQ       []restarticle.FAQEntry
	// Tags are separated by commas.
	Tags, Category, Author string
	Image                  imageForm
}

// textFields is what the fields of a text are made of.
type textFields struct {
	Text textForm
	// Problem with the whole form, and Problems with its fields, by their names in the REST API.
	Problem  string
	Problems map[string]string
	// Preview is the path that a preview and a change of the FAQ are sent to, Paste that for what is pasted.
	Preview, Paste string
	// Language of the text, for the spelling.
	Language string
	// Toolbar is the address of the script with the buttons above the text.
	Toolbar string
}

// Position is the number of a question for people.
func (textFields) Position(i int) int { return i + 1 }

// After reports whether another question comes after one.
func (f textFields) After(i int) bool { return i+1 < len(f.Text.FAQ) }

// textOf returns the form of an article as it is.
func textOf(a restarticle.Article) textForm {
	return textForm{
		Digest: a.RevisionDigest, Title: a.Title, Slug: a.Slug, Markdown: a.ContentMarkdown, MetaTitle: a.MetaTitle,
		MetaDescription: a.MetaDescription, Keyword: a.TargetKeyword, FAQ: a.FAQ, Tone: a.Tone,
		Secondary: strings.Join(a.SecondaryKeywords, "\n"),
		Tags:      strings.Join(a.Tags, ", "), Category: a.Category, Author: a.Author, Image: imageOf(a.Image),
	}
}

// sentText reads the form that was sent.
func sentText(v *page.Visit) textForm {
	trimmed := func(name string) string { return strings.TrimSpace(v.Form(name)) }
	f := textForm{
		Site: v.Form("site"), Digest: v.Form("digest"), Revision: v.Form("revision"), Title: trimmed("title"), Slug: trimmed("slug"),
		Markdown: v.Form("markdown"), MetaTitle: trimmed("meta_title"), MetaDescription: trimmed("meta_description"),
		Keyword: trimmed("keyword"), Tone: trimmed("tone"),
		Secondary: v.Form("secondary"), Tags: trimmed("tags"), Category: trimmed("category"), Author: trimmed("author"),
		Image: imageForm{trimmed("image_url"), trimmed("image_alt"), trimmed("image_credit")},
	}
	answers := v.Forms("answer")
	for i, question := range v.Forms("question") {
		entry := restarticle.FAQEntry{Question: strings.TrimSpace(question)}
		if i < len(answers) {
			entry.Answer = strings.TrimSpace(strings.ReplaceAll(answers[i], "\r\n", "\n"))
		}
		f.FAQ = append(f.FAQ, entry)
	}
	return f
}

// questions are the rows of the FAQ that somebody has filled in.
func (f textForm) questions() []restarticle.FAQEntry {
	out := []restarticle.FAQEntry{}
	for _, e := range f.FAQ {
		if e != (restarticle.FAQEntry{}) {
			out = append(out, e)
		}
	}
	return out
}

// change adds, removes or moves a row of the FAQ: "add", or "remove", "up" or "down" with its number from 0.
func (f *textForm) change(what string) {
	do, number, _ := strings.Cut(what, " ")
	i, err := strconv.Atoi(number)
	switch {
	case do == "add":
		f.FAQ = append(f.FAQ, restarticle.FAQEntry{})
	case err != nil || i < 0 || i >= len(f.FAQ):
	case do == "remove":
		f.FAQ = slices.Delete(f.FAQ, i, i+1)
	case do == "up" && i > 0:
		f.FAQ[i-1], f.FAQ[i] = f.FAQ[i], f.FAQ[i-1]
	case do == "down" && i+1 < len(f.FAQ):
		f.FAQ[i+1], f.FAQ[i] = f.FAQ[i], f.FAQ[i+1]
	}
}

// whole is the form as the body of create-article and preview-text: what is empty is made by Pressroom.
func (f textForm) whole() map[string]any {
	body := map[string]any{"site_uid": f.Site, "title": f.Title, "content_markdown": f.Markdown}
	for name, value := range map[string]string{
		"slug": f.Slug, "meta_title": f.MetaTitle, "meta_description": f.MetaDescription, "target_keyword": f.Keyword,
		"category": f.Category, "author": f.Author,
	} {
		if value != "" {
			body[name] = value
		}
	}
	if tags := f.tags(); len(tags) > 0 {
		body["tags"] = tags
	}
	if f.Image != (imageForm{}) {
		body["image"] = f.Image.request()
	}
	if faq := f.questions(); len(faq) > 0 {
		body["faq"] = faq
	}
	return body
}

// edits is the body of update-article with what differs from an article. With another body the text is the author's, for which nothing of
// a generated text is kept: so what the form shows beside the body is sent with it.
func (f textForm) edits(a restarticle.Article) map[string]any {
	body := map[string]any{}
	rewritten := f.Markdown != a.ContentMarkdown
	if rewritten {
		body["content_markdown"] = f.Markdown
	}
	f.editFields(body, a, rewritten)
	if faq := f.questions(); !slices.Equal(faq, a.FAQ) || rewritten && len(faq) > 0 {
		body["faq"] = faq
	}
	f.editPost(body, a)
	if f.Keyword != a.TargetKeyword {
		body["target_keyword"] = f.Keyword
	}
	if a.Generator == nil {
		return body
	}
	if f.Tone != a.Tone {
		body["tone"] = f.Tone
	}
	if secondary := page.Lines(f.Secondary); !slices.Equal(secondary, a.SecondaryKeywords) {
		body["secondary_keywords"] = secondary
	}
	return body
}

// editFields adds the title, the slug and the meta fields that differ, and of a rewritten text those that are to stay.
func (f textForm) editFields(body map[string]any, a restarticle.Article, rewritten bool) {
	made := madeOf(a)
	for _, field := range []struct{ name, value, before, made string }{
		{"title", f.Title, a.Title, ""}, {"slug", f.Slug, a.Slug, ""}, {"meta_title", f.MetaTitle, a.MetaTitle, made.MetaTitle},
		{"meta_description", f.MetaDescription, a.MetaDescription, made.MetaDescription},
	} {
		kept := rewritten && field.name != "slug" && field.value != ""
		switch {
		case kept && field.value == field.before && field.value == field.made:
			// It follows the text.
			body[field.name] = nil
		case field.value != field.before && field.value != "", kept:
			body[field.name] = field.value
		}
	}
}

// madeOf has the meta fields that are made of the text of an article if nobody writes them.
func madeOf(a restarticle.Article) content.Document {
	// Without a title or a text, nothing is made.
	made, _ := content.Complete(content.Document{Title: a.Title, Markdown: a.ContentMarkdown})
	return made
}

// editPost adds to the body of update-article what else differs of the post.
func (f textForm) editPost(body map[string]any, a restarticle.Article) {
	if f.Category != a.Category {
		body["category"] = orNull(f.Category)
	}
	if f.Author != a.Author {
		body["author"] = orNull(f.Author)
	}
	if tags := f.tags(); !slices.Equal(tags, a.Tags) {
		body["tags"] = tags
	}
	if f.Image != imageOf(a.Image) {
		body["image"] = f.Image.request()
	}
}

// tags are those of the form, each once.
func (f textForm) tags() []string {
	tags := []string{}
	for tag := range strings.SplitSeq(f.Tags, ",") {
		if tag = strings.Join(strings.Fields(tag), " "); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// orNull is a value of update-article; null, which clears, if it is empty.
func orNull(value string) any {
	if value == "" {
		return nil
	}
	return value
}

// imageForm is the featured image as the form has it. Without one, it is empty.
type imageForm struct{ URL, Alt, Credit string }

func imageOf(p *restarticle.Picture) imageForm {
	if p == nil {
		return imageForm{}
	}
	return imageForm{p.URL, p.Alt, p.Credit}
}

// request is the image as a member of a request; null, which clears, if there is none.
func (i imageForm) request() any {
	if i == (imageForm{}) {
		return nil
	}
	image := map[string]any{"url": i.URL, "alt": i.Alt}
	if i.Credit != "" {
		image["credit"] = i.Credit
	}
	return image
}

// text is the image as a line.
func (i imageForm) text() string { return strings.TrimSpace(i.URL + " " + i.Alt + " " + i.Credit) }
