package briefs

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/brief"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// maxSources is how many sources a brief may have.
const maxSources = 10

// briefForm is the data of the form of a brief: what was typed, and what is wrong with it.
type briefForm struct {
	page.FormProblems
	entered

	// UID is empty for a new one.
	UID string
	// Meanwhile means that somebody has changed the brief since the form was shown.
	Meanwhile bool
	// sourceProblems are about the fields of sources, by their names in the REST API.
	sourceProblems map[string]string
}

// entered is what can be entered into the form. The facts are one on each line.
type entered struct {
	Name, Instructions, Facts string
	// Version is the ETag of the brief that the form was shown with.
	Version string
	// Row is what to do with a source, if the button that was pressed says so: "add", or "remove" with its number from 0.
	Row string

	Sources []brief.BriefSourceRequest `json:"-"`
	// These are the fields of the sources as they are sent.
	Names  []string `json:"source_name"`
	Titles []string `json:"source_title"`
	URLs   []string `json:"source_url"`
	Texts  []string `json:"source_text"`
}

// readSources puts the fields of the sources together.
func (e *entered) readSources() {
	at := func(values []string, i int) string {
		if i < len(values) {
			return values[i]
		}
		return ""
	}
	e.Sources = nil
	for i := range max(len(e.Names), len(e.Titles), len(e.URLs), len(e.Texts)) {
		e.Sources = append(e.Sources, brief.BriefSourceRequest{
			Name: at(e.Names, i), Title: at(e.Titles, i), URL: at(e.URLs, i), Text: at(e.Texts, i),
		})
	}
}

// fill drops the sources of which nothing is filled in: a problem that the operation reports is then about the row that the form shows.
func (e *entered) fill() {
	e.Sources = slices.DeleteFunc(e.Sources, func(s brief.BriefSourceRequest) bool { return s == brief.BriefSourceRequest{} })
}

// changeRow adds or removes a source.
func (e *entered) changeRow() {
	do, number, _ := strings.Cut(e.Row, " ")
	i, err := strconv.Atoi(number)
	switch {
	case do == "add" && len(e.Sources) < maxSources:
		e.Sources = append(e.Sources, brief.BriefSourceRequest{})
	case do == "remove" && err == nil && i >= 0 && i < len(e.Sources):
		e.Sources = slices.Delete(e.Sources, i, i+1)
	}
}

// sourceField is a field of a source.
type sourceField struct {
	Row, Number, Most            int
	Field, Label, Value, Problem string
}

// Field returns a field of a source, by the number of its row from 0.
func (f briefForm) Field(row int, field, label, value string, most int) sourceField {
	return sourceField{
		Row: row, Number: f.Position(row), Most: most, Field: field, Label: label, Value: value, Problem: f.SourceProblem(row, field),
	}
}

// Position is the number of a source for people.
func (briefForm) Position(row int) int { return row + 1 }

// SourceProblem says what is wrong with a field of a source; empty if nothing is.
func (f briefForm) SourceProblem(row int, field string) string {
	return f.sourceProblems[fmt.Sprintf("sources[%d].%s", row, field)]
}

// MaySourcesGrow reports whether there is room for another source.
func (f briefForm) MaySourcesGrow() bool { return len(f.Sources) < maxSources }

func showForm(v *page.Visit, f briefForm) *page.Answer {
	f.UID = v.Param("uid")
	if f.UID == "" {
		return v.Page("form.html", "New brief", f)
	}
	return v.Page("form.html", "Edit brief", f)
}

func newBrief(v *page.Visit) (*page.Answer, error) {
	return showForm(v, briefForm{entered: entered{Sources: make([]brief.BriefSourceRequest, 1)}}), nil
}

// createBrief creates a brief. Its name is made of what was typed, as a slug is.
func createBrief(v *page.Visit, e entered) (*page.Answer, error) {
	if e.readSources(); e.Row != "" {
		e.changeRow()
		return showForm(v, briefForm{entered: e}), nil
	}
	e.fill()
	name := ""
	if e.Name != "" {
		name = content.Slug(e.Name, "")
	}
	out, err := page.Call(v, brief.Create, brief.CreateInput{Idempotent: v.Once(), Body: brief.CreateBriefRequest{
		Name: name, Instructions: e.Instructions, Facts: page.Lines(e.Facts), Sources: e.Sources,
	}})
	if err != nil {
		return refused(v, e, err)
	}
	return v.Redirect(v.Path("briefs", out.Body.UID), "Created."), nil
}

func showEditBrief(v *page.Visit) (*page.Answer, error) {
	out, err := page.Call(v, brief.Get, onBrief(v))
	if err != nil {
		return nil, err
	}
	b := out.Body
	e := entered{Instructions: b.Instructions, Facts: strings.Join(b.Facts, "\n"), Version: out.ETag}
	for _, s := range b.Sources {
		e.Sources = append(e.Sources, brief.BriefSourceRequest(s))
	}
	return showForm(v, briefForm{entered: e}), nil
}

func editBrief(v *page.Visit, e entered) (*page.Answer, error) {
	if e.readSources(); e.Row != "" {
		e.changeRow()
		return showForm(v, briefForm{entered: e}), nil
	}
	e.fill()
	_, err := page.Call(v, brief.Update, brief.UpdateInput{
		OnBrief: onBrief(v), IfMatch: operation.IfMatch{IfMatch: e.Version}, Body: brief.UpdateBriefRequest{
			Instructions: patch.Of(e.Instructions), Facts: patch.Of(page.Lines(e.Facts)), Sources: patch.Of(e.Sources),
		},
	})
	if err != nil {
		return refused(v, e, err)
	}
	return v.Redirect(v.Path("briefs", v.Param("uid")), "Saved. It acts when the next text is generated."), nil
}

// refused shows the form as it was sent, with what was wrong with it. A person who sends it again after somebody has changed the brief
// could see what it is now.
func refused(v *page.Visit, e entered, err error) (*page.Answer, error) {
	f := briefForm{entered: e, sourceProblems: page.FieldProblems(err)}
	if page.IsStatus(err, http.StatusNotFound) || !f.Refused(err) {
		return nil, err
	}
	if page.IsStatus(err, http.StatusPreconditionFailed) {
		now, err := page.Call(v, brief.Get, onBrief(v))
		if err != nil {
			return nil, err
		}
		f.Meanwhile, f.Version = true, now.ETag
		f.Problem = "Somebody has changed the brief since you opened it, and nothing has been saved yet. " +
			"Save again to replace it with what you have typed."
	}
	for field, message := range f.sourceProblems {
		// The fields of a source have their own message, and a fact its line.
		number, isItem := strings.CutPrefix(field, "facts[")
		switch i, err := strconv.Atoi(strings.TrimSuffix(number, "]")); {
		case strings.HasPrefix(field, "sources["):
			delete(f.Problems, "sources")
		case isItem && err == nil:
			f.Problems["facts"] = fmt.Sprintf("Line %d: %s", i+1, message)
		}
	}
	return showForm(v, f).With(http.StatusUnprocessableEntity), nil
}
