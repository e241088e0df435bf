package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/pressroom-dev/pressroom/internal/related"
)

// first is how many candidates for links of each post are looked at.
const first = 5

// ranker returns the indexes of the candidates for links of the post at an index, the nearest first.
type ranker func(of int) []int

// links rates the candidates for links: one is right if it shares a tag with its post. It does so for all tags, and for those that at most
// a tenth of the posts have: a tag of a quarter of the posts names a section of the site, and says little about what to link to.
func links(out io.Writer, posts []post) {
	uses := map[string]int{}
	for _, p := range posts {
		for _, tag := range p.tags {
			uses[tag]++
		}
	}
	linksBy(out, posts, "a tag")
	rare := slices.Clone(posts)
	for i, p := range rare {
		rare[i].tags = slices.DeleteFunc(slices.Clone(p.tags), func(tag string) bool { return uses[tag]*10 > len(posts) })
	}
	linksBy(out, rare, "a tag of a tenth of the posts")
}

func linksBy(out io.Writer, posts []post, what string) {
	tagged := slices.DeleteFunc(slices.Clone(posts), func(p post) bool { return len(p.tags) == 0 })
	if len(tagged) <= first {
		return
	}
	m := newMeasure(tagged)
	ours := m.rate(candidates(tagged))
	fmt.Fprintf(out, "  %d posts share %s with %.1f %% of the others\n", len(tagged), what, 100*m.chance)
	fmt.Fprintf(out, "    %.1f %% of the candidates do: %.2f times chance; %.0f %% of the posts' %d candidates were found\n",
		100*ours.precision, ours.timesChance, 100*ours.found, first)
	fmt.Fprintf(out, "    by titles alone %.2f times, by the whole texts %.2f times, by tags %.2f times\n",
		m.rate(candidates(withoutTerms(tagged))).timesChance, m.rate(wholeTexts(tagged)).timesChance, m.rate(m.byTags).timesChance)
}

// candidates ranks as the pipeline does: of the post itself only the title is known, as if it was still to be written.
func candidates(posts []post) ranker {
	articles, index, memory := make([]related.Article, len(posts)), map[string]int{}, related.NewMemory()
	for i, p := range posts {
		articles[i], index[p.name] = p.article(), i
	}
	return func(of int) []int {
		asked := articles[of]
		asked.Terms = ""
		_, found := memory.Compare("", asked, articles, first)
		indexes := make([]int, 0, len(found))
		for _, candidate := range found {
			indexes = append(indexes, index[candidate.Name])
		}
		return indexes
	}
}

func withoutTerms(posts []post) []post {
	titles := slices.Clone(posts)
	for i := range titles {
		titles[i].terms = ""
	}
	return titles
}

// measure knows which posts share a tag.
type measure struct {
	shares [][]bool
	// sharing is how many others each post shares a tag with.
	sharing []int
	// chance that two posts share a tag.
	chance float64
}

func newMeasure(posts []post) *measure {
	m := &measure{shares: make([][]bool, len(posts)), sharing: make([]int, len(posts))}
	for i, p := range posts {
		m.shares[i] = make([]bool, len(posts))
		for j, other := range posts {
			if i != j && p.shares(other) {
				m.shares[i][j] = true
				m.sharing[i]++
			}
		}
		m.chance += m.chanceOf(i) / float64(len(posts))
	}
	return m
}

// chanceOf a post is the share of the others with which it shares a tag.
func (m *measure) chanceOf(i int) float64 { return float64(m.sharing[i]) / float64(len(m.sharing)-1) }

// byTags is a perfect ranking.
func (m *measure) byTags(of int) []int {
	var right, wrong []int
	for i, shares := range m.shares[of] {
		switch {
		case shares:
			right = append(right, i)
		case i != of:
			wrong = append(wrong, i)
		}
	}
	return append(right, wrong...)[:first]
}

// rating of a ranking.
type rating struct {
	// precision is the share of the candidates that share a tag with their post, and timesChance how often that is what chance has.
	precision, timesChance float64
	// found is how many candidates there were, as a share of those that there could be.
	found float64
}

func (m *measure) rate(r ranker) rating {
	hits, all, chance := 0, 0, 0.0
	for i := range m.shares {
		for _, candidate := range r(i) {
			all++
			chance += m.chanceOf(i)
			if m.shares[i][candidate] {
				hits++
			}
		}
	}
	if all == 0 || chance == 0 {
		return rating{}
	}
	return rating{
		precision: float64(hits) / float64(all), timesChance: float64(hits) / chance, found: float64(all) / float64(first*len(m.shares)),
	}
}
