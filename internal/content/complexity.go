package content

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Bounds that no article reaches. The time of parsing grows with the square of each, so a hostile body of the largest size would take
// minutes; within the bounds it takes a few times what ordinary prose of that size does (see BenchmarkHostileMarkdown).
const (
	// maxContainers bounds the quotes and list items that one line opens.
	maxContainers = 100
	// maxContainersInAll bounds the quotes and list items that all lines open.
	maxContainersInAll = 50_000
	// maxReferences bounds the lines that look like link reference definitions.
	maxReferences = 2000
	// maxCells bounds the cells of tables.
	maxCells = 100_000
	// maxMissingCells bounds those that the rows of tables lack: short rows are filled up to the width of the header, so that each line of
	// two bytes could make hundreds.
	maxMissingCells = 30_000
	// maxDelimiters bounds the signs in one paragraph, heading or cell that may begin or end inline markup.
	maxDelimiters = 2000
	// maxDelimiterWork bounds the sum of the squares of these numbers over the document, as the time is.
	maxDelimiterWork = 30_000_000
)

// checkComplexity refuses a text that would take very long to parse.
func checkComplexity(source []byte) error {
	if len(source) > v1alpha1.MaxMarkdownBytes {
		return fmt.Errorf("%w: it has %d bytes and may have %d", ErrTooLong, len(source), v1alpha1.MaxMarkdownBytes)
	}
	if err := checkLines(source); err != nil {
		return err
	}
	return checkDelimiters(source)
}

func checkLines(source []byte) error {
	references, containers, all, run := 0, 0, cells{}, tableRun{}
	for line := range bytes.Lines(source) {
		line = bytes.TrimRight(line, "\n")
		opened := openedContainers(line)
		if opened > maxContainers {
			return fmt.Errorf("%w: a line may open %d quotes and list items", ErrTooComplex, maxContainers)
		}
		containers += opened
		if start := bytes.TrimLeft(line, " \t>-+*"); bytes.HasPrefix(start, []byte("[")) && bytes.Contains(start, []byte("]:")) {
			references++
		}
		if len(bytes.TrimLeft(line, " \t>")) == 0 {
			all, run = all.with(run), tableRun{}
			continue
		}
		run.add(bytes.Count(line, []byte("|")))
	}
	all = all.with(run)
	switch {
	case containers > maxContainersInAll:
		return fmt.Errorf("%w: it may open %d quotes and list items", ErrTooComplex, maxContainersInAll)
	case references > maxReferences:
		return fmt.Errorf("%w: it may define %d link references", ErrTooComplex, maxReferences)
	case all.most > maxCells:
		return fmt.Errorf("%w: its tables may have %d cells", ErrTooComplex, maxCells)
	case all.missing > maxMissingCells:
		return fmt.Errorf("%w: the rows of its tables may lack %d cells", ErrTooComplex, maxMissingCells)
	}
	return nil
}

// tableRun is a run of lines that are not blank, and so could be one table.
// pipes is the number of pipes in its widest line, and sum the number in all lines.
type tableRun struct{ rows, pipes, sum int }

func (r *tableRun) add(pipes int) {
	r.rows++
	r.sum += pipes
	r.pipes = max(r.pipes, pipes)
}

// cells are the cells that tables have at most, and how many of these their rows lack.
type cells struct{ most, missing int }

func (c cells) with(r tableRun) cells {
	return cells{most: c.most + r.rows*r.pipes, missing: c.missing + r.rows*r.pipes - r.sum}
}

// containerMarker is the marker of a quote or a list item at the beginning of a line.
var containerMarker = regexp.MustCompile(`^[ \t]*(?:>|(?:[-+*]|[0-9]{1,10}[.)])(?:[ \t]|$))`)

// openedContainers counts the markers of quotes and list items that a line begins with.
func openedContainers(line []byte) int {
	for count := 0; ; count++ {
		marker := containerMarker.Find(line)
		if marker == nil {
			return count
		}
		line = line[len(marker):]
	}
}

// delimiters may begin or end inline markup.
const delimiters = "[]*_~`<"

func countDelimiters(text []byte) int {
	count := 0
	for i := range len(delimiters) {
		count += bytes.Count(text, []byte{delimiters[i]})
	}
	return count
}

// checkDelimiters looks at each run of inline text, as the block structure has it.
func checkDelimiters(source []byte) error {
	if countDelimiters(source) <= maxDelimiters {
		return nil
	}
	var err error
	work := 0
	walk(blocks.Parse(text.NewReader(source)), func(n ast.Node) bool {
		if n.Type() != ast.TypeBlock || n.IsRaw() {
			return err == nil
		}
		count := 0
		for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
			count += countDelimiters(line.Value(source))
		}
		work += count * count
		switch {
		case count > maxDelimiters:
			err = fmt.Errorf("%w: a paragraph may have %d signs of markup", ErrTooComplex, maxDelimiters)
		case work > maxDelimiterWork:
			err = fmt.Errorf("%w: too many paragraphs have hundreds of signs of markup", ErrTooComplex)
		}
		return err == nil
	})
	return err
}
