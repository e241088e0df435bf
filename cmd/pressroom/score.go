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
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/postfile"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

type scoreFlags struct {
	keyword, language, siteURL, brief, output string
	minimum                                   int

	// material of the brief; nil if there is none.
	material *ground.Material
}

// errUnsupported is returned if a file fails the gate claims.
var errUnsupported = errors.New("a file has claims that the brief does not support")

// errBelowMinimum is returned if a file has less than the minimum or fails a gate.
var errBelowMinimum = errors.New("a file is below the minimum")

func newScoreCommand() *cobra.Command {
	var flags scoreFlags
	cmd := &cobra.Command{
		Use:   "score FILE...",
		Short: "Score Markdown files by the checks that revisions have",
		Long: `Score Markdown files by the checks that revisions have. It needs no cluster.

A file may have front matter, with the fields of spec.content and spec.generate of an Article. - is standard input. A flag is for files
whose front matter does not have the field. With --minimum, the exit code is 1 if a file has a lower SEO score or fails a gate.

With --brief, the claims of the texts are looked for in the brief: figures, names, quotations, addresses, and what studies are said to
show. The exit code is 1 if it does not support one.`,
		Args: cobra.MinimumNArgs(1),
		RunE: flags.run,
	}
	cmd.Flags().StringVar(&flags.keyword, "keyword", "", "keyword that the texts are about")
	cmd.Flags().StringVar(&flags.language, "language", "", "BCP 47 tag of their language, such as en or de-CH")
	cmd.Flags().StringVar(&flags.siteURL, "site-url", "",
		"address of their site, such as https://blog.example.com: links to it are internal")
	cmd.Flags().StringVar(&flags.brief, "brief", "", "manifest of the Brief that the texts may rest on, in YAML or JSON")
	cmd.Flags().StringVarP(&flags.output, "output", "o", "text", "text or json")
	cmd.Flags().IntVar(&flags.minimum, "minimum", 0, "SEO score that each file must have, 1 to 100; 0 means none")
	return cmd
}

type scoredFile struct {
	File   string          `json:"file"`
	Scores v1alpha1.Scores `json:"scores"`
	// Claims that the brief does not support.
	Claims []scoredClaim `json:"claims,omitempty"`

	report check.Report
}

// scoredClaim is a claim with its sentence, and what must be done about it.
type scoredClaim struct {
	Class  ground.Class  `json:"class"`
	Result ground.Result `json:"result"`
	// Section of the body, as revisions and the REST API number it: 1 is what stands before the first heading. It is missing beside the
	// body.
	Section  *int   `json:"section,omitempty"`
	Words    string `json:"words"`
	Sentence string `json:"sentence"`
	Cited    string `json:"cited,omitempty"`
	Must     string `json:"must"`
}

func claimsOf(report check.Report) []scoredClaim {
	claims := report.Unsupported()
	out := make([]scoredClaim, 0, len(claims))
	for _, c := range claims {
		claim := scoredClaim{Class: c.Class, Result: c.Result, Words: c.Words, Sentence: c.Sentence, Cited: c.Cited, Must: check.MustBe(c)}
		if c.Section >= 0 {
			claim.Section = new(c.Section + 1)
		}
		out = append(out, claim)
	}
	return out
}

func (f *scoreFlags) run(cmd *cobra.Command, files []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.readBrief(); err != nil {
		return err
	}
	scored := make([]scoredFile, 0, len(files))
	below, unsupported := false, false
	for _, file := range files {
		report, err := f.score(cmd.InOrStdin(), file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		below = below || f.minimum > 0 && (report.SEOScore() < f.minimum || len(report.Must()) > 0)
		claims := claimsOf(report)
		unsupported = unsupported || len(claims) > 0
		scored = append(scored, scoredFile{File: file, Scores: revision.Scores(report), Claims: claims, report: report})
	}
	if err := f.print(cmd.OutOrStdout(), scored); err != nil {
		return err
	}
	if unsupported {
		return errUnsupported
	}
	if below {
		return fmt.Errorf("%w: each must have an SEO score of %d and pass all gates", errBelowMinimum, f.minimum)
	}
	return nil
}

func (f *scoreFlags) readBrief() error {
	if f.brief == "" {
		return nil
	}
	data, err := os.ReadFile(f.brief)
	if err != nil {
		return fmt.Errorf("--brief: %w", err)
	}
	read, err := brief.Read(data)
	if err != nil {
		return fmt.Errorf("--brief: %w", err)
	}
	f.material = new(brief.Material(read.Spec))
	f.material.Known = append(f.material.Known, read.Spec.Instructions)
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
	if f.material != nil {
		material := *f.material
		material.Known = slices.Concat(material.Known, []string{in.Keyword, in.SiteURL}, in.SecondaryKeywords)
		in.Material = &material
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
		printClaims(out, file.Claims)
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

// printClaims writes the claims that the brief does not support: what it is, its sentence, and what must be.
func printClaims(out io.Writer, claims []scoredClaim) {
	if len(claims) == 0 {
		return
	}
	fmt.Fprintf(out, "  claims %d\n", len(claims))
	for _, c := range claims {
		place := ""
		if c.Section != nil {
			place = fmt.Sprintf(" (section %d)", *c.Section)
		}
		fmt.Fprintf(out, "    %s %s%s: %s\n", strings.ToLower(string(c.Class)), c.Result, place, c.Words)
		fmt.Fprintf(out, "      in:   %s\n      must: %s\n", c.Sentence, c.Must)
	}
}

var marks = map[check.Result]string{check.Passed: "ok", check.Failed: "failed"}

func rank(f check.Finding) int {
	if f.Result == check.Failed {
		return 0
	}
	return 1
}
