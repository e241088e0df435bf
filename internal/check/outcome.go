package check

import (
	"fmt"
	"unicode/utf8"
)

// namedCheck is a check with its place in the report.
type namedCheck struct {
	name  string
	group Group
	most  int
	run   func(*facts) outcome
}

// outcome of a check.
type outcome struct {
	points  int
	message string
	// skip is true if the check does not apply.
	skip bool
	// failed gates have no points.
	failed bool
	// repair of a failed check: what to ask for, what to say, and the points that it can reach.
	target Target
	model  string
	reach  int
}

// pass is the outcome of a check that has nothing to mend.
func pass(points int, format string, arguments ...any) outcome {
	return outcome{points: points, message: fmt.Sprintf(format, arguments...)}
}

// fault is the outcome of a check with something to mend.
func fault(points int, format string, arguments ...any) outcome {
	return outcome{points: points, failed: true, message: fmt.Sprintf(format, arguments...), target: Target{Part: Nothing}}
}

// notApplicable is the outcome of a check that has nothing to look at.
func notApplicable(why string) outcome { return outcome{skip: true, message: why} }

// mend says how a model can mend a fault: the part to ask for, and what to do.
func (o outcome) mend(target Target, format string, arguments ...any) outcome {
	o.target, o.model, o.reach = target, fmt.Sprintf(format, arguments...), perfect
	return o
}

func (c namedCheck) finding(f *facts) Finding {
	o := c.run(f)
	out := Finding{Check: c.name, Group: c.group, Result: Passed, Message: shorten(o.message, 300)}
	if o.skip {
		out.Result = NotApplicable
		return out
	}
	out.Points, out.MaxPoints = o.points, c.most
	if o.failed {
		out.Result, out.Target, out.Model = Failed, o.target, shorten(o.model, 600)
		out.Must = c.group == GroupGate
		out.Gain = max(0, min(o.reach, c.most)-o.points)
	}
	return out
}

// shorten cuts a text to a number of characters.
func shorten(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}

// quote cuts a text for a message.
func quote(text string) string { return fmt.Sprintf("%q", shorten(text, 100)) }

// count writes a number with a noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
