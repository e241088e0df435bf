package generate

import (
	"slices"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/related"
)

// article is a state of the article that can be used, with what our checks find in it.
type article struct {
	// named has links by their names: repairs work on it.
	named content.Document
	// done is what becomes a revision: named with the addresses of its links.
	done   content.Document
	report check.Report
	// cited are the citations of named.
	cited []ground.Citation
}

// assess checks a document whose links have names. It asks no model.
func (d *draft) assess(named content.Document) article {
	done := named
	var cited []ground.Citation
	done.Markdown, cited = defined(d.links, named.Markdown)
	in := d.checkInput(done)
	in.Cited = cited
	return article{named: named, done: done, report: check.Run(in), cited: cited}
}

// defined returns a body with the addresses of its links, and its citations.
func defined(links content.NamedLinks, body string) (string, []ground.Citation) {
	markdown, citations := links.Define(body)
	if len(citations) == 0 {
		return markdown, nil
	}
	cited := make([]ground.Citation, 0, len(citations))
	for _, c := range citations {
		cited = append(cited, ground.Citation(c))
	}
	return markdown, cited
}

// CheckInput returns the input of the checks for a document and a request, as the pipeline makes it, without citations.
func CheckInput(r Request, doc content.Document) check.Input {
	d := &draft{request: r, extent: extentOf(r.Length), avoid: wordsToAvoid(r), links: namedLinks(r)}
	return d.checkInput(doc)
}

// checkInput returns the input of the checks. The length is the request's, as in the prompts.
func (d *draft) checkInput(doc content.Document) check.Input {
	r := d.request
	in := check.Input{
		Document: doc, Keyword: r.Keyword, SecondaryKeywords: r.SecondaryKeywords, AvoidWords: d.avoid, MinWords: d.extent.minWords,
		MaxWords: d.extent.maxWords, Generated: true,
	}
	if r.Domain != "" {
		in.SiteURL = "https://" + r.Domain
	}
	if r.Material != nil {
		in.Material = new(d.known(*r.Material))
	}
	if r.Site != nil {
		in.Site = &check.Site{
			SameKeyword: r.Site.SameKeyword, Linkable: len(d.links.Links), NearDuplicates: r.Site.near(doc, r.Keyword),
		}
	}
	return in
}

// known adds to the material what a request says: its words are no claims.
func (d *draft) known(m ground.Material) ground.Material {
	r := d.request
	m.Known = slices.Concat(m.Known, []string{r.Keyword, r.SiteName, r.Domain, r.Audience, r.Instructions}, r.SecondaryKeywords)
	for _, l := range r.Links {
		m.Known = append(m.Known, l.Title, l.About)
	}
	m.Known = slices.DeleteFunc(m.Known, func(text string) bool { return text == "" })
	return m
}

// Site has the facts about the other articles of a site.
type Site struct {
	// SameKeyword are the names of articles with the request's keyword.
	SameKeyword []string
	// Near returns the names of the published articles whose text a fingerprint is near to, in order. If it is nil, there are none.
	Near func(related.Fingerprint) []string
}

// near returns the names of the published articles that a text about a keyword nearly repeats, in order.
func (s *Site) near(doc content.Document, keyword string) []string {
	fingerprint, ok := related.FingerprintOf(doc.Language, content.PlainText(doc.Markdown), keyword)
	if !ok || s.Near == nil {
		return nil
	}
	return s.Near(fingerprint)
}
