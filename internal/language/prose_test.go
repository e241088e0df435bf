package language_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// more paragraphs on the subject of the others, of languages that are near to one another.
var near = map[string]string{
	"sr": "Cipele koje prodajemo napravljene su za šumu, a ne za ulicu. Imaju đon koji drži na mokrom kamenu, i toliko su lagane da ih posle sat vremena više ne osećate. Ako želite da znate koje su od njih prave za vas, dođite u našu prodavnicu kada budete imali malo vremena.",
	"hr": "Cipele koje prodajemo napravljene su za šumu, a ne za ulicu. Imaju potplat koji drži na mokrom kamenu, i toliko su lagane da ih nakon sat vremena više ne osjećate. Ako želite znati koje su od njih prave za vas, dođite u našu trgovinu kada budete imali malo vremena.",
	"cs": "Boty, které prodáváme, jsou vyrobeny do lesa, a ne na ulici. Mají podrážku, která drží na mokrém kameni, a jsou tak lehké, že je po hodině už ani necítíte. Pokud chcete vědět, které z nich jsou pro vás ty pravé, přijďte do našeho obchodu, až budete mít chvíli čas.",
	"sk": "Topánky, ktoré predávame, sú vyrobené do lesa, a nie na ulicu. Majú podrážku, ktorá drží na mokrom kameni, a sú také ľahké, že ich po hodine už ani necítite. Ak chcete vedieť, ktoré z nich sú pre vás tie pravé, príďte do nášho obchodu, keď budete mať chvíľu čas.",
	"sl": "Čevlji, ki jih prodajamo, so narejeni za gozd in ne za ulico. Imajo podplat, ki drži na mokrem kamnu, in so tako lahki, da jih po eni uri ne čutite več. Če želite vedeti, kateri med njimi so pravi za vas, pridite v našo trgovino, ko boste imeli nekaj časa.",
	"bg": "Обувките, които продаваме, са направени за гората, а не за улицата. Те имат подметка, която държи на мокър камък, и са толкова леки, че след час вече не ги усещате. Ако искате да знаете кои от тях са за вас, елате в нашия магазин, когато имате малко време.",
	"ca": "Les sabates que venem estan fetes per al bosc i no per al carrer. Tenen una sola que s'agafa a la pedra mullada, i són tan lleugeres que després d'una hora ja no es noten. Si voleu saber quines són les vostres, veniu a la nostra botiga quan tingueu una estona lliure.",
	"da": "De sko, som vi sælger, er lavet til skoven og ikke til gaden. De har en sål, der holder på våde sten, og de er så lette, at man ikke mærker dem efter en time. Hvis du vil vide, hvilke af dem der er de rigtige for dig, så kom ned i vores butik, når du har tid.",
}

// cyrillic transliterates Serbian.
var cyrillic = strings.NewReplacer("lj", "љ", "nj", "њ", "dž", "џ", "a", "а", "b", "б", "v", "в", "g", "г", "d", "д", "đ", "ђ", "e", "е", "ž", "ж",
	"z", "з", "i", "и", "j", "ј", "k", "к", "l", "л", "m", "м", "n", "н", "o", "о", "p", "п", "r", "р", "s", "с", "t", "т", "ć", "ћ", "u", "у",
	"h", "х", "c", "ц", "č", "ч", "š", "ш")

func TestSerbianIsWrittenInTwoScripts(t *testing.T) {
	latin, cyrillic := near["sr"], cyrillic.Replace(strings.ToLower(near["sr"]))
	for _, tc := range []struct {
		tag, text string
		want      bool
	}{
		{"sr", latin, true},
		{"sr", cyrillic, true},
		{"sr-Latn", latin, true},
		{"sr-Latn", cyrillic, false},
		{"sr-Cyrl", latin, false},
		{"sr-Cyrl-RS", cyrillic, true},
		{"sr", near["hr"], true},
		{"hr", near["sr"], true},
		{"bs", near["hr"], true},
		{"sr", paragraphs["ru"], false},
		{"sr", paragraphs["uk"], false},
		{"sr", near["bg"], false},
		{"sr", near["sl"], false},
		{"sr", near["cs"], false},
		{"sr", paragraphs["en"], false},
		{"bs", paragraphs["pl"], false},
		{"ru", cyrillic, false},
		{"bg", cyrillic, false},
	} {
		if fit := language.Fits(tc.tag, tc.text); fit.OK != tc.want || fit.Unknown {
			t.Errorf("%s: %.40q: %+v, want %v", tc.tag, tc.text, fit, tc.want)
		}
	}
}

// Names that all languages share say nothing, however many there are.
func TestForeignParagraphsAreFoundAmongNames(t *testing.T) {
	names := strings.Repeat(" Let's Encrypt, The Who, ISRG Root X1, Do It Yourself, letsencrypt.org/docs/a-z, der die-das.de,", 2)
	texts := maps.Clone(paragraphs)
	maps.Copy(texts, near)
	texts["ja"] = "靴は森のために作られています。とても軽いので、一時間後には感じません。店に来てください。どの靴が合うかを知りたい方は、ぜひお越しください。"
	for tag, text := range texts {
		text += names
		if fit := language.Fits(tag, text); !fit.OK {
			t.Errorf("%s: %+v", tag, fit)
		}
		for other, host := range texts {
			if other == tag || other+tag == "srhr" || other+tag == "hrsr" {
				continue
			}
			if fit := language.Fits(other, strings.Repeat(host+"\n\n", 5)+text); fit.OK || fit.Passage == "" {
				t.Errorf("a paragraph in %s within %s: %+v", tag, other, fit)
			}
		}
	}
}

// Of the largest text, only a part is read for its prose.
func TestTheLargestTextIsJudgedToItsEnd(t *testing.T) {
	names := strings.Repeat(" ISRG Root X1, Do It Yourself, letsencrypt.org/docs/a-z,", 12)
	own := strings.Repeat(paragraphs["de"]+names+"\n\n", 200)
	if fit := language.Fits("de", own); !fit.OK || fit.Unknown {
		t.Errorf("%d bytes: %+v", len(own), fit)
	}
	for _, tag := range []string{"en", "nl", "ru", "fr"} {
		if fit := language.Fits("de", own+paragraphs[tag]); fit.OK || fit.Passage == "" {
			t.Errorf("a paragraph in %s behind %d bytes: %+v", tag, len(own), fit)
		}
	}
	if long := strings.ReplaceAll(own, "\n\n", " "); language.Fits("en", long).OK {
		t.Error("a paragraph of German is English")
	}
}

// What is read for its prose may end within any paragraph.
func TestAForeignParagraphIsFoundWhereverItIs(t *testing.T) {
	names := strings.Repeat(" ISRG Root X1, Do It Yourself, letsencrypt.org/docs/a-z,", 12)
	own := strings.Repeat(paragraphs["de"]+names+"\n\n", 32<<10/len(paragraphs["de"]+names)-1)
	for more := 0; len(own)+more < 33<<10; more += 7 * len(" ISRG,") {
		text := own + paragraphs["de"] + names + strings.Repeat(" ISRG,", more/len(" ISRG,")) + "\n\n" + paragraphs["en"]
		if fit := language.Fits("de", text); fit.OK || fit.Passage == "" {
			t.Errorf("a paragraph in English, %d bytes into the text: %+v", len(text)-len(paragraphs["en"]), fit)
		}
	}
}

func TestAPageOfNamesIsNotForeign(t *testing.T) {
	roots := strings.Repeat("ISRG Root X1 (RSA 4096, O = Internet Security Research Group, CN = ISRG Root X1): crt.sh, DER, PEM, TXT, https://x1.i.lencr.org\n\n", 12)
	kinds := "BMPString, GeneralString, GraphicString, IA5String, ISO646String, NumericString, PrintableString, TeletexString, T61String, UniversalString, " +
		"UTF8String, VideotexString, VisibleString, OCTET STRING, BIT STRING, UTCTime, GeneralizedTime, OBJECT IDENTIFIER, SEQUENCE OF, SET OF, CHOICE, " +
		"ANY DEFINED BY, INTEGER, BOOLEAN, NULL, ENUMERATED, REAL, EXTERNAL, TIME-OF-DAY, EMBEDDED PDV, DURATION, CHARACTER STRING, DATE, DATE-TIME."
	for _, tc := range []struct{ tag, text string }{
		{"he", "כאן תמצאו את כל האישורים שלנו, ואת השמות של כל מי שחתם עליהם.\n\n" + roots},
		{"zh-CN", "这里列出了我们的所有证书，以及签署这些证书的每一个人的名字。\n\n" + roots},
		{"ja", "ここには、私たちのすべての証明書と、それに署名した人々の名前があります。\n\n" + roots},
		{"pl", paragraphs["pl"] + "\n\n" + roots},
		{"uk", paragraphs["uk"] + "\n\nASN.1 має багато типів рядків: " + kinds},
		{"hi", "कुछ platforms पर आप private issues के साथ intake कर सकते हैं, और security team को email या form से report भेज सकते हैं। " +
			"यदि आपका repository GitHub पर है तो private vulnerability reporting enable करें और maintainers को notify करें।"},
	} {
		if fit := language.Fits(tc.tag, tc.text); !fit.OK {
			t.Errorf("%s: %+v", tc.tag, fit)
		}
	}
}

func TestWhatNothingTellsIsUnknown(t *testing.T) {
	for _, tc := range []struct {
		tag, text string
		want      bool
	}{
		{"de", "Ein kurzer Satz.", true},
		{"de", strings.Repeat("Berlin, Hamburg, München, Köln. ", 20), true},
		{"uz", strings.Repeat("Bu poyabzallar ko'cha uchun emas, balki o'rmon uchun tayyorlangan. ", 8), true},
		{"", "anything", true},
		{"de", paragraphs["de"], false},
		{"ja", "靴は森のために作られています。", false},
		{"ko", "신발은 숲을 위해 만들어졌습니다.", false},
		{"el", "Τα παπούτσια", false},
	} {
		if fit := language.Fits(tc.tag, tc.text); !fit.OK || fit.Unknown != tc.want {
			t.Errorf("%s: %.40q: %+v, want unknown: %v", tc.tag, tc.text, fit, tc.want)
		}
	}
}
