package content

import (
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// faqNames are the usual headings of a section of frequently asked questions, by the language of the article.
var faqNames = map[string][]string{
	"ar": {"الأسئلة الشائعة"},
	"bg": {"Често задавани въпроси"},
	"ca": {"Preguntes freqüents"},
	"cs": {"Často kladené otázky", "Často kladené dotazy", "Časté dotazy"},
	"da": {"Ofte stillede spørgsmål"},
	"de": {"Häufige Fragen", "Häufig gestellte Fragen", "Fragen und Antworten"},
	"el": {"Συχνές ερωτήσεις"},
	"en": {"FAQ", "FAQs", "F.A.Q.", "Frequently asked questions", "Common questions", "Questions and answers", "Q&A"},
	"es": {"Preguntas frecuentes"},
	"et": {"Korduma kippuvad küsimused"},
	"fi": {"Usein kysytyt kysymykset", "Usein kysyttyä"},
	"fr": {"Foire aux questions", "Questions fréquentes", "Questions fréquemment posées"},
	"he": {"שאלות נפוצות"},
	"hi": {"अक्सर पूछे जाने वाले प्रश्न"},
	"hr": {"Često postavljana pitanja"},
	"hu": {"Gyakran ismételt kérdések", "Gyakori kérdések"},
	"id": {"Pertanyaan umum", "Pertanyaan yang sering diajukan"},
	"is": {"Algengar spurningar"},
	"it": {"Domande frequenti"},
	"ja": {"よくある質問"},
	"ko": {"자주 묻는 질문"},
	"lt": {"Dažnai užduodami klausimai"},
	"lv": {"Biežāk uzdotie jautājumi"},
	"ms": {"Soalan lazim"},
	"nb": {"Ofte stilte spørsmål"},
	"nl": {"Veelgestelde vragen"},
	"pl": {"Najczęściej zadawane pytania", "Często zadawane pytania"},
	"pt": {"Perguntas frequentes", "Perguntas mais frequentes"},
	"ro": {"Întrebări frecvente"},
	"ru": {"Часто задаваемые вопросы"},
	"sk": {"Často kladené otázky"},
	"sl": {"Pogosto zastavljena vprašanja"},
	"sv": {"Vanliga frågor"},
	"th": {"คำถามที่พบบ่อย"},
	"tr": {"Sıkça sorulan sorular", "Sık sorulan sorular"},
	"uk": {"Поширені запитання", "Часті запитання"},
	"vi": {"Câu hỏi thường gặp"},
	"zh": {"常见问题", "常見問題"},
}

// namesFAQ reports whether a heading begins with the name of a FAQ section, as "FAQ about trail shoes" does.
func namesFAQ(heading, tag string) bool {
	words := headingWords(heading)
	return slices.ContainsFunc(slices.Concat(faqNames["en"], faqNames[baseLanguage(tag)]), func(name string) bool {
		start := language.Words(name)
		return language.StartsWith(words, start)
	})
}

// headingWords are the words of a heading without numbering and decoration before them.
func headingWords(heading string) []string {
	words := language.Words(strings.TrimLeftFunc(heading, func(r rune) bool { return !language.IsWordRune(r) }))
	for len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
		words = words[1:]
	}
	return words
}
