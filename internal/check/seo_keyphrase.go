package check

import (
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// The checks of keyphrases follow the thresholds that Yoast documents in its "SCORING SEO".

// withKeyword skips a check if there is no keyword.
func withKeyword(run func(*facts) Finding) func(*facts) Finding {
	return func(f *facts) Finding {
		if f.key.none() {
			return notApplicable("there is no keyword")
		}
		return run(f)
	}
}

func keyphraseInIntroduction(f *facts) Finding {
	first, ok := f.introduction()
	target := section(first.Section)
	if !ok {
		return fault(3, "there is no first paragraph that could have the keyword").mend(Target{Part: Whole},
			"Begin the article with a paragraph that has the words %s in one sentence.", quote(f.key.text))
	}
	if first.keywords > 0 {
		return pass(perfect, "the first paragraph has the keyword in one sentence")
	}
	const ask = "Write the first paragraph so that one of its first sentences has the words %s, in this form."
	if f.key.found(first.tokens) == len(f.key.words) {
		return fault(6, "the first paragraph has the words of the keyword; they should be in one sentence").
			mend(target, ask, quote(f.key.text)).at(first.Text)
	}
	return fault(3, "the first paragraph should have all words of the keyword in one sentence").mend(target, ask, quote(f.key.text)).
		at(first.Text)
}

func keyphraseLength(f *facts) Finding {
	good, most, unit := 6, 9, "words"
	if f.language.KnowsFunctionWords() {
		good, most, unit = 4, 8, "words of content"
	}
	switch n := len(f.key.words); {
	case n > good:
		return fault(partly(n > most), "the keyword has %d %s; it should have at most %d", n, unit, good)
	default:
		return pass(perfect, "the keyword has %s", count(n, "word", unit))
	}
}

func keyphraseFunctionWords(f *facts) Finding {
	if !f.key.functionOnly {
		return notApplicable("the keyword has words of content")
	}
	return fault(0, "the keyword consists of function words; it should have a word that says what the article is about")
}

func keyphraseInDescription(f *facts) Finding {
	target := Target{Part: Fields}
	if f.Document.MetaDescription == "" {
		return fault(3, "there is no meta description that could have the keyword").mend(target,
			"Write a meta description that has the words %s.", quote(f.key.text))
	}
	switch n := f.read(content.Block{Text: f.Document.MetaDescription}).keywords; {
	case n == 0:
		return fault(3, "the meta description should have all words of the keyword in one sentence").mend(target,
			"Write a meta description with the words %s in one sentence.", quote(f.key.text))
	case n > 2:
		return fault(3, "the meta description has the keyword %d times; it should have it once or twice", n).mend(target,
			"Write a meta description that has the words %s only once.", quote(f.key.text))
	default:
		return pass(perfect, "the meta description has the keyword")
	}
}

func keyphraseInTitle(f *facts) Finding {
	target := Target{Part: Fields}
	const ask = "Write a meta title that begins with %s, word for word."
	if f.title() == "" {
		return fault(2, "there is no title that could have the keyword").mend(target, ask, quote(f.key.text))
	}
	found, first := f.key.exact(f.title())
	switch {
	case first:
		return pass(perfect, "the title for search engines begins with the keyword")
	case found:
		return fault(6, "the title for search engines has the keyword; it should begin with it").mend(target, ask, quote(f.key.text))
	case f.key.found(f.language.Tokens(f.title())) == len(f.key.words):
		return fault(6, "the title for search engines has the words of the keyword; it should begin with the keyword, word for word").
			mend(target, ask, quote(f.key.text))
	default:
		return fault(2, "the title for search engines should begin with the keyword").mend(target, ask, quote(f.key.text))
	}
}

func keyphraseInSlug(f *facts) Finding {
	found, all := foundIn(f.key.slugs, language.Words(f.slug())), len(f.key.slugs)
	if all == 0 {
		return notApplicable("a slug cannot have the letters of the keyword")
	}
	if found == all || all > 2 && 2*found > all {
		return pass(perfect, "the slug has the keyword")
	}
	if all > 2 {
		return fault(6, "the slug has %d of %d words of the keyword; it should have more than half of them", found, all).
			mend(Target{Part: Fields}, "Make the slug of the words %s.", quote(f.key.text))
	}
	return fault(6, "the slug should have the words of the keyword").
		mend(Target{Part: Fields}, "Make the slug of the words %s.", quote(f.key.text))
}
