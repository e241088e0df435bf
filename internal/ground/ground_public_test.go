package ground_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// These tests measure on texts that are not in the repository. PRESSROOM_POSTS names a folder with posts as Markdown, below a folder for
// each language, and PRESSROOM_FAITHBENCH one with the files of the folder data_for_release of vectara/FaithBench.

// post is a public post.
type post struct {
	name, language, body string
}

func publicPosts(t *testing.T) []post {
	t.Helper()
	folder := os.Getenv("PRESSROOM_POSTS")
	if folder == "" {
		t.Skip("PRESSROOM_POSTS is not set")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no posts in %s: %v", folder, err)
	}
	posts := make([]post, 0, len(files))
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		posts = append(posts, post{
			name:     name,
			language: filepath.Base(filepath.Dir(filepath.Dir(name))),
			body:     templated.ReplaceAllString(withoutFrontMatter(string(data)), ""),
		})
	}
	return posts
}

// templated are places that a site generator fills in.
var templated = regexp.MustCompile(`\{\{[^{}]*\}\}|\{%[^{}]*%\}`)

func withoutFrontMatter(text string) string {
	for _, fence := range []string{"---\n", "+++\n"} {
		if rest, found := strings.CutPrefix(text, fence); found {
			if _, body, found := strings.Cut(rest, "\n"+fence); found {
				return body
			}
		}
	}
	return text
}

// A text that is held against itself has nothing that its material does not support.
func TestPublicPostsSupportThemselves(t *testing.T) {
	words, alarms := map[string]int{}, map[string]int{}
	for _, p := range publicPosts(t) {
		doc := content.Document{Markdown: p.body, Language: p.language}
		for _, claim := range ground.Check(doc, ground.Material{Sources: []ground.Source{{Name: "self", Text: p.body}}}, nil) {
			if claim.Counts() {
				alarms[p.language]++
				t.Errorf("%s: %s", p.name, claim.Line())
			}
		}
		words[p.language] += len(strings.Fields(content.PlainText(p.body)))
	}
	t.Logf("words %v, alarms %v", words, alarms)
}

// Inventions that are written into a post are found.
func TestPublicPostsWithInventions(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 44))
	injected, found := map[ground.Class]int{}, map[ground.Class]int{}
	for i, p := range publicPosts(t) {
		if i%4 != 0 {
			continue
		}
		m := ground.Material{Sources: []ground.Source{{Name: "self", Text: p.body}}}
		for _, invention := range inventions(random, p) {
			body, ok := insert(random, p.body, invention.sentence)
			if end := invention.sentence[len(invention.sentence)-12:]; !ok || !strings.Contains(content.PlainText(body), end) {
				// The place is in a comment, or the post is too complex.
				continue
			}
			injected[invention.class]++
			claims := ground.Check(content.Document{Markdown: body, Language: p.language}, m, nil)
			if slices.ContainsFunc(claims, func(c ground.Claim) bool {
				return c.Class == invention.class && c.Counts() && strings.Contains(c.Words, invention.words)
			}) {
				found[invention.class]++
			} else {
				t.Logf("%s: missed %s in %q", p.name, invention.words, invention.sentence)
			}
		}
	}
	for class, all := range injected {
		t.Logf("%s: %d of %d", class, found[class], all)
		least := all
		if class == ground.Name {
			least = (all*98 + 99) / 100
		}
		if found[class] < least {
			t.Errorf("%s: found %d of %d", class, found[class], all)
		}
	}
}

// insert puts a sentence behind a paragraph of prose.
func insert(random *rand.Rand, body, sentence string) (string, bool) {
	paragraphs := strings.Split(body, "\n\n")
	var prose []int
	fenced := false
	for i, text := range paragraphs {
		if strings.Count(text, "```")%2 == 1 {
			fenced = !fenced
		}
		if !fenced && len(text) > 100 && text[0] >= 'A' && text[0] <= 'Z' && !strings.ContainsAny(text, "`<|") && strings.HasSuffix(text, ".") {
			prose = append(prose, i)
		}
	}
	if len(prose) == 0 {
		return "", false
	}
	i := prose[random.IntN(len(prose))]
	paragraphs[i] += " " + sentence
	return strings.Join(paragraphs, "\n\n"), true
}

type invention struct {
	class           ground.Class
	words, sentence string
}

var (
	inventedNames = []string{"Okafor", "Lindqvist", "Tamsin", "Ravensworth", "Haldane", "Quillfeather", "Brightwater", "Novaquant", "Zephyrion",
		"Kowalczyk", "Drummond", "Castellanos", "Nakagawa", "Petrovna", "Underhill", "Voltarix", "Helsingborg", "Montevideo", "Ouagadougou", "Skyforge"}
	inventedWords = strings.Fields("purple harbours gently negotiate umbrella treaties beneath forgotten marble orchards while seven otters whistle cobalt hymns")
)

// frames are sentences in which something stands that is invented; % is its place.
var frames = map[string]string{
	"en": "Last year the team of % wrote about this at length.",
	"de": "Im letzten Jahr hat das Team von % ausführlich darüber geschrieben.",
	"es": "El año pasado el equipo de % escribió mucho sobre esto.",
	"fr": "Cette fois, dans les bureaux de % on en parle encore.",
	"it": "Nel tempo il gruppo di % ha scritto molto su questo tema.",
	"pt": "Nos últimos meses a equipe de % escreveu muito sobre isso.",
	"nl": "Daarna heeft het team van % er uitgebreid over geschreven.",
}

func inventions(random *rand.Rand, p post) []invention {
	in := func(class ground.Class, words, shown string) invention {
		return invention{class, words, strings.Replace(frames[p.language], "%", shown, 1)}
	}
	number := ""
	for number == "" || strings.Contains(p.body, number) {
		number = strconv.Itoa(11 + random.IntN(89989))
	}
	phrase := make([]string, 7)
	for i := range phrase {
		phrase[i] = inventedWords[random.IntN(len(inventedWords))]
	}
	quoted := strings.Join(phrase, " ")
	host := strings.ToLower(inventedNames[random.IntN(len(inventedNames))])
	all := []invention{
		in(ground.Figure, number, number+" %"),
		in(ground.Figure, number, number),
		in(ground.Quotation, quoted, "“"+quoted+"”"),
		in(ground.Quotation, quoted, "\""+quoted+"\""),
		in(ground.Address, host, "https://"+host+".com/"+number),
		in(ground.Address, host, "editor@"+host+".org"),
		in(ground.Address, host, "[this page](https://www."+host+".com/a)"),
	}
	name := inventedNames[random.IntN(len(inventedNames))]
	if p.language != "de" && !strings.Contains(strings.ToLower(p.body), strings.ToLower(name)) {
		all = append(all, in(ground.Name, name, name), in(ground.Name, name, "Maria "+name))
	}
	return all
}

// faithBench is a file of FaithBench: summaries by models, with the spans in which people found something that the source does not have.
type faithBench struct {
	Samples []struct {
		Source      string `json:"source"`
		Summary     string `json:"summary"`
		Annotations []struct {
			Start int `json:"summary_start"`
			End   int `json:"summary_end"`
		} `json:"annotations"`
	} `json:"samples"`
}

// Of what is flagged in summaries, people have found most, too. Half of the files are looked at while the rules are tuned, half are not.
func TestFaithBench(t *testing.T) {
	folder := os.Getenv("PRESSROOM_FAITHBENCH")
	if folder == "" {
		t.Skip("PRESSROOM_FAITHBENCH is not set")
	}
	files, err := filepath.Glob(filepath.Join(folder, "batch_*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	halves := map[bool][]string{}
	for _, name := range files {
		number, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "batch_"), ".json"))
		if err != nil {
			t.Fatal(err)
		}
		halves[number%2 == 0] = append(halves[number%2 == 0], name)
	}
	for held, names := range halves {
		flags, overlaps, words := map[ground.Class]int{}, map[ground.Class]int{}, 0
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var file faithBench
			if err := json.Unmarshal(data, &file); err != nil {
				t.Fatal(err)
			}
			for _, s := range file.Samples {
				words += len(strings.Fields(s.Summary))
				for _, claim := range ground.Check(content.Document{Markdown: s.Summary, Language: "en"}, ground.Material{
					Sources: []ground.Source{{Name: "source", Text: s.Source}},
				}, nil) {
					if claim.Class == ground.Study || !claim.Counts() && claim.Result != ground.OtherContext {
						continue
					}
					class := claim.Class
					if !claim.Counts() {
						class = "Hint"
					}
					flags[class]++
					at := strings.Index(s.Summary, claim.Words)
					from, to := len([]rune(s.Summary[:max(0, at)])), len([]rune(s.Summary[:max(0, at)]))+len([]rune(claim.Words))
					hit := false
					for _, a := range s.Annotations {
						hit = hit || a.Start < to && from < a.End
					}
					if hit {
						overlaps[class]++
					} else if !held {
						t.Logf("no overlap: %s", claim.Line())
					}
				}
			}
		}
		all, hits := 0, 0
		for class, n := range flags {
			if class != "Hint" {
				all, hits = all+n, hits+overlaps[class]
			}
		}
		t.Logf("held out %t: %d words, flags %v, overlaps %v: %d of %d, others per 1,000 words: %.2f", held, words, flags, overlaps, hits, all, float64(all-hits)*1000/float64(words))
	}
}
