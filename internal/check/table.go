package check

import "slices"

// Order returns the place of a check in a report. A check that this version does not have comes after all others.
func Order(name string) int {
	all := checks()
	if i := slices.IndexFunc(all, func(c namedCheck) bool { return c.name == name }); i >= 0 {
		return i
	}
	return len(all)
}

// checks in the order in which they are reported.
func checks() []namedCheck {
	return []namedCheck{
		{"keyphrase-in-introduction", GroupSEO, perfect, withKeyword(keyphraseInIntroduction)},
		{"keyphrase-length", GroupSEO, perfect, withKeyword(keyphraseLength)},
		{"keyphrase-function-words", GroupSEO, perfect, withKeyword(keyphraseFunctionWords)},
		{"keyphrase-density", GroupSEO, perfect, withKeyword(keyphraseDensity)},
		{"keyphrase-in-meta-description", GroupSEO, perfect, withKeyword(keyphraseInDescription)},
		{"keyphrase-in-subheadings", GroupSEO, perfect, withKeyword(keyphraseInHeadings)},
		{"keyphrase-in-image-text", GroupSEO, perfect, withKeyword(keyphraseInImages)},
		{"keyphrase-in-seo-title", GroupSEO, perfect, withKeyword(keyphraseInTitle)},
		{"keyphrase-in-slug", GroupSEO, perfect, withKeyword(keyphraseInSlug)},
		{"competing-links", GroupSEO, 8, withKeyword(competingLinks)},
		{"meta-description-length", GroupSEO, perfect, descriptionLength},
		{"seo-title-width", GroupSEO, perfect, titleWidth},
		{"text-length", GroupSEO, perfect, textLength},
		{"outbound-links", GroupSEO, perfect, outboundLinks},
		{"internal-links", GroupSEO, perfect, internalLinks},
		{"images", GroupSEO, perfect, images},
		{"single-h1", GroupSEO, 8, singleH1},

		{"sentence-length", GroupReadability, perfect, sentenceLength},
		{"paragraph-length", GroupReadability, perfect, paragraphLength},
		{"section-length", GroupReadability, perfect, sectionLength},
		{"sentence-beginnings", GroupReadability, perfect, sentenceBeginnings},
		{"lix", GroupReadability, perfect, lix},

		{"stock-phrases", GroupStyle, perfect, stockPhrases},
		{"repeated-phrases", GroupStyle, perfect, repeatedPhrases},
		{"even-paragraphs", GroupStyle, perfect, evenParagraphs},
		{"closing-moral", GroupStyle, perfect, closingMoral},
		{"bold-bullets", GroupStyle, perfect, boldBullets},

		{"requested-length", GroupSite, perfect, requestedLength},
		{"secondary-keywords", GroupSite, perfect, secondaryKeywords},
		{"unique-keyword", GroupSite, perfect, uniqueKeyword},
		{"unique-text", GroupSite, perfect, uniqueText},

		{"language", GroupGate, 0, languageGate},
		{"avoided-words", GroupGate, 0, avoidedWords},
		{"placeholders", GroupGate, 0, placeholders},
		{"near-duplicate", GroupGate, 0, nearDuplicateGate},
	}
}
