package content

import (
	"bytes"
	"fmt"
	"strings"

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
	// maxCells bounds the cells of tables: short rows are filled up to the width of the header.
	maxCells = 100000
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
	references, containers, cells, run := 0, 0, 0, tableRun{}
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
			cells, run = cells+run.cells(), tableRun{}
			continue
		}
		run.rows++
		run.pipes = max(run.pipes, bytes.Count(line, []byte("|")))
	}
	switch {
	case containers > maxContainersInAll:
		return fmt.Errorf("%w: it may open %d quotes and list items", ErrTooComplex, maxContainersInAll)
	case references > maxReferences:
		return fmt.Errorf("%w: it may define %d link references", ErrTooComplex, maxReferences)
	case cells+run.cells() > maxCells:
		return fmt.Errorf("%w: its tables may have %d cells", ErrTooComplex, maxCells)
	}
	return nil
}

// tableRun is a run of lines that are not blank, and so could be one table.
type tableRun struct{ rows, pipes int }

func (r tableRun) cells() int { return r.rows * r.pipes }

// openedContainers counts the markers of quotes and list items that a line begins with.
func openedContainers(line []byte) int {
	count := 0
	for {
		line = bytes.TrimLeft(line, " \t")
		n := containerMarker(line)
		if n == 0 {
			return count
		}
		line = line[n:]
		count++
	}
}

// containerMarker returns the length of the marker that a line begins with, or 0.
func containerMarker(line []byte) int {
	if len(line) == 0 {
		return 0
	}
	if line[0] == '>' {
		return 1
	}
	n := 0
	if strings.IndexByte("-+*", line[0]) >= 0 {
		n = 1
	} else {
		for n < len(line) && n < 10 && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n == 0 || n == len(line) || (line[n] != '.' && line[n] != ')') {
			return 0
		}
		n++
	}
	if n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
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

// fewDelimiters reports whether a text is within the bounds whatever its block structure is: no run of inline text crosses a blank line.
func fewDelimiters(source []byte) bool {
	if countDelimiters(source) <= maxDelimiters {
		return true
	}
	count, work := 0, 0
	for line := range bytes.Lines(source) {
		if len(bytes.TrimSpace(line)) == 0 {
			count = 0
			continue
		}
		more := countDelimiters(line)
		// The square of the sum, grown by this line.
		work += (count+more)*(count+more) - count*count
		if count += more; count > maxDelimiters || work > maxDelimiterWork {
			return false
		}
	}
	return true
}

// checkDelimiters looks at each run of inline text, as the block structure has it.
func checkDelimiters(source []byte) error {
	if fewDelimiters(source) {
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
