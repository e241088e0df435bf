package check

import "strings"

// leadingWords begin so many sentences of a language that only the word behind them says whether two sentences begin alike: articles,
// demonstratives, and the numbers up to ten.
var leadingWords = map[string][]string{
	"da": strings.Fields(`den det de en et denne dette disse to tre fire fem seks syv otte ni ti`),
	"de": strings.Fields(`der die das dem den des ein eine einem einen einer eines eins dieser diese dieses diesem diesen jener jene jenes
		zwei drei vier fünf sechs sieben acht neun zehn`),
	"en": strings.Fields(`the a an this that these those one two three four five six seven eight nine ten`),
	"es": strings.Fields(`el la los las lo un una unos unas este esta esto estos estas ese esa eso esos esas aquel aquella aquellos aquellas
		uno dos tres cuatro cinco seis siete ocho nueve diez`),
	"fr": strings.Fields(`le la les l un une des du de d ce cet cette ces deux trois quatre cinq six sept huit neuf dix`),
	"it": strings.Fields(`il lo la i gli le l un uno una questo questa questi queste quello quella quelli quelle due tre quattro cinque sei
		sette otto nove dieci`),
	"nl": strings.Fields(`de het een deze dit die dat één twee drie vier vijf zes zeven acht negen tien`),
	"no": strings.Fields(`den det de en ei et denne dette disse to tre fire fem seks sju syv åtte ni ti`),
	"pl": strings.Fields(`ten ta to ci te tego tej tych temu tym jeden jedna jedno dwa dwie trzy cztery pięć sześć siedem
		osiem dziewięć dziesięć`),
	"pt": strings.Fields(`o a os as um uma uns umas este esta isto estes estas esse essa isso esses essas aquele aquela aquilo
		aqueles aquelas dois duas três quatro cinco seis sete oito nove dez`),
	"ru": strings.Fields(`этот эта это эти тот та то те один одна одно два две три четыре пять шесть семь восемь девять десять`),
	"sv": strings.Fields(`den det de en ett denna detta dessa två tre fyra fem sex sju åtta nio tio`),
}
