package check

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// The lengths that Yoast documents.
const (
	goodWords                      = 300
	minDescription, maxDescription = 121, 156
	maxTitlePixels                 = 600
)

// scoredWords is the number of words below which the score is at most the number of words. Yoast has no such bound.
const scoredWords = 100

func textLength(f *facts) Finding {
	if f.words >= goodWords {
		return pass(perfect, "the text has %d words", f.words)
	}
	points := 6
	switch {
	case f.words < 100:
		points = -20
	case f.words < 200:
		points = -10
	case f.words < 250:
		points = 3
	}
	found := fmt.Sprintf("the text has %s; it should have at least %d", count(f.words, "word", "words"), goodWords)
	if f.words < scoredWords {
		found += fmt.Sprintf(", and with fewer than %d, the score is at most the number of words", scoredWords)
	}
	return fault(points, "%s", found).mend(Target{Part: Whole},
		"Write a longer article: it has %d words and needs at least %d.", f.words, goodWords)
}

func descriptionLength(f *facts) Finding {
	target := Target{Part: Fields}
	const ask = "Write a meta description of %d to %d characters."
	switch n := utf8.RuneCountInString(f.Document.MetaDescription); {
	case n == 0:
		return fault(1, "there is no meta description; it should have %d to %d characters", minDescription, maxDescription).
			mend(target, ask, minDescription, maxDescription)
	case n < minDescription || n > maxDescription:
		return fault(6, "the meta description has %d characters; it should have %d to %d", n, minDescription, maxDescription).
			mend(target, ask, minDescription, maxDescription)
	default:
		return pass(perfect, "the meta description has %d characters", n)
	}
}

func titleWidth(f *facts) Finding {
	switch width := TitlePixels(f.title()); {
	case width == 0:
		return fault(1, "there is no title for search engines").mend(Target{Part: Fields}, "Write a meta title.")
	case width > maxTitlePixels:
		return fault(3, "the title for search engines is %d pixels wide; results show %d", width, maxTitlePixels).
			mend(Target{Part: Fields}, "Write a shorter meta title, of at most 60 characters.")
	default:
		return pass(perfect, "the title for search engines is %d of %d pixels wide", width, maxTitlePixels)
	}
}

// singleH1 passes always: the body's first-level headings become second-level ones. It counts because Yoast's does.
func singleH1(*facts) Finding {
	return pass(8, "the title is the only first-level heading")
}

func images(f *facts) Finding {
	if len(f.body.Images) == 0 {
		return fault(3, "the article has no images; it should have at least one")
	}
	return pass(perfect, "the article has %s", count(len(f.body.Images), "image", "images"))
}

// manyImages is the number from which a share of the images should have the keyword, and no more.
const manyImages = 5

func keyphraseInImages(f *facts) Finding {
	all, with := len(f.body.Images), 0
	for _, image := range f.body.Images {
		if 2*f.key.found(f.language.Tokens(image.Alt)) >= len(f.key.words) {
			with++
		}
	}
	switch {
	case all == 0:
		return fault(3, "there are no images whose alternative text could have the keyword")
	case with == 0:
		return fault(6, "no alternative text of %s has half of the keyword's words", count(all, "image", "images"))
	case all == manyImages && with >= 2 && with <= 4, all < manyImages,
		with*100 >= minTopicPercent*all && with*100 <= maxTopicPercent*all:
		return pass(perfect, "%d of %s the keyword in the alternative text", with, count(all, "image has", "images have"))
	default:
		return fault(6, "%d of %d images have the keyword in the alternative text; 30 to 75 percent should have it", with, all)
	}
}

// where a link leads.
type where int

const (
	elsewhere where = iota
	sameSite
	nowhere
)

func (f *facts) leads(address string) where {
	if strings.HasPrefix(address, "#") {
		return nowhere
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nowhere
	case u.Scheme == "" && u.Host == "":
		return sameSite
	case u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https":
		return nowhere
	}
	if site, err := url.Parse(f.SiteURL); err == nil && strings.EqualFold(site.Host, u.Host) {
		return sameSite
	}
	return elsewhere
}

func outboundLinks(f *facts) Finding {
	return f.linkCheck(elsewhere, "outbound", "to other sites")
}

func internalLinks(f *facts) Finding {
	found := f.linkCheck(sameSite, "internal", "to the same site")
	if found.Result == Failed && f.Site != nil && f.Site.Linkable > 0 {
		return found.mend(Target{Part: Whole}, "Link to one of the listed articles where it helps the reader.")
	}
	return found
}

func (f *facts) linkCheck(to where, kind, words string) Finding {
	followed, not := 0, 0
	var notFollowed []string
	for _, link := range f.body.Links {
		switch {
		case f.leads(link.URL) != to:
		case link.NoFollow:
			not++
			notFollowed = append(notFollowed, link.Text)
		default:
			followed++
		}
	}
	switch {
	case followed+not == 0:
		return fault(3, "the text has no links %s; it should have at least one", words)
	case followed == 0:
		return fault(7, "all %d %s links are nofollow; one should not be", not, kind).at(notFollowed...)
	case not > 0:
		return pass(8, "%d of %d %s links are nofollow", not, followed+not, kind)
	default:
		return pass(perfect, "the text has %s %s", count(followed, "link", "links"), words)
	}
}

func competingLinks(f *facts) Finding {
	i := slices.IndexFunc(f.body.Links, func(link content.Link) bool {
		tokens := f.language.Tokens(link.Text)
		if f.leads(link.URL) == nowhere || f.key.count(tokens) == 0 {
			return false
		}
		return !slices.ContainsFunc(tokens, func(token string) bool {
			return f.key.found([]string{token}) == 0 && !f.language.IsFunctionWord(token)
		})
	})
	if i < 0 {
		return pass(8, "no link has the keyword alone as its text")
	}
	link := f.body.Links[i]
	return fault(2, "the link %s has only the keyword as its text; it leads readers and search engines to another page for it",
		quote(link.Text)).mend(section(link.Section), "Give the link %s another text than the keyword alone.", quote(link.Text)).
		at(link.Text)
}
