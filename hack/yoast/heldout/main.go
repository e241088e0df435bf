// Command heldout compares our scores with Yoast's on posts that are not part of the repository. heldout.sh runs it. It also counts the
// posts that fail a check of style, for which it needs no scores of Yoast's.
package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/pressroom-dev/pressroom/hack/yoast/agreement"
	"github.com/pressroom-dev/pressroom/internal/check"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "heldout:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: heldout documents FOLDER... | heldout style FOLDER... | heldout compare DOCUMENTS SCORES")

func run(arguments []string, out io.Writer) error {
	switch {
	case len(arguments) > 1 && arguments[0] == "documents":
		documents, err := readFolders(arguments[1:])
		if err != nil {
			return err
		}
		return agreement.WriteDocuments(out, documents)
	case len(arguments) > 1 && arguments[0] == "style":
		documents, err := readFolders(arguments[1:])
		if err != nil {
			return err
		}
		return style(out, documents)
	case len(arguments) == 3 && arguments[0] == "compare":
		return compare(out, arguments[1], arguments[2])
	default:
		return errUsage
	}
}

// compare prints the agreement for English and for the other languages, and the figures of each language.
func compare(out io.Writer, documentsFile, scoresFile string) error {
	documents, err := readFile(documentsFile, agreement.ReadDocuments)
	if err != nil {
		return err
	}
	scores, err := readFile(scoresFile, agreement.ReadRecorded)
	if err != nil {
		return err
	}
	var english, others agreement.Agreement
	languages := map[string]*agreement.Agreement{}
	for _, d := range documents {
		recorded, ok := scores[d.Name]
		if !ok {
			return fmt.Errorf("%s has no score of %s", scoresFile, d.Name)
		}
		tag, all := d.Language(), &others
		if tag == "en" {
			all = &english
		}
		if languages[tag] == nil {
			languages[tag] = &agreement.Agreement{}
		}
		report := check.Run(d.Input())
		all.Add(d.Name, report, recorded)
		languages[tag].Add(d.Name, report, recorded)
	}
	write(out, "English", english)
	write(out, "other languages", others)
	for _, tag := range slices.Sorted(maps.Keys(languages)) {
		fmt.Fprintf(out, "%s: %s\n", tag, languages[tag].Figures())
	}
	return nil
}

func write(out io.Writer, what string, a agreement.Agreement) {
	fmt.Fprintf(out, "%s: %s\n", what, a.Figures())
	for _, name := range a.Names() {
		fmt.Fprintf(out, "  %-30s %5.1f %% of %d\n", name, a.Checks[name].Share(), a.Checks[name].All)
		if os.Getenv("DIFFER") != "" {
			for _, d := range a.Checks[name].Differ {
				fmt.Fprintf(out, "    %s\n", d)
			}
		}
	}
	for _, d := range a.Far {
		fmt.Fprintf(out, "  far: %s\n", d)
	}
}

func readFile[T any](name string, read func(io.Reader) (T, error)) (T, error) {
	file, err := os.Open(name)
	if err != nil {
		var none T
		return none, err
	}
	defer func() { _ = file.Close() }()
	return read(file)
}
