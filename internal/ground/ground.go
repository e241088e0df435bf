// Package ground finds the claims of a text, and says which of them its material supports. It looks words up and compares values: it
// asks no model, and does not judge whether a claim is true. It is pure: the same input gives the same claims.
package ground

// Material is what a text may rest on.
type Material struct {
	// Facts that the text may state without a citation.
	Facts []string
	// Sources that the text may cite.
	Sources []Source
	// Known are texts whose words are no claims: what was asked for, the name of the site, the titles of articles that the text may link
	// to.
	Known []string
}

// Source is a text that may be cited.
type Source struct {
	// Name by which a model cites it, Title, and URL, which may be empty.
	Name, Title, URL string
	// Text of the source.
	Text string
}

// Citation is a place of a text that cited a source before the names of sources were taken out of it.
type Citation struct {
	// Words that were cited.
	Words string
	// Source is the name of the source.
	Source string
}

// Class of a claim.
type Class string

// The classes.
const (
	// Figure is a number with its unit, or a date.
	Figure Class = "Figure"
	// Name is a name of a person, an organisation, a product or a place.
	Name Class = "Name"
	// Quotation is four words or more between quotation marks.
	Quotation Class = "Quotation"
	// Address is a URL, a domain or an e-mail address.
	Address Class = "Address"
	// Study is a phrase such as "studies show" in a sentence that cites nothing.
	Study Class = "Study"
)

// Result is what the material says of a claim.
type Result string

// The results.
const (
	// Supported claims stand in the material.
	Supported Result = "supported"
	// Unsupported claims stand in no source, no fact and nothing else that is known.
	Unsupported Result = "unsupported"
	// WrongSource is a claim that another source has than the one that its sentence cites.
	WrongSource Result = "wrong-source"
	// OtherContext is a hint: the material has the figure, in a sentence about something else.
	OtherContext Result = "other-context"
)

// Claim is something in a text that a reader may take for a fact.
type Claim struct {
	Class  Class
	Result Result
	// Section is an index into content.Sections, or -1 if the claim is in a field beside the body.
	Section int
	// Words of the claim, and the Sentence that they stand in.
	Words, Sentence string
	// Cited is the name of the source that the sentence cites; empty if it cites none.
	Cited string
	// Source and Passage support the claim: the name of the source, empty for a fact, and at most 300 characters of it. Both are empty
	// if nothing of the brief supports the claim.
	Source, Passage string
}

// Counts reports whether the gate counts a claim: hints and supported claims do not count.
func (c Claim) Counts() bool { return c.Result == Unsupported || c.Result == WrongSource }

// Passage is a paragraph of a source.
type Passage struct {
	// Source is the name of the source.
	Source string
	// Text of the paragraph.
	Text string
}
