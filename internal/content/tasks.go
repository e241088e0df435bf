package content

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// tasks is an extension for lists of tasks: "- [ ] Pack" and "- [x] Pack". Their boxes are characters, which every CMS shows: most take
// form fields out of a post.
type tasks struct{}

// The boxes of tasks, each with the blank behind it.
const openBox, doneBox = "☐ ", "☑ "

// Extend implements goldmark.Extender.
func (tasks) Extend(m goldmark.Markdown) {
	// Before links, whose priority is 200.
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(extension.NewTaskCheckBoxParser(), 0)))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(taskRenderer{}, 500)))
}

type taskRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (taskRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTaskCheckBox, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(boxOf(n))
		}
		return ast.WalkContinue, nil
	})
}

func boxOf(n ast.Node) string {
	if box, ok := n.(*extast.TaskCheckBox); ok && box.IsChecked {
		return doneBox
	}
	return openBox
}
