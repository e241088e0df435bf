package article

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// textForm is a text as its form has it.
type textForm struct {
	// Site of a text that is not an article yet.
	Site string
	// Digest and Revision name the text that was read. Version names what people had written if there was no revision of it.
	Digest, Revision, Version string
	// Row is what to do with a row of the FAQ, if the button that was pressed says so.
	Row string

	Title, Slug     string
	Markdown        page.Verbatim
	MetaTitle       string `json:"meta_title"`
	MetaDescription string `json:"meta_description"`
	Keyword, Tone   string
	// Secondary are the secondary keywords, one on each line.
	Secondary string
	// Tags are separated by commas.
	Tags, Category, Author string
	ImageURL               string                 `json:"image_url"`
	ImageAlt               string                 `json:"image_alt"`
	ImageCredit            string                 `json:"image_credit"`
	FAQ                    []restarticle.FAQEntry `json:"-"`
	// Questions and Answers are the rows of the FAQ as they are sent.
	Questions []string `json:"question"`
	Answers   []string `json:"answer"`
}

// textFields is what the fields of a text are made of.
type textFields struct {
	Text textForm
	// Problem with the whole form, and Problems with its fields, by their names in the REST API.
	Problem  string
	Problems map[string]string
	// Preview is the path that a preview and a change of the FAQ are sent to.
	Preview string
	// Language of the text, for the spelling.
	Language string
	// Generates means that another text is generated if the keywords change.
	Generates bool
	// Field is what the text field is made of where scripts run.
	Field field
}

// Position is the number of a question for people.
func (textFields) Position(i int) int { return i + 1 }

// After reports whether another question comes after one.
func (f textFields) After(i int) bool { return i+1 < len(f.Text.FAQ) }

// textOf returns the form of an article as it is.
func textOf(a restarticle.Article) textForm {
	image := imageOf(a.Image)
	return textForm{
		Digest: a.RevisionDigest, Title: a.Title, Slug: a.Slug, Markdown: page.Verbatim(a.ContentMarkdown), MetaTitle: a.MetaTitle,
		MetaDescription: a.MetaDescription, Keyword: a.TargetKeyword, FAQ: a.FAQ, Tone: a.Tone,
		Secondary: strings.Join(a.SecondaryKeywords, "\n"),
		Tags:      strings.Join(a.Tags, ", "), Category: a.Category, Author: a.Author,
		ImageURL: image.URL, ImageAlt: image.Alt, ImageCredit: image.Credit,
	}
}

// sentText reads the form that was sent.
func sentText(v *page.Visit) (textForm, error) {
	f, err := page.FormAs[textForm](v)
	for i, question := range f.Questions {
		entry := restarticle.FAQEntry{Question: question}
		if i < len(f.Answers) {
			entry.Answer = f.Answers[i]
		}
		f.FAQ = append(f.FAQ, entry)
	}
	return f, err
}

// filledIn are the rows of the FAQ that are filled in.
func (f textForm) filledIn() []restarticle.FAQEntry {
	return slices.DeleteFunc(slices.Clone(f.FAQ), func(e restarticle.FAQEntry) bool { return e == restarticle.FAQEntry{} })
}

// questions is the FAQ in a request.
func questions(rows []restarticle.FAQEntry) []restarticle.FAQEntryRequest {
	out := make([]restarticle.FAQEntryRequest, 0, len(rows))
	for _, e := range rows {
		out = append(out, restarticle.FAQEntryRequest(e))
	}
	return out
}

// changeRow adds, removes or moves a row of the FAQ: "add", or "remove", "up" or "down" with its number from 0.
func (f *textForm) changeRow() {
	do, number, _ := strings.Cut(f.Row, " ")
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

// whole returns the form as the body of create-article and preview-text. Pressroom makes the fields that are empty.
func (f textForm) whole() restarticle.PreviewRequest {
	return restarticle.PreviewRequest{
		SiteUID: operation.SiteUID(f.Site), Title: f.Title, ContentMarkdown: string(f.Markdown), Slug: restarticle.Slug(f.Slug),
		MetaTitle: f.MetaTitle, MetaDescription: f.MetaDescription, FAQ: questions(f.filledIn()), Tags: f.tags(),
		Category: restarticle.Name(f.Category), Author: restarticle.Name(f.Author), Image: f.Image(), TargetKeyword: f.Keyword,
	}
}

// edits is the body of update-article with what differs from an article. A title, a slug or a meta field that is empty stays as it is. With
// another body the text is the author's, for which nothing of a generated text is kept: so what the form shows beside the body is sent with
// it.
func (f textForm) edits(a restarticle.Article) restarticle.UpdateArticleRequest {
	before, made, rewritten := textOf(a), madeOf(a), string(f.Markdown) != a.ContentMarkdown
	r := restarticle.UpdateArticleRequest{
		MetaTitle:       metaEdit(f.MetaTitle, before.MetaTitle, made.MetaTitle, rewritten),
		MetaDescription: metaEdit(f.MetaDescription, before.MetaDescription, made.MetaDescription, rewritten),
		Category:        changed(restarticle.Name(f.Category), restarticle.Name(before.Category)),
		Author:          changed(restarticle.Name(f.Author), restarticle.Name(before.Author)),
		Image:           changed(f.Image(), before.Image()),
	}
	if f.Title != "" && (rewritten || f.Title != before.Title) {
		r.Title = &f.Title
	}
	if f.Slug != "" && f.Slug != before.Slug {
		r.Slug = patch.Of(restarticle.Slug(f.Slug))
	}
	if rewritten {
		r.ContentMarkdown = patch.Of(string(f.Markdown))
	}
	if faq := f.filledIn(); !slices.Equal(faq, before.filledIn()) || rewritten && len(faq) > 0 {
		r.FAQ = patch.Of(questions(faq))
	}
	if tags := f.tags(); !slices.Equal(tags, before.tags()) {
		r.Tags = patch.Of(tags)
	}
	if f.Keyword != before.Keyword {
		r.TargetKeyword = &f.Keyword
	}
	if a.Generator == nil {
		return r
	}
	r.Tone = changed(f.Tone, before.Tone)
	if secondary := page.Lines(f.Secondary); !slices.Equal(secondary, page.Lines(before.Secondary)) {
		r.SecondaryKeywords = patch.Of(secondary)
	}
	return r
}

// changed is a member of update-article: absent if the value is as before.
func changed[T comparable](value, before T) patch.Member[T] {
	if value == before {
		return patch.Member[T]{}
	}
	return orNull(value)
}

// metaEdit is a meta field. One that is made of the text, and that nobody has changed, follows another text.
func metaEdit(typed, before, made string, rewritten bool) patch.Member[string] {
	unchanged := typed == before
	switch {
	case typed == "" || unchanged && !rewritten:
		return patch.Member[string]{}
	case unchanged && before == made:
		return patch.Null[string]()
	default:
		return patch.Of(typed)
	}
}

// madeOf has the meta fields that are made of the text of an article if nobody writes them.
func madeOf(a restarticle.Article) content.Document {
	// Without a title or a text, nothing is made.
	made, _ := content.Complete(content.Document{Title: a.Title, Markdown: a.ContentMarkdown})
	return made
}

// tags are those of the form, each once.
func (f textForm) tags() restarticle.Tags {
	tags := restarticle.Tags{}
	for tag := range strings.SplitSeq(f.Tags, ",") {
		if tag = strings.Join(strings.Fields(tag), " "); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// orNull is a member of update-article: null, which clears, if the value is empty.
func orNull[T comparable](value T) patch.Member[T] {
	var empty T
	if value == empty {
		return patch.Null[T]()
	}
	return patch.Of(value)
}

// Image is the featured image; empty if there is none.
func (f textForm) Image() restarticle.Image {
	return restarticle.Image{URL: f.ImageURL, Alt: f.ImageAlt, Credit: f.ImageCredit}
}

func imageOf(p *restarticle.Picture) restarticle.Image {
	if p == nil {
		return restarticle.Image{}
	}
	return restarticle.Image{URL: p.URL, Alt: p.Alt, Credit: p.Credit}
}

// imageText is an image as a line.
func imageText(p *restarticle.Picture) string {
	image := imageOf(p)
	return strings.TrimSpace(image.URL + " " + image.Alt + " " + image.Credit)
}
