package language

// ContainsForms reports whether the words of a phrase follow each other in a text, each in any inflected form that the language's
// stemmer knows. No text contains a phrase without words.
func (p *Profile) ContainsForms(text, phrase string) bool {
	r := p.NewReader()
	words := r.Words(text)
	return r.Forms(phrase).In(words)
}

// Mentions reports whether all words of content of a phrase are in a text, in any order and any form. Where the language joins words,
// a word of 5 letters or more is also present at either end of a longer one. No text mentions a phrase without words.
func (p *Profile) Mentions(text, phrase string) bool {
	r := p.NewReader()
	words := r.Words(text)
	return r.Forms(phrase).Compounds().Mentioned(words)
}
