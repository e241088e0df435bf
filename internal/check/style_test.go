package check_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// stockSentences are what a model writes about anything, by language; % stands for the subject.
var stockSentences = map[string][]string{
	"en": {
		"In today's fast-paced world, % is more than just a trend.", "Let's delve into the world of %.",
		"Whether you're a beginner or a professional, there is something for everyone.", "It's important to note that quality matters.",
		"% plays a crucial role in a healthy routine.", "Unlock the full potential of your day.", "The possibilities are endless.",
		"When it comes to %, there is a plethora of options.", "It is a testament to human creativity.", "Look no further than this guide.",
		"Take your results to the next level.", "In conclusion, % is a true game changer.",
	},
	"de": {
		"In der heutigen schnelllebigen Zeit ist % nicht mehr wegzudenken.", "Tauchen wir ein in die Welt der Möglichkeiten.",
		"% spielt eine entscheidende Rolle.", "Es ist wichtig zu beachten, dass Qualität zählt.", "Ganz gleich ob Anfänger oder Profi.",
		"Entdecken Sie die Vielfalt.", "Das ist von entscheidender Bedeutung.", "Wenn es um % geht, gibt es eine Vielzahl von Angeboten.",
		"In der Welt der Trends zählt das Herz.", "Zusammenfassend lässt sich sagen, dass % überzeugt.",
	},
	"fr": {
		"Dans un monde en mouvement, % change tout.", "Que vous soyez débutant ou expert, lisez la suite.", "Il est important de noter que tout compte.",
		"% joue un rôle essentiel.", "Plongeons dans le sujet.", "Au cœur de la maison, il y a %.", "Une multitude de choix vous attend.",
		"N'hésitez pas à essayer.", "C'est un véritable atout.", "En conclusion, % fait toute la différence.",
	},
	"es": {
		"En el mundo actual, % gana terreno.", "Ya seas principiante o experto, sigue leyendo.", "Es importante destacar que todo cuenta.",
		"% desempeña un papel fundamental.", "Sumérgete en el tema.", "Una amplia gama de opciones te espera.", "No busques más.",
		"Es la clave del éxito.", "Cabe destacar que funciona.", "En resumen, % marca un antes y un después.",
	},
}

// stockText joins stock sentences with plain ones.
func stockText(tag, subject string, random *rand.Rand) string {
	plain := map[string]string{
		"en": "Many people buy one in spring. ", "de": "Viele kaufen im Frühling. ", "fr": "On en achète au printemps. ", "es": "Se compra en primavera. ",
	}
	var paragraphs []string
	sentences := stockSentences[tag]
	for range 6 {
		var p strings.Builder
		for _, i := range random.Perm(len(sentences))[:3] {
			p.WriteString(strings.ReplaceAll(sentences[i], "%", subject) + " " + plain[tag])
		}
		paragraphs = append(paragraphs, strings.TrimSpace(p.String()))
	}
	return strings.Join(paragraphs, "\n\n")
}

// Of 60 texts of stock phrases at least 95 percent fail a check of style, and no post of the corpus does.
func TestStyleTellsStockTextsFromPosts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	failed := 0
	for i := range 60 {
		tag := []string{"en", "de", "fr", "es"}[i%4]
		text := stockText(tag, []string{"Yoga", "Software", "Marketing"}[i%3], random)
		if failsStyle(check.Input{Document: content.Document{Title: "Yoga", Markdown: text, Language: tag}}) {
			failed++
		}
	}
	if failed < 57 {
		t.Errorf("%d of 60 stock texts fail, want 57", failed)
	}
	for _, p := range corpus(t) {
		if strings.HasSuffix(p.name, "/as-it-is") && failsStyle(p.Input) {
			t.Errorf("%s fails: %+v", p.name, check.Run(p.Input).Failed())
		}
	}
}

func failsStyle(in check.Input) bool {
	for _, f := range check.Run(in).Failed() {
		if f.Group == check.GroupStyle {
			return true
		}
	}
	return false
}
