package language_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// paragraphs of 40 words or more on one subject.
var paragraphs = map[string]string{
	"en": "The shoes that we sell are made for the forest and not for the street. They have a sole that holds on wet stone, and they are so light that you do not feel them after an hour. If you want to know which of them is right for you, come to our shop.",
	"de": "Die Schuhe, die wir verkaufen, sind für den Wald gemacht und nicht für die Straße. Sie haben eine Sohle, die auf nassem Stein hält, und sie sind so leicht, dass man sie nach einer Stunde nicht mehr spürt. Wer wissen will, welche davon die richtigen sind, kommt in unser Geschäft.",
	"fr": "Les chaussures que nous vendons sont faites pour la forêt et non pour la rue. Elles ont une semelle qui tient sur la pierre mouillée, et elles sont si légères que l'on ne les sent plus après une heure. Si vous voulez savoir lesquelles sont pour vous, venez dans notre magasin.",
	"es": "Los zapatos que vendemos están hechos para el bosque y no para la calle. Tienen una suela que agarra en la piedra mojada, y son tan ligeros que no se notan después de una hora. Si quiere saber cuáles son los suyos, venga a nuestra tienda cuando tenga un rato libre.",
	"it": "Le scarpe che vendiamo sono fatte per il bosco e non per la strada. Hanno una suola che tiene sulla pietra bagnata, e sono così leggere che dopo un'ora non si sentono più. Se vuole sapere quali sono quelle giuste per lei, venga nel nostro negozio quando ha un po' di tempo.",
	"nl": "De schoenen die wij verkopen zijn gemaakt voor het bos en niet voor de straat. Ze hebben een zool die op natte steen houdt, en ze zijn zo licht dat je ze na een uur niet meer voelt. Als je wilt weten welke de juiste voor je zijn, kom dan naar onze winkel.",
	"pt": "Os sapatos que vendemos são feitos para a floresta e não para a rua. Têm uma sola que segura na pedra molhada, e são tão leves que não se sentem depois de uma hora. Se quiser saber quais são os certos para si, venha à nossa loja quando tiver um bocado de tempo.",
	"pl": "Buty, które sprzedajemy, są zrobione do lasu, a nie na ulicę. Mają podeszwę, która trzyma się na mokrym kamieniu, i są tak lekkie, że po godzinie już się ich nie czuje. Jeśli chcesz wiedzieć, które z nich są dla ciebie, przyjdź do naszego sklepu, gdy tylko będziesz mieć na to czas.",
	"ru": "Обувь, которую мы продаём, сделана для леса, а не для улицы. У неё подошва, которая держится на мокром камне, и она такая лёгкая, что через час её уже не чувствуешь. Если вы хотите знать, какая из них для вас, приходите к нам в магазин, когда у вас будет на это время.",
	"sv": "Skorna som vi säljer är gjorda för skogen och inte för gatan. De har en sula som håller på våt sten, och de är så lätta att man inte känner dem efter en timme. Om du vill veta vilka som är de rätta för dig, kom då till vår butik när du har tid.",
	"tr": "Sattığımız ayakkabılar sokak için değil orman için yapılmıştır. Islak taşta tutan bir tabanları var ve o kadar hafifler ki bir saat sonra onları hiç hissetmezsiniz. Hangisinin sizin için doğru olduğunu bilmek isterseniz bize gelin, çünkü her şey burada ve biz her zaman daha çok yardım ederiz, ama önce sorun.",
	"hu": "A cipők, amelyeket eladunk, az erdőbe készültek és nem az utcára. Olyan talpuk van, amely a nedves kövön is megtart, és olyan könnyűek, hogy egy óra után már nem is érezni őket. Ha tudni szeretné, hogy melyik az, amelyik önnek való, akkor jöjjön el hozzánk az üzletbe, ha van rá ideje.",
	"ro": "Pantofii pe care îi vindem sunt făcuți pentru pădure și nu pentru stradă. Au o talpă care ține pe piatra udă și sunt atât de ușori încât după o oră nu se mai simt. Dacă vreți să știți care dintre ei sunt pentru dumneavoastră, veniți la noi în magazin când aveți puțin timp.",
	"el": "Τα παπούτσια που πουλάμε είναι φτιαγμένα για το δάσος και όχι για τον δρόμο. Έχουν μια σόλα που κρατάει στη βρεγμένη πέτρα, και είναι τόσο ελαφριά που μετά από μια ώρα δεν τα νιώθεις πια. Αν θέλετε να μάθετε ποια από αυτά είναι για εσάς, ελάτε στο κατάστημά μας.",
	"uk": "Взуття, яке ми продаємо, зроблене для лісу, а не для вулиці. Воно має підошву, яка тримається на мокрому камені, і воно таке легке, що через годину його вже не відчуваєш. Якщо ви хочете знати, яке з них для вас, то приходьте до нас у крамницю, коли у вас буде на це час.",
}

func TestATextFitsItsOwnLanguageOnly(t *testing.T) {
	for tag, text := range paragraphs {
		if fit := language.Fits(tag, text); !fit.OK {
			t.Errorf("%s: %+v", tag, fit)
		}
		for other := range paragraphs {
			if fit := language.Fits(other, text); other != tag && (fit.OK || fit.Found != tag) {
				t.Errorf("a text in %s as %s: %+v", tag, other, fit)
			}
		}
	}
}

func TestAForeignParagraphIsFound(t *testing.T) {
	for tag, text := range paragraphs {
		for other, foreign := range paragraphs {
			if other == tag {
				continue
			}
			long := strings.Repeat(text+"\n\n", 6)
			fit := language.Fits(tag, long+foreign+"\n\n"+text)
			if fit.OK || fit.Found != other || !strings.HasPrefix(foreign, strings.TrimSuffix(fit.Passage, "…")) || fit.Passage == "" {
				t.Errorf("a paragraph in %s within %s: %+v", other, tag, fit)
			}
		}
	}
}

func TestScriptsTellWhereWordsDoNot(t *testing.T) {
	names := "@alpha @beta @gamma " + strings.Repeat("@delta @epsilon-zeta ", 20)
	for _, tc := range []struct {
		tag, text string
		want      bool
	}{
		{"ja", "靴は森のために作られています。とても軽いので、一時間後には感じません。店に来てください。", true},
		{"ja", strings.Repeat("鞋子是为森林而做的不是为街道", 4), false},
		{"zh", strings.Repeat("鞋子是为森林而做的不是为街道", 4), true},
		{"zh-TW", strings.Repeat("靴は森のために作られています", 4), false},
		{"ko", "신발은 숲을 위해 만들어졌습니다.", true},
		{"ko", "The shoes are made for the forest.", false},
		{"ko", strings.Repeat("鞋子是为森林而做的不是为街道", 4), false},
		{"th", "รองเท้าทำมาเพื่อป่า", true},
		{"he", "Shoes for all", false},
		{"de", "Shoes for all", true},
		{"ru", strings.Repeat(paragraphs["ru"]+"\n\n", 4) + names, true},
		{"ru", paragraphs["ru"] + "\n\n" + paragraphs["ru"] + "\n\n" + strings.Repeat("鞋子是为森林而做的", 6), false},
		{"xx", "anything", true},
		{"", "anything", true},
		{"de", "", true},
		{"de", "1234", true},
	} {
		if fit := language.Fits(tc.tag, tc.text); fit.OK != tc.want {
			t.Errorf("%s: %.40q: %+v, want %v", tc.tag, tc.text, fit, tc.want)
		}
	}
}
