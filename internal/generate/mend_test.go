package generate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// rated returns an article with findings at random. Each has 9 points if it passed, and what is missing can be gained.
func rated(random *rand.Rand) article {
	var a article
	for i := range 12 {
		f := check.Finding{
			Check: fmt.Sprintf("check-%d", i), Result: check.Passed, Points: 9, MaxPoints: 9, Model: "Mend this.",
			Target: check.Target{Part: []check.Part{check.Fields, check.Section, check.Whole}[i%3], Section: i % 4},
		}
		if random.IntN(2) == 0 {
			f.Result, f.Points = check.Failed, random.IntN(10)-1
			f.Gain = 9 - f.Points
		}
		a.report.Findings = append(a.report.Findings, f)
	}
	for i := range 3 {
		f := check.Finding{Check: fmt.Sprintf("gate-%d", i), Group: check.GroupGate, Result: check.Passed, Must: true, Model: "Mend this."}
		if random.IntN(4) == 0 {
			f.Result = check.Failed
		}
		a.report.Findings = append(a.report.Findings, f)
	}
	for range random.IntN(4) {
		result := []ground.Result{ground.Supported, ground.Unsupported, ground.WrongSource}[random.IntN(3)]
		a.report.Claims = append(a.report.Claims, ground.Claim{Class: ground.Figure, Result: result})
	}
	return a
}

// A model that answers at random worsens a text as often as not. Whatever it does, the text does not get worse, and no cap is passed by
// more than one turn.
func TestNoRunEndsBelowItsFirstText(t *testing.T) {
	for seed := range uint64(10_000) {
		random := rand.New(rand.NewPCG(seed, 1))
		first := rated(random)
		b := &budget{turns: 1 + random.IntN(6), tokens: int64(random.IntN(20_000))}
		largest, turns := int64(0), 0
		m := mending{
			ask: func(_ context.Context, _ article, _ target) (article, error) {
				used := int64(random.IntN(5_000) + 1)
				largest, turns = max(largest, used), turns+1
				b.charge(prompt{system: "x"}, answer{text: "y", usage: Usage{InputTokens: used}})
				switch random.IntN(10) {
				case 0:
					return article{}, errNoUse
				case 1:
					return article{}, errors.New("the endpoint fails")
				}
				return rated(random), nil
			},
			affords: func(article, target) bool { return b.affords(prompt{system: "x"}, 1000) },
		}
		allowed := b.turns
		last, err := m.run(t.Context(), first)
		if err != nil {
			t.Fatalf("run %d: %v", seed, err)
		}
		if last.report.Points() < first.report.Points() || !check.Better(first.report, last.report) {
			t.Fatalf("run %d ended with %d points, and began with %d", seed, last.report.Points(), first.report.Points())
		}
		if now, before := len(last.report.Unsupported()), len(first.report.Unsupported()); now > before {
			t.Fatalf("run %d ended with %d claims without support, and began with %d", seed, now, before)
		}
		if turns > allowed || b.tokens > 0 && b.spent > b.tokens+largest {
			t.Fatalf("run %d took %d turns of %d, and %d tokens of %d", seed, turns, allowed, b.spent, b.tokens)
		}
	}
}

func TestWhatWasAskedForInVainIsNotAskedForAgain(t *testing.T) {
	first := rated(rand.New(rand.NewPCG(1, 1)))
	asked := map[string]int{}
	m := mending{
		ask: func(_ context.Context, a article, t target) (article, error) {
			asked[t.key()]++
			return a, nil
		},
		affords: func(article, target) bool { return true },
	}
	if _, err := m.run(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if len(asked) != maxMisses {
		t.Errorf("it was asked for %v, want %d targets", asked, maxMisses)
	}
}

func TestACancelledRepairEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := mending{
		ask: func(context.Context, article, target) (article, error) {
			cancel()
			return article{}, ctx.Err()
		},
		affords: func(article, target) bool { return true },
	}
	if _, err := m.run(ctx, rated(rand.New(rand.NewPCG(1, 1)))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// tokensOf estimates the tokens of a repair: its prompt and its answer.
func tokensOf(d *draft, a article, t target) int {
	p, answer := d.repairPrompt(a, t)
	return (p.size() + answer) / 4
}

func TestARepairThatTheDeadlineCutsOffLeavesTheArticle(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	first, asked := rated(rand.New(rand.NewPCG(1, 1))), 0
	m := mending{
		ask: func(ctx context.Context, _ article, _ target) (article, error) {
			asked++
			return article{}, failure(ctx, ctx.Err(), time.Unix(0, 0))
		},
		affords: func(article, target) bool { return true },
	}
	last, err := m.run(ctx, first)
	if err != nil || asked != 1 || last.report.Points() != first.report.Points() {
		t.Errorf("after %d turns: %v, %d points", asked, err, last.report.Points())
	}
}

func TestARepairThatLeavesOneClaimOfTwoIsKept(t *testing.T) {
	text := func(claims int) article {
		var a article
		for range claims {
			a.report.Claims = append(a.report.Claims, ground.Claim{Class: ground.Figure, Result: ground.Unsupported})
		}
		found := check.Finding{Check: "claims", Group: check.GroupGate, Result: check.Failed, Must: true, Model: fmt.Sprintf("Leave out %d.", claims)}
		if claims == 0 {
			found = check.Finding{Check: "claims", Group: check.GroupGate, Result: check.Passed}
		}
		a.report.Findings = append(a.report.Findings, found)
		return a
	}
	answers := []article{text(1), text(5), text(0)}
	m := mending{
		ask: func(context.Context, article, target) (article, error) {
			next := answers[0]
			answers = answers[1:]
			return next, nil
		},
		affords: func(article, target) bool { return len(answers) > 0 },
	}
	// The second answer has more claims: the text with one of them stays, and is not asked for again in the same words.
	last, err := m.run(t.Context(), text(2))
	if err != nil || len(last.report.Unsupported()) != 1 || len(answers) != 1 {
		t.Errorf("%d claims are left, and %d answers, %v; want one of each", len(last.report.Unsupported()), len(answers), err)
	}
}
