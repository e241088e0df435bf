package language

import (
	"strings"
	"unicode/utf8"
)

// alphabets are the letters of languages with a list of function words: in Latin script those beside a to z, in Cyrillic script all. They
// follow the exemplar characters of the Unicode CLDR, with letters of usual loan words. A language that is not here has any letter.
var alphabets = map[string]string{
	"be": "абвгдеёжзійклмнопрстуўфхцчшыьэюяґ",
	"bg": "абвгдежзийклмнопрстуфхцчшщъьюяѝ",
	"bs": "čćđšžéабвгдђежзијклљмнњопрстћуфхцчџш",
	"ca": "àçéèëíïóòúüñ·",
	"cs": "áčďéěíňóřšťúůýž",
	"da": "æøåéáäöü",
	"de": "äöüßéèàç",
	"en": "éèêçñïöü",
	"es": "áéíñóúüç",
	"et": "äõöüšžé",
	"fi": "äöåšžé",
	"fr": "àâæçéèêëîïôœùûüÿñ",
	"hr": "čćđšžé",
	"hu": "áéíóöőúüűä",
	"id": "éèê",
	"it": "àéèìíîòóùú",
	"lt": "ąčęėįšųūžé",
	"lv": "āčēģīķļņōŗšūžé",
	"ms": "éèê",
	"nl": "äáàéèêëíïóöôúüç",
	"no": "æøåéèêóòôàäöü",
	"pl": "ąćęłńóśźżé",
	"pt": "áàâãçéêíóôõúüñè",
	"ro": "ăâîșțşţéá",
	"ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
	"sk": "áäčďéíĺľňóôŕšťúýžöü",
	"sl": "čšžćđé",
	"sr": "čćđšžéабвгдђежзијклљмнњопрстћуфхцчџш",
	"sv": "åäöéàüáèæø",
	"sw": "éʼ",
	"tr": "çğıöşüâîûé",
	"uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяʼ",
	"vi": "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
}

// maxStrange is the largest share of words, in percent, that may have letters that the language lacks.
const maxStrange = 8

// strange counts the words that have letters which a language lacks.
func strange(words []string, base string) int {
	alphabet, n := alphabets[base], 0
	if alphabet == "" {
		return 0
	}
	isOther := func(r rune) bool {
		return r >= utf8.RuneSelf && r != apostropheLetter && !strings.ContainsRune(alphabet, r)
	}
	for _, word := range words {
		if strings.ContainsFunc(word, isOther) {
			n++
		}
	}
	return n
}

// isStrange reports whether many words have letters that a language lacks.
func isStrange(words []string, base string) bool {
	return strange(words, base)*100 > maxStrange*len(words)
}
