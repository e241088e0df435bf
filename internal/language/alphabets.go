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
func (r *Reader) strange(words []Word, base string) int {
	alphabet, n := alphabets[base], 0
	if alphabet == "" {
		return 0
	}
	for _, w := range words {
		if hasOther(r.vocabulary.at(w), alphabet) {
			n++
		}
	}
	return n
}

// isStrange reports whether many words have letters that a language lacks.
func (r *Reader) isStrange(words []Word, base string) bool {
	return r.strange(words, base)*100 > maxStrange*len(words)
}

// hasOther reports whether a word has a letter that is neither in an alphabet nor in ASCII.
func hasOther(word []byte, alphabet string) bool {
	for i := 0; i < len(word); {
		if word[i] < utf8.RuneSelf {
			i++
			continue
		}
		letter, size := utf8.DecodeRune(word[i:])
		if !strings.ContainsRune(alphabet, letter) && letter != apostropheLetter {
			return true
		}
		i += size
	}
	return false
}
