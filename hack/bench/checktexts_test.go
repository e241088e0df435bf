//go:build e2e

package bench_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// checkedArticle is a text that the checks look at, and the language that it says that it is in.
type checkedArticle struct{ text, language string }

// checkedArticles are one of the usual length, and the largest of prose, of many different words, of much markup, and of scripts whose
// words take longer to find.
func checkedArticles(b *testing.B) map[string]checkedArticle {
	b.Helper()
	articles := map[string]checkedArticle{}
	for name, text := range englishTexts(b) {
		articles[name] = checkedArticle{text, "en"}
	}
	for name, text := range markupTexts() {
		articles[name] = checkedArticle{text, "en"}
	}
	maps.Copy(articles, textsOfLanguages())
	return articles
}

// filled joins parts up to the largest size of a body.
func filled(part func(i int) string) string {
	var text strings.Builder
	for i := 0; ; i++ {
		next := part(i)
		if text.Len()+len(next) > v1alpha1.MaxMarkdownBytes {
			return text.String()
		}
		text.WriteString(next)
	}
}

func repeated(part string) string { return behind("", part) }

// behind repeats a part behind another.
func behind(first, part string) string {
	return filled(func(i int) string {
		if i == 0 && first != "" {
			return first
		}
		return part
	})
}

// wordOf is another word for each number.
func wordOf(i int) string {
	var w strings.Builder
	for ; i > 0; i /= 26 {
		w.WriteByte(byte('a' + i%26))
	}
	return w.String()
}

func englishTexts(b *testing.B) map[string]string {
	b.Helper()
	data, err := os.ReadFile("../../internal/check/testdata/posts/en-trail.md")
	must(b, err)
	_, post, _ := strings.Cut(string(data), "\n---\n")
	return map[string]string{
		"1400-words":      strings.Repeat(post+"\n\n", 3),
		"prose":           repeated(post + "\n\n"),
		"different-words": filled(func(i int) string { return "Z" + wordOf(i+1) + " q" + wordOf(i+7) + ". " }),
		"apostrophes":     filled(func(i int) string { return "l'" + wordOf(i+1) + "'s " + wordOf(i+3) + " " }),
		"one-word":        strings.Repeat("a", v1alpha1.MaxMarkdownBytes),
		"keyword":         repeated("trail running shoes "),
		"headings":        filled(func(i int) string { return "## trail " + wordOf(i+1) + "\n" }),
		"links":           filled(func(i int) string { return "[trail](/" + wordOf(i+1) + ") \n\n" }),
		"full-stops":      filled(func(i int) string { return "a. B. " }),
		"Cyrillic":        repeated("Обувь, которую мы продаём, сделана для леса. Она такая лёгкая! "),
		"Greek":           repeated("Τα παπούτσια που πουλάμε είναι για το δάσος, όχι τους δρόμους. Ναι! "),
		"Chinese":         repeated("我们卖的鞋子是为森林而做的，不是为街道。它们很轻！"),
		"Thai":            repeated("รองเท้าที่เราขายทำมาเพื่อป่า ไม่ใช่เพื่อถนน "),
		"Hindi":           repeated("हमारे जूते जंगल के लिए बने हैं। वे बहुत हल्के हैं! "),
		"closing":         behind("A.", "("),
		"no-breaks":       behind("A.", "\u00a0"),
		"emoji":           repeated("🙂 🏃‍♀️👟 "),
		"same-begins":     filled(func(i int) string { return "lugg" + wordOf(i+1) + " " }),
		"combining":       repeated("e\u0301te\u0301 n\u0303 "),
	}
}

// markupTexts are of much markup, and of characters that take longer to fold.
func markupTexts() map[string]string {
	return map[string]string{
		"table": behind("| a | b |\n|---|---|\n", "| trail | shoes |\n"),
		"list":  filled(func(i int) string { return "- **" + wordOf(i+1) + "** trail\n" }), "short-paragraphs": repeated("trail\n\n"),
		"emphasis": repeated("*a **b *c* d** e*\n\n"), "images": repeated("![trail](/a.png)\n\n"),
		"references": behind("[a]: /b\n\n", "[a] [c][a]\n\n"), "brackets": repeated("[1]\n\n"), "empty-headings": repeated("##\n"),
		"entities": repeated("&eacute;"), "code-spans": repeated("`a` b\n\n"), "HTML": behind("a <b>b</b> ", "鞋子是为森林而做的，"),
		"dots": behind("a", "."), "dashes": repeated("a—"), "quotations": repeated("\"a\" "), "ligatures": repeated("ﬁ"),
		"marks": repeated("a\u0301a\u0316\u0300a\u0301\u0316\u0300\u0320"),
	}
}

// textsOfLanguages are texts in their own language: many different words, which may have the stem that is looked for, and scripts without
// spaces or without full stops.
func textsOfLanguages() map[string]checkedArticle {
	// letters is another word for each number, of letters from one on.
	letters := func(from rune, count, i int) string {
		var w strings.Builder
		for ; i > 0; i /= count {
			w.WriteRune(from + rune(i%count))
		}
		return w.String()
	}
	return map[string]checkedArticle{
		"Lao":             {repeated("ເກີບທີ່ພວກເຮົາຂາຍແມ່ນເຮັດມາເພື່ອປ່າໄມ້ ບໍ່ແມ່ນເພື່ອຖະໜົນ "), "lo"},
		"Khmer":           {repeated("ស្បែកជើងដែលយើងលក់ត្រូវបានធ្វើសម្រាប់ព្រៃ។ វាស្រាលណាស់ "), "km"},
		"Japanese":        {repeated("私たちが売っている靴は森のために作られています"), "ja"},
		"Arabic":          {repeated("الأحذية التي نبيعها مصنوعة للغابة، وليس للشوارع. "), "ar"},
		"mixed-scripts":   {repeated("shoes обувь 鞋 รองเท้า παπούτσια जूते أحذية 신발 "), "en"},
		"Chinese-stops":   {repeated("我。"), "zh"},
		"Chinese-words":   {filled(func(i int) string { return string(rune(0x4E00 + i*7919%20000)) }), "zh"},
		"Arabic-words":    {filled(func(i int) string { return letters('ا', 28, i+1) + " " }), "ar"},
		"German-words":    {filled(func(i int) string { return "lugs" + wordOf(i+1) + " " }), "de"},
		"Hungarian-words": {filled(func(i int) string { return "lug" + wordOf(i+1) + "nak " }), "hu"},
		"Korean-words":    {filled(func(i int) string { return letters('가', 11000, 99*i+1) + "는 " }), "ko"},
		"Russian-words":   {filled(func(i int) string { return letters('а', 30, i+1) + " " }), "ru"},
		"Tamil-words":     {filled(func(i int) string { return letters('க', 5, i+1) + " " }), "ta"},
		"Turkish-words":   {filled(func(i int) string { return "lug" + wordOf(i+1) + " " }), "tr"},
	}
}
