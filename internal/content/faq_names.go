package content

import "strings"

// faqNames are the usual headings of a section of frequently asked questions.
var faqNames = []string{
	"FAQ", "FAQs", "F.A.Q.", "Frequently asked questions", "Common questions", "Questions and answers", "Q&A", // English
	"Häufige Fragen", "Häufig gestellte Fragen", "Fragen und Antworten", // German
	"Foire aux questions", "Questions fréquentes", "Questions fréquemment posées", // French
	"Preguntas frecuentes", "Perguntas frequentes", "Perguntas mais frequentes", // Spanish, Portuguese
	"Domande frequenti", "Întrebări frecvente", "Preguntes freqüents", // Italian, Romanian, Catalan
	"Veelgestelde vragen", "Vanliga frågor", "Ofte stillede spørgsmål", "Ofte stilte spørsmål", "Algengar spurningar", // Dutch, Nordic
	"Usein kysytyt kysymykset", "Usein kysyttyä", "Korduma kippuvad küsimused", // Finnish, Estonian
	"Najczęściej zadawane pytania", "Często zadawane pytania", "Často kladené otázky", "Často kladené dotazy", "Časté dotazy",
	"Často zastavljena vprašanja", "Često postavljana pitanja", "Dažnai užduodami klausimai", "Biežāk uzdotie jautājumi",
	"Gyakran ismételt kérdések", "Gyakori kérdések", "Sıkça sorulan sorular", "Sık sorulan sorular", // Hungarian, Turkish
	"Часто задаваемые вопросы", "Поширені запитання", "Часті запитання", "Често задавани въпроси", "Συχνές ερωτήσεις",
	"よくある質問", "常见问题", "常見問題", "자주 묻는 질문", "الأسئلة الشائعة", "שאלות נפוצות", "अक्सर पूछे जाने वाले प्रश्न",
	"Pertanyaan umum", "Pertanyaan yang sering diajukan", "Soalan lazim", "Câu hỏi thường gặp", "คำถามที่พบบ่อย",
}

var faqNameWords = func() [][]string {
	out := make([][]string, 0, len(faqNames))
	for _, name := range faqNames {
		out = append(out, Words(name))
	}
	return out
}()

// faqName reports whether a heading names a FAQ section, and whether it says nothing else, as "FAQ about trail shoes" does.
func faqName(heading string) (named, alone bool) {
	words := headingWords(heading)
	for _, name := range faqNameWords {
		if len(words) >= len(name) && startsWith(words, name) {
			named = true
			alone = alone || len(words) == len(name)
		}
	}
	return named, alone
}

// headingWords are the words of a heading without numbering and decoration before them.
func headingWords(heading string) []string {
	words := Words(strings.TrimLeftFunc(heading, func(r rune) bool { return !wordRune(r) }))
	for len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
		words = words[1:]
	}
	return words
}
