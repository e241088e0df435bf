// Command related measures internal/related on posts that are not part of the repository: Markdown files with front matter, below the
// folders that are named. Each folder is a site. docs/quality.md has its figures.
package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/related"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "related:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("name the folders with posts as arguments")

func run(folders []string, out io.Writer) error {
	if len(folders) == 0 {
		return errUsage
	}
	for _, folder := range folders {
		posts, err := readPosts(folder)
		if err != nil {
			return err
		}
		// The same posts give the same figures.
		random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // G404: nothing depends on it
		fmt.Fprintf(out, "%s: %d posts\n", folder, len(posts))
		unrelated(out, posts, random)
		dropped(out, posts, random)
		templates(out, posts)
		links(out, posts)
	}
	return nil
}

// unrelated compares 3,000 pairs of posts.
func unrelated(out io.Writer, posts []post, random *rand.Rand) {
	const pairs = 3000
	near := 0
	if len(posts) < 2 {
		return
	}
	for range pairs {
		two := random.Perm(len(posts))[:2]
		if a, b := posts[two[0]], posts[two[1]]; a.print.Near(b.print) {
			near++
			fmt.Fprintf(out, "  near: %s and %s differ in %d bits\n", a.name, b.name, a.print.Distance(b.print))
		}
	}
	fmt.Fprintf(out, "  of %d pairs %d are near-duplicates\n", pairs, near)
}

// dropped leaves out a tenth of the sentences of each post.
func dropped(out io.Writer, posts []post, random *rand.Rand) {
	near := 0
	for _, p := range posts {
		sentences := language.For(tag).Sentences(p.text)
		random.Shuffle(len(sentences), func(i, j int) {
			// The order does not matter here, only which sentences are last.
			sentences[i], sentences[j] = sentences[j], sentences[i]
		})
		left := p.text
		for _, sentence := range sentences[len(sentences)-len(sentences)/10:] {
			left = strings.Replace(left, sentence, "", 1)
		}
		if found, ok := related.FingerprintOf(tag, left, ""); ok && p.print.Near(found) {
			near++
		}
	}
	fmt.Fprintf(out, "  of %d posts without a tenth of their sentences %d are near-duplicates\n", len(posts), near)
}

// templates fills another keyword into each post, once in 100 words: a density of 1 percent.
func templates(out io.Writer, posts []post) {
	const every = 100
	fill := func(text, keyword string) related.Fingerprint {
		var filled []string
		for i, word := range strings.Fields(text) {
			if i%every == 0 {
				filled = append(filled, keyword)
			}
			filled = append(filled, word)
		}
		found, _ := related.FingerprintOf(tag, strings.Join(filled, " "), keyword)
		return found
	}
	near := 0
	for _, p := range posts {
		if fill(p.text, "trail running shoes").Near(fill(p.text, "espresso machine")) {
			near++
		}
	}
	fmt.Fprintf(out, "  of %d posts as templates with another keyword %d are near-duplicates\n", len(posts), near)
}
