package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/language"
)

const siteUnknown = "the site's other articles are not known"

func uniqueKeyword(f *facts) Finding {
	switch {
	case f.Site == nil:
		return notApplicable(siteUnknown)
	case len(f.Site.SameKeyword) > 0:
		return fault(3, "%s the same keyword: %s; they compete for the same searches",
			count(len(f.Site.SameKeyword), "other article has", "other articles have"), strings.Join(f.Site.SameKeyword, ", "))
	default:
		return pass(perfect, "no other article of the site has the same keyword")
	}
}

// secondaryKeywords may be in the text in any form.
func secondaryKeywords(f *facts) Finding {
	all, missing := 0, []string(nil)
	for _, keyword := range f.SecondaryKeywords {
		if len(language.Words(keyword)) == 0 {
			continue
		}
		all++
		wanted := f.stemsOf(keyword)
		if !slices.ContainsFunc(f.blocks, func(b *block) bool { return f.stems(b).Mentions(wanted) }) {
			missing = append(missing, keyword)
		}
	}
	switch {
	case all == 0:
		return notApplicable("there are no secondary keywords")
	case len(missing) == 0:
		return pass(perfect, "all secondary keywords are in the text")
	default:
		points := perfect * (all - len(missing)) / all
		names := strings.Join(missing, ", ")
		return fault(points, "%d of %s not in the text: %s",
			len(missing), count(all, "secondary keyword is", "secondary keywords are"), names).
			mend(f.sectionWithout(), "Use these words where they help the reader: %s.", shorten(names, 400))
	}
}

func requestedLength(f *facts) Finding {
	low, high := f.MinWords, f.MaxWords
	if low == 0 && high == 0 {
		return notApplicable("the request asks for no length")
	}
	high = cmp.Or(high, max(low, f.words))
	if f.words >= low && f.words <= high {
		return pass(perfect, "the text has %d words, of %d to %d", f.words, low, high)
	}
	far := f.words*5 < low*4 || f.words*4 > high*5
	return fault(partly(far), "the text has %d words; the request asks for %d to %d", f.words, low, high).
		mend(Target{Part: Whole}, "The article has %d words; write %d to %d.", f.words, low, high)
}
