package article

import (
	"maps"
	"reflect"
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
	// Digest and Revision name the text that was read. Version names what people had written if there was no revision of it.
	Digest, Revision, Version string

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
		Site: v.Form("site"), Digest: v.Form("digest"), Revision: v.Form("revision"), Version: v.Form("version"),
		Title: trimmed("title"), Slug: trimmed("slug"),
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

// questions returns the rows of the FAQ that are filled in.
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

// members are the fields as members of update-article, in which null clears.
func (f textForm) members() map[string]any {
	return map[string]any{
		"title": f.Title, "slug": f.Slug, "content_markdown": f.Markdown, "meta_title": f.MetaTitle, "meta_description": f.MetaDescription,
		"target_keyword": f.Keyword, "tone": f.Tone, "secondary_keywords": page.Lines(f.Secondary), "faq": f.questions(),
		"tags": f.tags(), "category": orNull(f.Category), "author": orNull(f.Author), "image": f.Image.request(),
	}
}

// forModel are the members that only a generated text has.
var forModel = []string{"tone", "secondary_keywords"}

// whole is the form as the body of create-article and preview-text: what is empty is made by Pressroom.
func (f textForm) whole() (restarticle.PreviewRequest, error) {
	body := f.members()
	maps.DeleteFunc(body, func(name string, value any) bool {
		v := reflect.ValueOf(value)
		return slices.Contains(forModel, name) || !v.IsValid() || v.Len() == 0
	})
	body["site_uid"], body["title"], body["content_markdown"] = f.Site, f.Title, f.Markdown
	return page.BodyOf[restarticle.PreviewRequest](body)
}

// edits is the body of update-article with what differs from an article. With another body the text is the author's, for which nothing of
// a generated text is kept: so what the form shows beside the body is sent with it.
func (f textForm) edits(a restarticle.Article) map[string]any {
	body, before := f.members(), textOf(a).members()
	maps.DeleteFunc(body, func(name string, value any) bool {
		return reflect.DeepEqual(value, before[name]) || a.Generator == nil && slices.Contains(forModel, name)
	})
	rewritten, made := f.Markdown != a.ContentMarkdown, madeOf(a)
	for _, field := range []struct{ name, value, made string }{
		{"title", f.Title, ""}, {"slug", f.Slug, ""}, {"meta_title", f.MetaTitle, made.MetaTitle},
		{"meta_description", f.MetaDescription, made.MetaDescription},
	} {
		switch unchanged := field.value == before[field.name]; {
		case field.value == "":
			// It stays as it is.
			delete(body, field.name)
		case !rewritten || field.name == "slug":
		case unchanged && field.value == field.made:
			// It follows the text.
			body[field.name] = nil
		default:
			body[field.name] = field.value
		}
	}
	if faq := f.questions(); rewritten && len(faq) > 0 {
		body["faq"] = faq
	}
	return body
}

// madeOf has the meta fields that are made of the text of an article if nobody writes them.
func madeOf(a restarticle.Article) content.Document {
	// Without a title or a text, nothing is made.
	made, _ := content.Complete(content.Document{Title: a.Title, Markdown: a.ContentMarkdown})
	return made
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
