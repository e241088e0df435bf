package article

import (
	"fmt"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// scoreView is the score of a text, and what its site asks for.
type scoreView struct {
	Score *int32
	Site  restsite.SiteAnswer
}

// The scores from which on Yoast calls a text OK, and good.
const fairScore, goodScore = 41, 71

// Rating is the score in a word.
func (s scoreView) Rating() string {
	switch {
	case *s.Score >= goodScore:
		return "good"
	case *s.Score >= fairScore:
		return "fair"
	default:
		return "low"
	}
}

// Asked says what the site asks for, and what is missing.
func (s scoreView) Asked() string {
	least := s.Site.MinimumScore
	switch {
	case s.Site.ReviewPolicy != "automatic" || least == 0:
		return "The site asks for no score: a reviewer decides."
	case *s.Score >= least:
		return fmt.Sprintf("The site asks for %d: that is enough.", least)
	default:
		return fmt.Sprintf("The site asks for %d: %s missing.", least, missingPoints(least-*s.Score))
	}
}

func missingPoints(n int32) string {
	if n == 1 {
		return "1 point is"
	}
	return page.Plural(int(n), "point") + " are"
}

// Rated is the score of the article, and what its site asks for.
func (a *articleView) Rated() scoreView { return scoreView{a.Article.SEOScore, a.Site} }

// locatedChecks name the passages of a text that they are about.
var locatedChecks = map[string]bool{
	"keyphrase-in-introduction": true, "keyphrase-density": true, "keyphrase-in-subheadings": true, "competing-links": true,
	"sentence-length": true, "paragraph-length": true, "sentence-beginnings": true, "stock-phrases": true, "repeated-phrases": true,
	"closing-moral": true, "bold-bullets": true, "language": true, "avoided-words": true, "placeholders": true, "remains": true,
}

// Located reports whether a check may name passages of the text.
func (*articleView) Located(check string) bool { return locatedChecks[check] }

// located returns a failed check of an article with the passages that it is about, of which a revision has none.
func located(v *page.Visit, a restarticle.Article, name string) []restarticle.ScoreCheck {
	text := textOf(a)
	text.Site = a.SiteUID
	p, err := preview(v, text)
	if err != nil {
		// The text is shown without marks.
		return nil
	}
	for _, c := range p.Scores.Checks {
		if c.Name == name && c.Result == "failed" {
			return []restarticle.ScoreCheck{c}
		}
	}
	return nil
}

// checks are those of a text, the failed ones by weight.
type checks struct{ Failed, Passed, Others []restarticle.ScoreCheck }

func sortChecks(all []restarticle.ScoreCheck) checks {
	var out checks
	for _, c := range all {
		switch c.Result {
		case "failed":
			out.Failed = append(out.Failed, c)
		case "passed":
			out.Passed = append(out.Passed, c)
		default:
			out.Others = append(out.Others, c)
		}
	}
	slices.SortStableFunc(out.Failed, func(a, b restarticle.ScoreCheck) int { return int(lost(b) - lost(a)) })
	return out
}

// lost is how much a failed check costs. Gates have no points, and come first: they stop an automatic approval.
func lost(c restarticle.ScoreCheck) int32 {
	if c.MaxPoints == 0 && c.Weight == 0 {
		return 1000
	}
	return max(c.MaxPoints-c.Points, c.Weight-c.Points)
}
