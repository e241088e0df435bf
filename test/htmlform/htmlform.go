// Package htmlform fills in the forms of pages and says what a browser would send of them, so that a test sends no field that its page does
// not have, and all that it has. Only tests import it.
package htmlform

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/PuerkitoBio/goquery"
)

// lists are the names of fields that a form has any number of times, and whose values a handler reads as a list.
var lists = []string{
	"question", "answer", "item", "item_title", "line", "expected.events",
	"source_name", "source_title", "source_url", "source_text",
}

// Form is a form of a page with what is filled in.
type Form struct {
	// Action is where it is sent to; empty if that is the address of the page.
	Action string

	controls []control
	// submitter is the index of the button that is pressed; -1 if none is.
	submitter int
}

// control is a field or a button of a form (HTML, section "form-associated elements").
type control struct {
	name string
	kind string
	// values are those that would be sent: none of what is not ticked or not chosen.
	values []string
	// offered are the values that can be chosen; nil if any can be typed.
	offered []string
}

// The kinds of controls that are treated in a way of their own; all others are fields with one value.
const (
	kindRadio    = "radio"
	kindCheckbox = "checkbox"
	kindSelect   = "select"
	kindSubmit   = "submit"
	kindHidden   = "hidden"
)

// Of reads a form as its page has it.
func Of(form *goquery.Selection) *Form {
	f := &Form{Action: form.AttrOr("action", ""), submitter: -1}
	id := form.AttrOr("id", "")
	page := form.Parents().Last()
	page.Find("input, textarea, select, button").Each(func(_ int, e *goquery.Selection) {
		owner, elsewhere := e.Attr("form")
		if elsewhere && owner != id || !elsewhere && !e.Closest("form").IsSelection(form) {
			return
		}
		if c, ok := read(e); ok {
			f.controls = append(f.controls, c)
		}
	})
	return f
}

// read returns a control that can be sent: it has a name, and is not disabled.
func read(e *goquery.Selection) (control, bool) {
	c := control{name: e.AttrOr("name", ""), kind: e.AttrOr("type", "text")}
	value := e.AttrOr("value", "")
	switch {
	case c.name == "" || e.Is("[disabled], fieldset[disabled] *"):
		return c, false
	case e.Is("textarea"):
		c.kind, c.values = "textarea", []string{e.Text()}
	case e.Is("select"):
		c.kind = kindSelect
		c.offered, c.values = options(e)
	case e.Is("button"):
		c.kind = e.AttrOr("type", kindSubmit)
		c.offered = []string{value}
	case c.kind == kindRadio || c.kind == kindCheckbox:
		value = e.AttrOr("value", "on")
		c.offered = []string{value}
		if e.Is("[checked]") {
			c.values = c.offered
		}
	case c.kind == kindSubmit:
		c.offered = []string{value}
	default:
		c.values = []string{value}
	}
	return c, c.kind != "button" && c.kind != "reset"
}

// options returns the values of a select, and those of them that are selected: the first one if the page selects none.
func options(e *goquery.Selection) (offered, selected []string) {
	e.Find("option").Each(func(_ int, o *goquery.Selection) {
		value := o.AttrOr("value", o.Text())
		offered = append(offered, value)
		if o.Is("[selected]") {
			selected = append(selected, value)
		}
	})
	if len(selected) == 0 && len(offered) > 0 && !e.Is("[multiple]") {
		selected = offered[:1]
	}
	return offered, selected
}

// Repeated returns the names that several controls of the form have, each once: of two fields with one name, a handler reads the first one.
// Radio buttons, boxes to tick and buttons may share a name, and so may the fields of a list.
func (f *Form) Repeated() []string {
	kinds, repeated := map[string]string{}, []string{}
	for _, c := range f.controls {
		kind, seen := kinds[c.name]
		group := kind == c.kind && slices.Contains([]string{kindRadio, kindCheckbox, kindSubmit}, kind)
		if seen && !group && !slices.Contains(lists, c.name) && !slices.Contains(repeated, c.name) {
			repeated = append(repeated, c.name)
		}
		kinds[c.name] = c.kind
	}
	return repeated
}

// Set fills in a field, ticks or chooses values of a group and no others, or presses the button that has the value. The fields of a list
// get a value each. Set returns an error for what nobody can do with the form: the page has no such field, or does not offer the value.
func (f *Form) Set(name string, values ...string) error {
	var of []int
	for i, c := range f.controls {
		if c.name == name {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return fmt.Errorf("the form has no field %q", name)
	}
	if slices.Contains(f.Repeated(), name) {
		return fmt.Errorf("the form has several fields %q", name)
	}
	switch f.controls[of[0]].kind {
	case kindRadio, kindCheckbox, kindSubmit, kindSelect:
		return f.choose(name, of, values)
	case kindHidden:
		return fmt.Errorf("the field %q is hidden", name)
	}
	if len(values) != len(of) {
		return fmt.Errorf("the form has %d fields %q, and not %d", len(of), name, len(values))
	}
	for i, n := range of {
		f.controls[n].values = values[i : i+1]
	}
	return nil
}

// choose chooses what controls of a name offer.
func (f *Form) choose(name string, of []int, values []string) error {
	for _, n := range of {
		c := &f.controls[n]
		chosen := slices.DeleteFunc(slices.Clone(c.offered), func(v string) bool { return !slices.Contains(values, v) })
		if c.kind != kindSubmit {
			c.values = chosen
		} else if len(chosen) > 0 {
			f.submitter, c.values = n, chosen
		}
	}
	for _, v := range values {
		if !slices.ContainsFunc(of, func(n int) bool { return slices.Contains(f.controls[n].offered, v) }) {
			return fmt.Errorf("the field %q does not offer %q", name, v)
		}
	}
	if kind := f.controls[of[0]].kind; kind != kindCheckbox && len(values) != 1 {
		return fmt.Errorf("%d values of the field %q are chosen, which takes one", len(values), name)
	}
	return nil
}

// Values returns the values that the form sends; the values of one name are in the order of the page.
func (f *Form) Values() url.Values {
	out := url.Values{}
	for i, c := range f.controls {
		if c.kind == kindSubmit && i != f.submitter {
			continue
		}
		for _, value := range c.values {
			out.Add(c.name, value)
		}
	}
	return out
}
