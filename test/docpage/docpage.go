// Package docpage reads what pages of the documentation have people type. Only tests import it.
package docpage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/test/project"
)

// Block is a fenced block of a page, without the indentation of the list that it is in.
type Block struct {
	// Section is the title of the second level that the block is under; empty before the first one.
	Section string
	// Language is the word behind the fence; may be empty.
	Language string
	// Line is that of the fence in the page; the first one is 1.
	Line int
	Text string
}

// shells are the languages of blocks that people type into a shell. In a block of the language console, lines to type begin with "$ ".
var shells = []string{"sh", "console", "bash", "shell"}

var fence = regexp.MustCompile("^( *)```(\\w*)$")

// Pages returns the pages of the documentation, each by its path in the project.
func Pages() ([]string, error) {
	var pages []string
	err := fs.WalkDir(os.DirFS(project.Root()), "docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	return pages, err
}

// Blocks returns the fenced blocks of a page, which is named by its path in the project.
func Blocks(page string) ([]Block, error) {
	text, err := os.ReadFile(filepath.Join(project.Root(), filepath.FromSlash(page)))
	if err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	var blocks []Block
	section, indent, open := "", "", false
	for i, line := range strings.Split(string(text), "\n") {
		found := fence.FindStringSubmatch(line)
		switch {
		case open && found != nil:
			open = false
		case open:
			last := &blocks[len(blocks)-1]
			last.Text += strings.TrimPrefix(line, indent) + "\n"
		case found != nil:
			indent, open = found[1], true
			blocks = append(blocks, Block{Section: section, Language: found[2], Line: i + 1})
		case strings.HasPrefix(line, "## "):
			section = strings.TrimPrefix(line, "## ")
		}
	}
	if open {
		return nil, fmt.Errorf("%s: the block of line %d has no end", page, blocks[len(blocks)-1].Line)
	}
	return blocks, nil
}

// BlocksOf returns the texts of the blocks of a page in a language. A page without any is an error.
func BlocksOf(page, language string) ([]string, error) {
	blocks, err := Blocks(page)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, b := range blocks {
		if b.Language == language {
			texts = append(texts, b.Text)
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s has no blocks of %s", page, language)
	}
	return texts, nil
}

// Command is something that a page has people type: one or more lines, as they stand.
type Command struct {
	Section string
	// Line is that of the command in the page; the first one is 1.
	Line int
	Text string
	// Output is what the page shows as printed; empty if it shows nothing.
	Output string
}

// Commands returns the commands of a page in their order. A page without any has none, which is no error.
func Commands(page string) ([]Command, error) {
	blocks, err := Blocks(page)
	if err != nil {
		return nil, err
	}
	var all []Command
	var problems []error
	for _, b := range blocks {
		read := fromScript
		switch {
		case b.Language == "" && looksTyped.MatchString(b.Text):
			problems = append(problems, fmt.Errorf("%s:%d: has commands: begin the block with ```sh", page, b.Line))
			continue
		case !slices.Contains(shells, b.Language):
			continue
		case b.Language == "console":
			read = fromConsole
		}
		commands, err := read(b)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %w", page, b.Line, err))
		}
		all = append(all, commands...)
	}
	return all, errors.Join(problems...)
}

// looksTyped finds commands in a block that does not say that it has any.
var looksTyped = regexp.MustCompile(`^\s*(\$ |(bin/)?(kubectl|pressroom|make|curl|helm|jq|git) )`)
