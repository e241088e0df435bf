package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/modeltext"
)

func languageGate(f *facts) Finding {
	if f.language.Base() == "" {
		return notApplicable("the article has no language")
	}
	paragraphs := make([]language.Paragraph, 0, len(f.fields)+len(f.blocks))
	for _, b := range slices.Concat(f.fields, f.blocks) {
		paragraphs = append(paragraphs, language.Paragraph{Text: b.Text, Words: b.tokens})
	}
	fit := f.language.FitsAll(paragraphs)
	if fit.Unknown {
		return notApplicable("the text has too little prose to tell its language, or the words of the language are not known")
	}
	if fit.OK {
		return pass(0, "the text is in the language %s", f.language.Base())
	}
	found := "another language"
	if fit.Found != "" {
		found = "the language " + fit.Found
	}
	const ask = "Write everything in the language with the tag %s."
	tag := f.Document.Language
	if fit.Passage == "" {
		return fault(0, "the text is in %s; it must be in %s", found, tag).mend(Target{Part: Whole}, ask, tag)
	}
	return fault(0, "a paragraph is in %s; it must be in %s: %s", found, tag, quote(fit.Passage)).
		mend(f.sectionOf(fit.Passage), ask, tag).at(strings.TrimSuffix(fit.Passage, "…"))
}

// sectionOf returns the section of the block that begins with a passage, or the whole body.
func (f *facts) sectionOf(passage string) Target {
	passage = strings.TrimSuffix(passage, "…")
	for _, b := range f.blocks {
		if strings.HasPrefix(b.Text, passage) {
			return section(b.Section)
		}
	}
	return Target{Part: Fields}
}

func avoidedWords(f *facts) Finding {
	var wanted []string
	for _, word := range f.AvoidWords {
		if strings.TrimSpace(word) != "" && !f.isAsked(word) {
			wanted = append(wanted, word)
		}
	}
	if len(wanted) == 0 {
		return notApplicable("no words are to be avoided")
	}
	fields := f.stemsOf(strings.Join(append(f.texts(), f.Document.Slug), "\n"))
	aside := f.stemsOf(f.body.Aside)
	for _, word := range wanted {
		forbidden := f.stemsOf(word)
		if fields.Contains(forbidden) {
			return avoidedWord(word, Target{Part: Fields})
		}
		for _, b := range f.blocks {
			if f.stems(b).Contains(forbidden) {
				return avoidedWord(word, section(b.Section)).at(f.sentencesWhere(func(s language.Sentence) bool {
					return f.stemsOf(s.Text).Contains(forbidden)
				})...)
			}
		}
		if aside.Contains(forbidden) {
			return avoidedWord(word, Target{Part: Whole})
		}
	}
	return pass(0, "none of %s to avoid is in the text", count(len(wanted), "word", "words"))
}

func avoidedWord(word string, target Target) Finding {
	return fault(0, "the text has %s, which it may not have in any form", quote(word)).
		mend(target, "Leave out %s, in any form.", quote(word))
}

// isAsked reports whether a keyword has a word: then the request asks for it.
func (f *facts) isAsked(word string) bool {
	return language.ContainsPhrase(f.Keyword, word) ||
		slices.ContainsFunc(f.SecondaryKeywords, func(keyword string) bool { return language.ContainsPhrase(keyword, word) })
}

// templates are placeholders that should have been replaced.
var templates = regexp.MustCompile(`(?i)\[(?:insert|add|your)\s[^\]\n]{1,60}\]|\{\{\s*\w[^}\n]{0,60}\}\}`)

func placeholders(f *facts) Finding {
	const message, ask = "the text has %s, which nobody wrote for readers", "Leave out %s and what belongs to it."
	for _, b := range f.fields {
		if found := placeholderPhrases.first(b); found != "" {
			return fault(0, message, quote(found)).mend(Target{Part: Fields}, ask, quote(found))
		}
	}
	for _, b := range f.blocks {
		if found := placeholderPhrases.first(b); found != "" {
			return fault(0, message, quote(found)).mend(section(b.Section), ask, quote(found)).at(inText(b, found))
		}
		if strings.ContainsAny(b.Text, "[{") {
			if found := templates.FindString(b.Text); found != "" {
				return fault(0, message, quote(found)).mend(section(b.Section), ask, quote(found)).at(found)
			}
		}
	}
	return pass(0, "the text has no placeholders")
}

// remains finds what belongs to an answer and not to an article. Authors may write about such signs.
func remains(f *facts) Finding {
	if !f.Generated {
		return notApplicable("no model wrote the text")
	}
	const message = "the text has %s, which looks like a remain of the model's answer"
	const ask = "Leave out %s; if the text is about it, set it in code."
	for _, text := range f.texts() {
		// An answer to a question may have code.
		if body, err := content.Read(text); err == nil {
			for _, b := range body.Blocks {
				if found := modeltext.Remains(b.Text); found != "" {
					return fault(0, message, quote(found)).mend(Target{Part: Fields}, ask, quote(found))
				}
			}
		}
	}
	for _, b := range f.blocks {
		if found := modeltext.Remains(b.Text); found != "" {
			return fault(0, message, quote(found)).mend(section(b.Section), ask, quote(found)).at(found)
		}
	}
	return pass(0, "the text has no remains of the model's answer")
}

func nearDuplicateGate(f *facts) Finding {
	if f.Site == nil {
		return notApplicable("the site's other articles are not known")
	}
	if names := f.Site.NearDuplicates; len(names) > 0 {
		return fault(0, "almost the same text is published: %s", strings.Join(names, ", ")).
			mend(Target{Part: Whole}, "Write about another side of the subject: almost the same text is published already.")
	}
	return pass(0, "no published article has almost the same text")
}
