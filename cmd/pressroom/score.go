package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/language"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/postfile"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

type scoreFlags struct {
	keyword, language, siteURL, output string
	minimum                            int
}

// errBelowMinimum is returned if a file has less than the minimum or fails a gate.
var errBelowMinimum = errors.New("a file is below the minimum")

func newScoreCommand() *cobra.Command {
	var flags scoreFlags
	cmd := &cobra.Command{
		Use:   "score FILE...",
		Short: "Score Markdown files by the checks that revisions have",
		Long: `Score Markdown files by the checks that revisions have. It needs no cluster.

A file may have front matter, with the fields of spec.content and spec.generate of an Article. - is standard input. A flag is for files
whose front matter does not have the field. With --minimum, the exit code is 1 if a file has a lower SEO score or fails a gate.`,
		Args: cobra.MinimumNArgs(1),
		RunE: flags.run,
	}
	cmd.Flags().StringVar(&flags.keyword, "keyword", "", "keyword that the texts are about")
	cmd.Flags().StringVar(&flags.language, "language", "", "BCP 47 tag of their language, such as en or de-CH")
	cmd.Flags().StringVar(&flags.siteURL, "site-url", "",
		"address of their site, such as https://blog.example.com: links to it are internal")
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	cmd.Flags().IntVar(&flags.minimum, "minimum", 0, "SEO score that each file must have, 1 to 100; 0 means none")
	return cmd
}

type scoredFile struct {
	File   string          `json:"file"`
	Scores v1alpha1.Scores `json:"scores"`

	report check.Report
}

func (f *scoreFlags) run(cmd *cobra.Command, files []string) error {
	if err := f.check(); err != nil {
		return err
	}
	scored := make([]scoredFile, 0, len(files))
	below := false
	for _, file := range files {
		report, err := f.score(cmd.InOrStdin(), file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		below = below || f.minimum > 0 && (report.SEOScore() < f.minimum || len(report.Must()) > 0)
		scored = append(scored, scoredFile{File: file, Scores: revision.Scores(report), report: report})
	}
	if err := f.print(cmd.OutOrStdout(), scored); err != nil {
		return err
	}
	if below {
		return fmt.Errorf("%w: each must have an SEO score of %d and pass all gates", errBelowMinimum, f.minimum)
	}
	return nil
}

func (f *scoreFlags) check() error {
	site, siteErr := url.Parse(f.siteURL)
	_, tagErr := language.Parse(f.language)
	var unknownTag language.ValueError // The checks know what they know of a language, and rate the rest.
	switch {
	case f.output != "text" && f.output != "json":
		return fmt.Errorf("--output is %q; it must be text or json", f.output)
	case f.minimum < 0 || f.minimum > 100:
		return fmt.Errorf("--minimum is %d; it must be 0 to 100", f.minimum)
	case f.language != "" && tagErr != nil && !errors.As(tagErr, &unknownTag):
		return fmt.Errorf("--language is %q; it must be a BCP 47 tag, such as en or de-CH", f.language)
	case f.siteURL != "" && (siteErr != nil || site.Host == ""):
		return fmt.Errorf("--site-url is %q; it must be an address, such as https://blog.example.com", f.siteURL)
	default:
		return nil
	}
}

func (f *scoreFlags) score(stdin io.Reader, file string) (check.Report, error) {
	var data []byte
	var err error
	if file == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return check.Report{}, err
	}
	in, err := postfile.Parse(data)
	if err != nil {
		return check.Report{}, err
	}
	for _, field := range []struct {
		value *string
		flag  string
	}{{&in.Keyword, f.keyword}, {&in.Document.Language, f.language}, {&in.SiteURL, f.siteURL}} {
		if *field.value == "" {
			*field.value = field.flag
		}
	}
	// As for a revision, fields that are missing are made of the text.
	if in.Document, err = content.Normalize(in.Document); err != nil {
		return check.Report{}, err
	}
	return check.Run(in), nil
}

func (f *scoreFlags) print(out io.Writer, files []scoredFile) error {
	if f.output == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(files)
	}
	for _, file := range files {
		fmt.Fprintf(out, "%s: %d\n", file.File, file.Scores.SEOScore)
		for _, group := range check.Groups() {
			printGroup(out, group, file.report)
		}
	}
	return nil
}

// printGroup writes the checks of a group that apply, those that failed first.
func printGroup(out io.Writer, group check.Group, report check.Report) {
	var checks []check.Finding
	for _, f := range report.Findings {
		if f.Group == group && f.Result != check.NotApplicable {
			checks = append(checks, f)
		}
	}
	if len(checks) == 0 {
		return
	}
	head := strings.ToLower(string(group))
	if score, ok := report.GroupScore(group); ok {
		head = fmt.Sprintf("%s %d", head, score)
	}
	fmt.Fprintf(out, "  %s\n", head)
	slices.SortStableFunc(checks, func(a, b check.Finding) int { return rank(a) - rank(b) })
	for _, f := range checks {
		points := ""
		if f.MaxPoints > 0 {
			points = fmt.Sprintf("%d/%d", f.Points, f.MaxPoints)
		}
		fmt.Fprintf(out, "    %-6s %6s  %s: %s\n", marks[f.Result], points, f.Check, f.Message)
	}
}

var marks = map[check.Result]string{check.Passed: "ok", check.Failed: "failed"}

func rank(f check.Finding) int {
	if f.Result == check.Failed {
		return 0
	}
	return 1
}
