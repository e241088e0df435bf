package check

import (
	"cmp"
	"slices"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// facts are the input of the checks.
type facts struct {
	Input
	language *language.Profile
	stemmer  *language.Stemmer
	body     content.Body
	blocks   []*block
	// fields are what readers see beside the body.
	fields []*block
	words  int
	key    keyphrase
	// claims of the text; none without a brief.
	claims []ground.Claim
}

// block of the body with its sentences.
type block struct {
	content.Block
	sentences []language.Sentence
	// tokens of all sentences.
	tokens []string
	// words for readers, and how often the keyword is in one sentence.
	words, keywords int
	// stemmed are the tokens with their stems; nil until a check asks for them.
	stemmed *language.Stemmed
}

func gather(in Input) *facts {
	f := &facts{Input: in, language: language.For(in.Document.Language)}
	f.stemmer = f.language.NewStemmer()
	f.key = newKeyphrase(f.language, in.Keyword)
	// For the checks, a body that cannot be parsed is empty. Normalize refuses it.
	if body, err := content.Read(in.Document.Markdown); err == nil {
		f.body = body
	}
	if image := in.Document.Image; image != nil {
		f.body.Images = append(f.body.Images, content.Image{Alt: image.Alt})
	}
	for _, b := range f.body.Blocks {
		read := f.read(b)
		f.words += read.words
		f.blocks = append(f.blocks, read)
	}
	for _, text := range f.texts() {
		f.fields = append(f.fields, f.read(content.Block{Text: text}))
	}
	if in.Material != nil {
		f.claims = ground.CheckBody(in.Document, f.body, *in.Material, f.knownCitations())
	}
	return f
}

func (f *facts) read(b content.Block) *block {
	paragraph := f.language.Split(b.Text)
	read := &block{Block: b, sentences: paragraph.Sentences, tokens: paragraph.Words}
	for _, s := range read.sentences {
		read.words += s.Count
		read.keywords += f.key.count(s.Words)
	}
	return read
}

func (f *facts) stems(b *block) language.Stemmed {
	if b.stemmed == nil {
		stemmed := f.stemmer.Stem(b.tokens)
		b.stemmed = &stemmed
	}
	return *b.stemmed
}

func (f *facts) stemsOf(text string) language.Stemmed { return f.stemmer.Stem(f.language.Tokens(text)) }

// texts are the visible texts outside the body.
func (f *facts) texts() []string {
	d := f.Document
	out := make([]string, 0, 3+2*len(d.FAQ))
	out = append(out, d.Title, d.MetaTitle, d.MetaDescription)
	for _, q := range d.FAQ {
		out = append(out, q.Question, q.Answer)
	}
	return out
}

// introduction is the first block of text that is more than a heading or a link; false if there is none.
func (f *facts) introduction() (*block, bool) {
	i := slices.IndexFunc(f.blocks, func(b *block) bool {
		return b.Kind != content.BlockHeading && b.Kind != content.BlockCaption && !b.Linked
	})
	if i < 0 {
		return &block{}, false
	}
	return f.blocks[i], true
}

// headings of the second and the third level.
func (f *facts) headings() []*block {
	return slices.DeleteFunc(slices.Clone(f.blocks), func(b *block) bool { return b.Kind != content.BlockHeading || b.Level > 3 })
}

// title for search engines: the meta title, or else the title.
func (f *facts) title() string {
	return cmp.Or(f.Document.MetaTitle, f.Document.Title)
}

// slug is the document's, or the one that its title makes.
func (f *facts) slug() string {
	if f.Document.Slug != "" {
		return f.Document.Slug
	}
	return content.Slug(f.Document.Title, f.Document.Language)
}

func section(i int) Target { return Target{Part: Section, Section: i} }
