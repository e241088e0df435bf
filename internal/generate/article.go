package generate

import (
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/related"
)

// article is a state of the article that can be used, with what our checks find in it.
type article struct {
	// named has links by their names: repairs work on it.
	named content.Document
	// done is what becomes a revision: named with the addresses of its links.
	done   content.Document
	report check.Report
}

// assess checks a document whose links have names. It asks no model.
func (d *draft) assess(named content.Document) article {
	done := named
	done.Markdown = d.links.Define(named.Markdown)
	return article{named: named, done: done, report: check.Run(d.checkInput(done))}
}

// CheckInput returns the input of the checks for a document and a request, as the pipeline makes it.
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
	if r.Site != nil {
		in.Site = &check.Site{
			SameKeyword: r.Site.SameKeyword, Linkable: len(d.links.Links), NearDuplicates: r.Site.near(doc, r.Keyword),
		}
	}
	return in
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
