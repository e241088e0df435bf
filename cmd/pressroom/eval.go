package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/evaluate"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

// errWorse is the end of an evaluation that is worse than its baseline.
var errWorse = errors.New("the evaluation is worse than its baseline")

type evalFlags struct {
	controllerFlags

	suite, record, replay, baseline, out string
	repeat                               int
	prices                               priceFlags
}

func newEvalCommand() *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Write the articles of a suite with a model, and report their scores, gates, turns, tokens and repairs",
		Long: "Writes the articles of a suite through the pipeline of the controller, and reports what came of them. " +
			"It needs no cluster. The model is an endpoint, or answers that were recorded of it. See docs/reference/checks-and-gates.md.",
		Args: cobra.NoArgs,
		RunE: f.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.suite, "suite", "", "YAML file with the requests; the built-in suite of 16 requests in 6 languages if empty")
	flags.StringVar(&f.record, "record", "", "folder to record the endpoint's answers in, without keys")
	flags.StringVar(&f.replay, "replay", "", "folder with recorded answers to use in place of the endpoint's")
	flags.StringVar(&f.baseline, "baseline", "", "earlier report (.json) to compare with; the exit code is 1 if something is worse")
	flags.StringVar(&f.out, "out", "", "file to write the report to: .html, .md or .json; Markdown to standard output if empty")
	flags.IntVar(&f.repeat, "repeat", 1, "how often each request is asked, 1 to 20: models vary")
	f.prices.add(flags, "")
	f.addGenerator(flags)
	return cmd
}

func (f *evalFlags) run(cmd *cobra.Command, _ []string) error {
	suite, err := f.readSuite()
	if err != nil {
		return err
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	baseline, err := f.readBaseline()
	if err != nil {
		return err
	}
	model, err := f.evaluate(cmd.Context(), suite, options)
	if err != nil {
		return err
	}
	report := evaluate.Report{PromptVersion: generate.PromptVersion, Currency: options.Prices.Currency, Models: []evaluate.Model{model}}
	if baseline != nil {
		report.Compare(*baseline)
	}
	if err := f.write(cmd, report); err != nil {
		return err
	}
	if len(report.Worse) > 0 {
		return errWorse
	}
	return nil
}

func (f *evalFlags) readSuite() (evaluate.Suite, error) {
	if f.suite == "" {
		return evaluate.BuiltInSuite(), nil
	}
	data, err := os.ReadFile(f.suite)
	if err != nil {
		return evaluate.Suite{}, fmt.Errorf("--suite: %w", err)
	}
	return evaluate.ReadSuite(data)
}

func (f *evalFlags) options() (evaluate.Options, error) {
	const mostRepeats = 20
	o := evaluate.Options{Repeats: f.repeat}
	if f.out != "" {
		if err := evaluate.CheckName(f.out); err != nil {
			return o, fmt.Errorf("--out: %w", err)
		}
	}
	if f.repeat < 1 || f.repeat > mostRepeats {
		return o, fmt.Errorf("--repeat must be 1 to %d, not %d", mostRepeats, f.repeat)
	}
	if f.replay == "" {
		o.Clock = clock.RealClock{}
	}
	var err error
	o.Prices, err = f.prices.prices("")
	return o, err
}

// evaluate runs the suite with the endpoint that the flags name, or with answers that were recorded of it.
func (f *evalFlags) evaluate(ctx context.Context, suite evaluate.Suite, o evaluate.Options) (m evaluate.Model, err error) {
	config, err := f.generator(egress.Policy{})
	if err != nil {
		return m, err
	}
	tape, err := evaluate.NewTape(f.record, f.replay)
	if err != nil {
		return m, err
	}
	config.HTTPClient = egress.NewThrough(config.HTTPClient, tape.Through)
	g, err := generate.New(config)
	if err != nil {
		return m, err
	}
	name := cmp.Or(config.Model, string(config.Type))
	m, err = evaluate.Run(ctx, suite, name, g, o)
	return m, errors.Join(err, tape.Missed())
}

// readBaseline returns the report to compare with; nil if there is none.
func (f *evalFlags) readBaseline() (*evaluate.Report, error) {
	if f.baseline == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.baseline)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	baseline, err := evaluate.ReadReport(data)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	return &baseline, nil
}

func (f *evalFlags) write(cmd *cobra.Command, report evaluate.Report) error {
	if f.out == "" {
		return report.Write(cmd.OutOrStdout(), ".md")
	}
	file, err := os.Create(filepath.Clean(f.out))
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return errors.Join(report.Write(file, f.out), file.Close())
}
