package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// maxMisses is how many repairs in a row may gain nothing.
const maxMisses = 2

// errNoUse is an answer that nothing can be made of.
var errNoUse = errors.New("the answer cannot be used")

// target is a part of the article with what is wrong with it.
type target struct {
	at       check.Target
	findings []check.Finding
	// must is whether the article has a fault that a person would have to look over, and gain what a repair can win, in points.
	must bool
	gain int
}

// key identifies a target with its faults: what was asked for without success is not asked for again.
func (t target) key() string {
	names := make([]string, 0, len(t.findings))
	for _, f := range t.findings {
		names = append(names, f.Check)
		if f.Check == check.ClaimsCheck {
			// A kept repair may have mended some of them.
			names = append(names, f.Model)
		}
	}
	return fmt.Sprintf("%d/%d/%s", t.at.Part, t.at.Section, strings.Join(names, ","))
}

// targets returns the parts that can be repaired, the one with most to gain first.
func targets(r check.Report) []target {
	var out []target
	for _, f := range r.Failed() {
		if f.Model == "" || f.Gain <= 0 && !f.Must || f.Target.Part == check.Nothing {
			continue
		}
		i := slices.IndexFunc(out, func(t target) bool { return t.at == f.Target })
		if i < 0 {
			i, out = len(out), append(out, target{at: f.Target})
		}
		out[i].findings = append(out[i].findings, f)
		out[i].must = out[i].must || f.Must
		out[i].gain += f.Gain
	}
	slices.SortStableFunc(out, func(a, b target) int {
		if a.must != b.must {
			if a.must {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.gain, a.gain)
	})
	return out
}

// mending asks for repairs and keeps those that are better. It is pure but for what ask does.
type mending struct {
	// ask asks for a target of an article again. If it returns errNoUse, the answer was of no use.
	ask func(ctx context.Context, a article, t target) (article, error)
	// affords reports whether the turn fits the budget.
	affords func(a article, t target) bool
	// done is called for each repair; may be nil.
	done func(t target, before article, after article, kept bool)
}

// run mends an article until nothing is left to gain, repairs gain nothing, or the budget is used up. What it returns has no new fault
// and no fewer points than what it was given, whatever the answers are.
func (m mending) run(ctx context.Context, best article) (article, error) {
	tried := map[string]bool{}
	for misses := 0; misses < maxMisses; {
		next, ok := m.next(best, tried)
		if !ok {
			return best, nil
		}
		tried[next.key()] = true
		got, err := m.ask(ctx, best, next)
		if errors.Is(err, errNoUse) {
			misses++
			m.tell(next, best, best, false)
			continue
		}
		if errors.Is(err, context.Canceled) {
			return best, err
		}
		if err != nil {
			return best, nil //nolint:nilerr // The endpoint fails or the time is over, and the article can be used as it is.
		}
		// It has more points, or fewer faults or claims that a person would have to look over.
		gained := got.report.Points() > best.report.Points() || len(got.report.Must()) < len(best.report.Must()) ||
			len(got.report.Unsupported()) < len(best.report.Unsupported())
		kept := gained && check.Better(best.report, got.report)
		m.tell(next, best, got, kept)
		if !kept {
			misses++
			continue
		}
		best, misses = got, 0
	}
	return best, nil
}

func (m mending) next(a article, tried map[string]bool) (target, bool) {
	for _, t := range targets(a.report) {
		if !tried[t.key()] && m.affords(a, t) {
			return t, true
		}
	}
	return target{}, false
}

func (m mending) tell(t target, before, after article, kept bool) {
	if m.done != nil {
		m.done(t, before, after, kept)
	}
}

// refresh repairs what our checks find in the text that the site has. What they find nothing in stays as it is.
func (d *draft) refresh(ctx context.Context) (article, error) {
	doc := *d.request.Refresh
	doc.Markdown = d.adoptLinks(doc.Markdown)
	d.fields = fields{Title: doc.Title, Slug: doc.Slug, MetaTitle: doc.MetaTitle, MetaDescription: doc.MetaDescription}
	for _, s := range content.Sections(doc.Markdown) {
		if s.Heading != "" {
			d.fields.Sections = append(d.fields.Sections, section{Heading: s.Heading})
		}
	}
	d.progress(d.steps(), d.steps())
	return d.mend(ctx, d.assess(doc))
}

// adoptLinks returns a body that readers get with the names of its links, which become those of the run. What links to a source cites it. A
// link to a source that the brief no longer has becomes plain words.
func (d *draft) adoptLinks(markdown string) string {
	body, links := content.SplitLinks(markdown)
	known := d.request.Links
	d.request.Links, d.links.Links = nil, nil
	names := map[string]string{}
	for _, l := range links {
		if source := d.sourceWith(l.URL); source != "" {
			names[l.Name] = source
			continue
		}
		if d.request.Material != nil && !content.IsOwnName(l.Name) {
			continue
		}
		link := Link{URL: l.URL}
		if i := slices.IndexFunc(known, func(k Link) bool { return k.URL == l.URL }); i >= 0 {
			link = known[i]
		}
		named := content.NamedLink{Name: l.Name, URL: l.URL}
		if slices.ContainsFunc(d.links.Sources, func(s content.NamedLink) bool { return s.Name == l.Name }) {
			taken := d.links
			taken.Links = slices.Concat(taken.Links, links)
			named.Name = freeName(taken)
		}
		names[l.Name] = named.Name
		d.request.Links, d.links.Links = append(d.request.Links, link), append(d.links.Links, named)
	}
	return content.NamedLinks{Links: links}.Rename(body, func(name, _ string) string { return names[name] })
}

// sourceWith returns the name of the source with a URL; "" if there is none.
func (d *draft) sourceWith(url string) string {
	if d.request.Material == nil {
		return ""
	}
	i := slices.IndexFunc(d.request.Material.Sources, func(s ground.Source) bool { return s.URL == url })
	if i < 0 {
		return ""
	}
	return d.request.Material.Sources[i].Name
}
