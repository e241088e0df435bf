package check

import (
	"slices"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// facts are the input of the checks.
type facts struct {
	Input
	language *language.Profile
	body     content.Body
	blocks   []block
	words    int
	key      keyphrase
	// stemmed are the texts of the blocks; nil until stems is called.
	stemmed []*language.Text
}

// block of the body with its sentences.
type block struct {
	content.Block
	sentences []sentence
	words     int
}

// sentence with its words for comparing and their number for readers.
type sentence struct {
	tokens []string
	words  int
	// long counts words of more than 6 letters.
	long int
}

func gather(in Input) *facts {
	f := &facts{Input: in, language: language.For(in.Document.Language)}
	f.key = newKeyphrase(f.language, in.Keyword)
	// For the checks, a body that cannot be parsed is empty. Normalize refuses it.
	if body, err := content.Read(in.Document.Markdown); err == nil {
		f.body = body
	}
	for _, b := range f.body.Blocks {
		read := block{Block: b, sentences: f.split(b.Text)}
		for _, s := range read.sentences {
			read.words += s.words
		}
		f.words += read.words
		f.blocks = append(f.blocks, read)
	}
	return f
}

// split returns the sentences of a text.
func (f *facts) split(text string) []sentence {
	texts := f.language.Sentences(text)
	out := make([]sentence, 0, len(texts))
	for _, t := range texts {
		s := sentence{tokens: f.language.Tokens(t), words: language.CountWords(t)}
		for _, token := range s.tokens {
			if len(token) > longWord && utf8.RuneCountInString(token) > longWord {
				s.long++
			}
		}
		out = append(out, s)
	}
	return out
}

// introduction is the first block of text that is more than a heading or a link; false if there is none.
func (f *facts) introduction() (block, bool) {
	i := slices.IndexFunc(f.blocks, func(b block) bool {
		return b.Kind != content.BlockHeading && b.Kind != content.BlockCaption && !b.Linked
	})
	if i < 0 {
		return block{}, false
	}
	return f.blocks[i], true
}

// headings of the second and the third level.
func (f *facts) headings() []block {
	var out []block
	for _, b := range f.blocks {
		if b.Kind == content.BlockHeading && b.Level <= 3 {
			out = append(out, b)
		}
	}
	return out
}

// title for search engines: the meta title, or else the title.
func (f *facts) title() string {
	if f.Document.MetaTitle != "" {
		return f.Document.MetaTitle
	}
	return f.Document.Title
}

// slug is the document's, or the one that its title makes.
func (f *facts) slug() string {
	if f.Document.Slug != "" {
		return f.Document.Slug
	}
	return content.Slug(f.Document.Title, f.Document.Language)
}

// section is the target of a repair of one section.
func section(i int) Target { return Target{Part: Section, Section: i} }
