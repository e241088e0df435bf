package dashboard

import (
	"hash/maphash"
	"html/template"
)

// fragmentsKept is how many fragments a replica keeps. A row of the list, which most of them are, has less than 3 KB.
const fragmentsKept = 2000

// fragment is a part of a page: the HTML that a template has made of a view.
type fragment[V comparable] struct {
	template string
	view     V
	html     template.HTML
}

// fragmentOf returns the HTML that a template makes of a view. A template takes longer than everything else that a page does, and most of
// its parts look as they did when a page was made before, by whomever. So the HTML is kept, and returned for every view that is equal: a
// view must hold all that its template shows, and nothing that it leads to may change.
func fragmentOf[V comparable](d *Dashboard, name string, view V) (template.HTML, error) {
	type of struct {
		template string
		view     V
	}
	key := maphash.Comparable(hashSeed, of{name, view})
	if found, ok := d.fragments.Get(key); ok {
		// Two views may have one hash.
		if kept, ok := found.(*fragment[V]); ok && kept.template == name && kept.view == view {
			return kept.html, nil
		}
	}
	made := &fragment[V]{template: name, view: view}
	err := d.withTemplate(name, view, func(text []byte) error {
		made.html = template.HTML(text) //nolint:gosec // html/template has made it
		d.fragments.Add(key, made)
		return nil
	})
	return made.html, err
}
