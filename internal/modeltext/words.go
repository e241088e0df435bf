package modeltext

import (
	"regexp"
	"strings"
)

// maxWords bounds the words to the person who asked for the text, before it and behind it.
const maxWords = 60

// The beginnings of words to the person who asked, in English, German, Spanish, French, Italian, Dutch and Portuguese.
const (
	// agrees begins an answer to a request.
	agrees = `(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|great|understood|got it|gladly|no problem|gerne|` +
		`natürlich|selbstverständlich|klar|claro(?: que sí)?|por supuesto|desde luego|bien sûr|certainement|` +
		`avec plaisir|certo|certamente|con piacere|natuurlijk|zeker|graag|com certeza)\s*[!,.:–—-]`
	// gives hands something over.
	gives = `(?:here(?:'s|’s| is| are| you go| you have)|below (?:is|are|you(?:'ll|’ll| will) find)|(?:i(?:'ve|’ve|` +
		` have) |i )(?:written|wrote|drafted|rewritten|rewrote|revised|updated|prepared|created)|hier (?:ist|sind|` +
		`kommt|finden)|nachfolgend|unten|anbei|aquí (?:está|tienes|tiene|va)|a continuación|te presento|voici|` +
		`ci-dessous|voilà|ecco|di seguito|hier is|hieronder|aqui está|segue|abaixo)`
	// asked is what was asked for.
	asked = `\b(?:article|artikel|artículo|articolo|artigo|blog[ -]?post|post|beitrag|draft|entwurf|borrador|section|` +
		`abschnitt|sección|sezione|seção|texte?|texto?|testo|tekst|version|fassung|versión|versione|versie|versão|` +
		`rewrite|markdown|content|inhalt|contenido|piece|copy|body|introduction|einleitung|plan|json|outline|` +
		`revision)\b`
	// it is what the person who asked has now, and changes is what they may want.
	it      = `(?:(?:this|the) (?:article|text|draft|section|post|content|version|piece)|this|that|it)\b`
	changes = `(?:changes|adjustments|edits|revisions|modifications|tweaks)`
	// offers begins a last paragraph that is no part of the text: it is about the text, or about what the model can do with it. A text
	// may end with words to its own readers, such as "Let me know in the comments" or "Feel free to adjust the spices".
	offers = `(?:i hope (?:this|that|it) (?:helps|is (?:helpful|what)|meets|works for you|fits)|hope (?:this|that|` +
		`it) helps|(?:please )?(?:let me know|tell me) (?:if|whether|what|how|which) (?:you(?:'d|’d| would)? (?:like|` +
		`want|need|prefer)|any|i |there|this|it)|(?:please )?feel free to (?:let me know|ask (?:me|if|for ` + changes + `)|` +
		`(?:adjust|modify|edit|customi[sz]e|adapt|use|request) (?:` + it + `|` + changes + `))|(?:would|do) you (?:like|want) me to|` +
		`shall i |is there anything else (?:you|i)\b|i(?:'m|’m| am) (?:happy|glad) to|` +
		`if you(?:'d|’d| would) like,? (?:i\b|me\b|any ` + changes + `)|` +
		`if you (?:want|need|have any),? (?:me |i |any (?:` + changes + `|further|other|questions))|` +
		`(?:total )?word count:|\[?end of (?:the )?(?:article|post|section|text)\]?\.?$|note: (?:i |this (?:article|` +
		`text|draft|section|post) (?:is|was|has been) (?:written|generated|created|optimi[sz]ed))|` +
		`ich hoffe,? (?:das|dies) (?:hilft|ist)|(?:lass|lassen sie) (?:es )?mich (?:gerne? )?wissen,? (?:ob|wenn|falls)\b|` +
		`(?:sag|sagen sie) (?:es )?mir(?: gerne?)?(?: bescheid)?,? (?:ob|wenn|falls)\b|` +
		`(?:soll ich|möchten sie,? dass ich|möchtest du,? dass ich)|wenn (?:du|` +
		`sie) (?:möchtest|möchten|willst|wollen),? (?:kann|könnte) ich|espero que (?:esto|isso|isto|(?:te|le|sea) (?:sirva|` +
		`útil|lo que|ayude))\b|(?:avísame|hazme saber|dime|házmelo saber) si|¿(?:quieres|te gustaría|deseas) que|si (?:quieres|` +
		`lo deseas),? puedo|j(?:'|’)espère que (?:cela|ça)|` +
		`n(?:'|’)hésite(?:z|s)? pas à me (?:dire|demander|faire savoir)|dites-moi si|` +
		`(?:souhaitez|voulez)-vous que|spero che (?:(?:questo )?(?:ti|vi) |sia )|fammi sapere se|vuoi che|ik hoop dat (?:dit|` +
		`deze) (?:helpt|je)|laat (?:het )?me weten (?:of|als)|wil je dat ik|me avise se|quer que eu)`
)

var (
	before  = regexp.MustCompile(`(?i)^[*_¡]*(?:` + agrees + `|` + gives + `\b.*` + asked + `)`)
	handed  = regexp.MustCompile(`(?i)` + gives + `.*` + asked + `|` + asked + `.*` + gives)
	agreed  = regexp.MustCompile(`(?i)^[*_¡]*(?:` + agrees + `)`)
	handing = regexp.MustCompile(`(?i)^[*_¡]*(?:(?:` + agrees + `)[\s¡]*(?:` + gives + `\b.*` + asked + `)|` +
		gives + `\b.*` + asked + `.*:$)`)
	behind = regexp.MustCompile(`(?i)^[*_(]*(?:` + offers + `)`)
	rule   = regexp.MustCompile(`^(?:-{3,}|\*{3,}|_{3,})$`)
)

// withoutWordsAround takes off a first line and a last paragraph that are meant for the person who asked for the text, and the rules
// between these and the text.
func withoutWordsAround(_ *reader, text string) string {
	text = withoutWordsBehind(text)
	first, rest, _ := strings.Cut(text, "\n")
	first = strings.TrimRight(strings.TrimSpace(first), "*_ ")
	rest = strings.TrimSpace(rest)
	if rest == "" || !before.MatchString(first) || len(strings.Fields(first)) > maxWords {
		return text
	}
	next, _, _ := strings.Cut(rest, "\n")
	apart := strings.HasSuffix(first, ":") || strings.HasPrefix(next, "#") || rule.MatchString(strings.TrimSpace(next))
	handsOver := handed.MatchString(first) && (apart || agreed.MatchString(first))
	if !handsOver && len(strings.Fields(first)) > 2 {
		return text
	}
	return withoutRule(rest)
}

// withoutRule takes off a rule at the beginning.
func withoutRule(text string) string {
	if first, rest, _ := strings.Cut(text, "\n"); rule.MatchString(strings.TrimSpace(first)) {
		return rest
	}
	return text
}

func withoutWordsBehind(text string) string {
	at := strings.LastIndex(text, "\n\n")
	last := strings.TrimSpace(text[at+1:])
	if at <= 0 || !behind.MatchString(last) || len(strings.Fields(last)) > maxWords {
		return text
	}
	text = strings.TrimSpace(text[:at])
	begin := strings.LastIndexByte(text, '\n') + 1
	if rule.MatchString(strings.TrimSpace(text[begin:])) && strings.HasSuffix(text[:begin], "\n\n") {
		return text[:begin]
	}
	return text
}
