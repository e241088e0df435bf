package generate

import (
	"cmp"
	"context"
	"errors"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// writer is the generator that asks a model.
type writer struct {
	connect func() backend
	model   string
	clock   clock.PassiveClock
}

// Generate asks for a plan and for the body, or for one section after the other, and then for repairs of what our checks find.
func (w writer) Generate(ctx context.Context, r Request, progress Progress) (Result, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	r.Language = cmp.Or(r.Language, "en")
	r.Links = r.Links[:min(len(r.Links), MaxLinks)]
	e := extentOf(r.Length)
	d := &draft{
		backend: w.connect(), clock: w.clock, request: r, extent: e, avoid: wordsToAvoid(r), links: namedLinks(r), model: w.model,
		budget: budget{turns: e.turns(0), tokens: r.MaxTokens}, progress: progress,
	}
	written, err := d.write(ctx)
	if err != nil {
		if own, ok := errors.AsType[*Error](err); ok {
			own.Usage = d.usage
		}
		return Result{Usage: d.usage}, err
	}
	return Result{
		Document: written.done, Report: written.report, Model: label(d.model, 200), Usage: d.usage, PromptVersion: PromptVersion,
		Repairs: d.repairs, Cited: written.cited,
	}, nil
}

// draft is the state of one run.
type draft struct {
	backend  backend
	clock    clock.PassiveClock
	request  Request
	extent   extent
	avoid    []string
	links    content.NamedLinks
	budget   budget
	progress Progress

	fields  fields
	model   string
	usage   Usage
	repairs []Repair
	// lastTurn is how many tokens the last turn took.
	lastTurn int64
}

func (d *draft) write(ctx context.Context) (article, error) {
	if d.request.Refresh != nil {
		return d.refresh(ctx)
	}
	d.progress(1, d.steps())
	planned, err := required(ctx, d, d.planPrompt(), d.readPlan)
	if err != nil {
		return article{}, err
	}
	d.fields = d.choose(planned)
	var named content.Document
	if d.extent.sectionWise && len(d.fields.Sections) > 0 {
		d.fields.Sections = d.fields.Sections[:d.extent.sections(len(d.fields.Sections))]
		d.budget.turns += len(d.fields.Sections)
		named, err = d.writeSections(ctx)
	} else {
		d.progress(2, d.steps())
		task := d.task()
		task.Passages = d.bodyPassages()
		named, err = required(ctx, d, d.question("body", task), d.readBody)
	}
	if err != nil {
		return article{}, err
	}
	d.progress(d.steps(), d.steps())
	return d.mend(ctx, d.assess(named))
}

// steps of a run: the plan, the body or its sections, and checking and repairing.
func (d *draft) steps() int {
	if !d.extent.sectionWise {
		return 3
	}
	if n := len(d.fields.Sections); n > 0 {
		return n + 2
	}
	return d.extent.maxSections + 2
}

// required asks for something without which there is no article, and once more if the answer cannot be used as it is.
func required[T any](ctx context.Context, d *draft, p prompt, read func(string) (T, problems)) (T, error) {
	first, err := askAndRead(ctx, d, p, read)
	if err == nil && len(first.problems) > 0 {
		first, err = repair(ctx, d, p, first, read)
	}
	return first.value, err
}

// reply is an answer and its value.
type reply[T any] struct {
	answer   answer
	value    T
	problems problems
}

// askAndRead asks once and reads the answer.
func askAndRead[T any](ctx context.Context, d *draft, p prompt, read func(string) (T, problems)) (reply[T], error) {
	if err := d.budget.refuse(); err != nil {
		return reply[T]{}, err
	}
	a, err := d.ask(ctx, p)
	if err != nil {
		return reply[T]{}, err
	}
	switch a.end {
	case truncated:
		return reply[T]{answer: a, problems: problems{must("the answer was cut off at its length limit")}}, nil
	case unfinished:
		a.text = ""
		return reply[T]{answer: a, problems: problems{must("the answer ended before it was whole")}}, nil
	}
	value, found := read(a.text)
	return reply[T]{answer: a, value: value, problems: found}, nil
}

// repair asks once more and names the problems. If the second answer is not usable, a first one with only minor problems is kept.
func repair[T any](ctx context.Context, d *draft, p prompt, first reply[T], read func(string) (T, problems)) (reply[T], error) {
	second, err := askAndRead(ctx, d, p.repair(first.answer, first.problems), read)
	switch {
	case err == nil && second.problems.usable():
		return second, nil
	case first.problems.usable() && ctx.Err() == nil:
		return first, nil
	case err != nil:
		return second, err
	case second.answer.end == truncated:
		return second, &Error{
			Reason: v1alpha1.ReasonTruncated, Message: "the model's answer was cut off at its length limit, and so was a shorter one",
		}
	default:
		return second, second.problems.failure()
	}
}

// ask makes one turn and adds its usage.
func (d *draft) ask(ctx context.Context, p prompt) (answer, error) {
	a, err := d.backend.ask(ctx, p)
	if err != nil {
		return a, failure(ctx, err, d.clock.Now())
	}
	d.usage = d.usage.plus(a.usage)
	d.usage.Turns++
	d.usage.EstimatedTokens += d.budget.charge(p, a)
	d.lastTurn = a.usage.InputTokens + a.usage.OutputTokens
	if a.model != "" {
		d.model = a.model
	}
	if a.end == refused {
		return a, &Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not write the article"}
	}
	return a, nil
}
