package generate

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// steps of a run: the fields, the body, and checking and repairing the body.
const steps = 3

// writer is the generator that asks a model.
type writer struct {
	connect func() backend
	model   string
	clock   clock.PassiveClock
}

// Generate asks for the fields, then for the body, and asks for a repair of each at most once.
func (w writer) Generate(ctx context.Context, r Request, progress Progress) (Result, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if r.Language == "" {
		r.Language = "en"
	}
	d := &draft{backend: w.connect(), clock: w.clock, request: r, avoid: wordsToAvoid(r), model: w.model}
	doc, err := d.write(ctx, progress)
	if err != nil {
		if own, ok := errors.AsType[*Error](err); ok {
			own.Usage = d.usage
		}
		return Result{}, err
	}
	return Result{Document: doc, Model: label(d.model, 200), Usage: d.usage}, nil
}

// draft is the state of one run.
type draft struct {
	backend backend
	clock   clock.PassiveClock
	request Request
	avoid   []string
	fields  fields
	model   string
	usage   Usage
}

func (d *draft) write(ctx context.Context, progress Progress) (content.Document, error) {
	progress(1, steps)
	first, err := askAndRead(ctx, d, d.fieldsPrompt(), d.readFields)
	if err == nil && first.repairable() {
		first, err = repair(ctx, d, d.fieldsPrompt(), first, d.readFields)
	}
	if err != nil {
		return content.Document{}, err
	}
	d.fields = first.value
	progress(2, steps)
	second, err := askAndRead(ctx, d, d.bodyPrompt(), d.readBody)
	if err != nil {
		return content.Document{}, err
	}
	progress(3, steps)
	if second.repairable() {
		second, err = repair(ctx, d, d.bodyPrompt(), second, d.readBody)
	}
	return second.value, err
}

// reply is an answer and its value.
type reply[T any] struct {
	answer   answer
	value    T
	problems problems
}

func (r reply[T]) repairable() bool { return len(r.problems) > 0 }

// askAndRead asks once and reads the answer.
func askAndRead[T any](ctx context.Context, d *draft, p prompt, read func(string) (T, problems)) (reply[T], error) {
	a, err := d.ask(ctx, p)
	if err != nil {
		return reply[T]{}, err
	}
	if a.truncated {
		return reply[T]{answer: a, problems: problems{must("the answer was cut off at its length limit")}}, nil
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
	case second.answer.truncated:
		return second, &Error{
			Reason: v1alpha1.ReasonTruncated, Message: "the model's answer was cut off at its length limit, and so was a shorter one",
		}
	default:
		settings := second.problems.ofSettings()
		return second, &Error{
			Reason: v1alpha1.ReasonInvalidAnswer, Retryable: !settings, Settings: settings,
			Message: fmt.Sprintf("the model's answer could not be used after a repair turn: %s", second.problems.summary()),
		}
	}
}

// ask makes one turn and adds its usage.
func (d *draft) ask(ctx context.Context, p prompt) (answer, error) {
	a, err := d.backend.ask(ctx, p)
	if err != nil {
		return a, failure(ctx, err, d.clock.Now())
	}
	d.usage = d.usage.plus(a.usage)
	if a.model != "" {
		d.model = a.model
	}
	if a.refused {
		return a, &Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not write the article"}
	}
	return a, nil
}
