package apiserver_test

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/PuerkitoBio/goquery"

	"github.com/pressroom-dev/pressroom/test/htmlform"
)

// A handler that reads a field by its name gets the first one of that name. Pages are made of templates that know nothing of each other, so
// every form is looked at with all the templates that may be in it.
func TestNoFormHasTwoFieldsOfOneName(t *testing.T) {
	forms := 0
	for _, pages := range [][]string{{"dashboard"}, {"pages", "login", "consent"}} {
		set, files := parseTemplates(t, pages...)
		for _, file := range files {
			found := map[string]bool{}
			for variant, choices := 0, 0; variant <= choices; variant++ {
				e := expander{set: set, variant: variant}
				e.write(set[file].Root)
				choices = e.choices
				page, err := goquery.NewDocumentFromReader(strings.NewReader(e.out.String()))
				if err != nil {
					t.Fatal(err)
				}
				page.Find("form").Each(func(i int, form *goquery.Selection) {
					for _, name := range htmlform.Of(form).Repeated() {
						found[fmt.Sprintf("form %d (%s) has several fields %q", i+1, form.AttrOr("action", ""), name)] = true
					}
					forms++
				})
			}
			for problem := range found {
				t.Errorf("%s: %s", file, problem)
			}
		}
	}
	if forms == 0 {
		t.Error("no form was found")
	}
}

// parseTemplates parses the templates in folders, and returns them with the names of those that are pages.
func parseTemplates(t *testing.T, folders ...string) (set map[string]*parse.Tree, pages []string) {
	t.Helper()
	set = map[string]*parse.Tree{}
	for _, folder := range folders {
		err := fs.WalkDir(os.DirFS(folder), ".", func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".html") {
				return err
			}
			text, err := os.ReadFile(folder + "/" + path)
			if err != nil {
				return err
			}
			tree := parse.New(folder + "/" + path)
			tree.Mode = parse.SkipFuncCheck
			pages = append(pages, tree.Name)
			_, err = tree.Parse(string(text), "", "", set)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return set, pages
}

// expander makes HTML of a page's template, with all that it may show at once. Of an if with an else, a page shows one branch: the first
// one, but of the if with the number variant, from 1, the second one. A list has two elements.
type expander struct {
	set     map[string]*parse.Tree
	variant int

	out             strings.Builder
	choices, values int
}

func (e *expander) write(node parse.Node) {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			e.write(child)
		}
	case *parse.TextNode:
		e.out.Write(n.Text)
	case *parse.ActionNode:
		// No two values are the same: names that a template computes are not compared.
		e.values++
		fmt.Fprintf(&e.out, "value-%d", e.values)
	case *parse.IfNode:
		e.write(e.branch(&n.BranchNode))
	case *parse.WithNode:
		e.write(e.branch(&n.BranchNode))
	case *parse.RangeNode:
		body := e.branch(&n.BranchNode)
		e.write(body)
		e.write(body)
	case *parse.TemplateNode:
		if tree := e.set[n.Name]; tree != nil {
			e.write(tree.Root)
		}
	}
}

func (e *expander) branch(b *parse.BranchNode) *parse.ListNode {
	if b.ElseList == nil {
		return b.List
	}
	if e.choices++; e.choices == e.variant {
		return b.ElseList
	}
	return b.List
}
