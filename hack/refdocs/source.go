package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// constant is an exported constant with its comment, and with that of the group that it is declared in.
type constant struct{ name, value, comment, group string }

// constants returns the constants of a file that have one of the names, by their values.
func constants(file string, wanted func(name string) bool) ([]constant, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []constant
	for _, declared := range parsed.Decls {
		group, ok := declared.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range group.Specs {
			spec, ok := s.(*ast.ValueSpec)
			if !ok || !wanted(spec.Names[0].Name) || len(spec.Values) != 1 {
				continue
			}
			if value, ok := text(spec.Values[0]); ok {
				comment := cmp.Or(spec.Doc.Text(), spec.Comment.Text())
				all = append(all, constant{spec.Names[0].Name, value, comment, oneLine(group.Doc.Text())})
			}
		}
	}
	if len(all) == 0 {
		return nil, errors.New(file + " has no such constants")
	}
	slices.SortFunc(all, func(a, b constant) int { return cmp.Compare(a.value, b.value) })
	return all, nil
}

// text returns the value of a string literal, or of several that are joined.
func text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		value, err := strconv.Unquote(e.Value)
		return value, err == nil
	case *ast.BinaryExpr:
		left, okLeft := text(e.X)
		right, okRight := text(e.Y)
		return left + right, okLeft && okRight
	}
	return "", false
}

func annotations(context.Context) (string, error) {
	const file = "api/v1alpha1/shared_types.go"
	all, err := constants(file, func(name string) bool {
		return strings.HasSuffix(name, "Annotation") || strings.HasSuffix(name, "Label")
	})
	if err != nil {
		return "", err
	}
	d := newDocument("Annotations and labels", file, "Every annotation and label that Pressroom reads or writes.")
	d.table("", "what it means")
	for _, c := range all {
		kind := "annotation"
		if strings.HasSuffix(c.name, "Label") {
			kind = "label"
		}
		// The comment begins with the name, which is the subject of its first sentence.
		meaning := c.comment
		for _, other := range all {
			meaning = strings.ReplaceAll(meaning, other.name, "`"+other.value+"`")
		}
		d.row(kind, meaning)
	}
	return d.String(), nil
}

func reasons(context.Context) (string, error) {
	const file = "api/v1alpha1/conditions.go"
	all, err := constants(file, func(name string) bool { return strings.HasPrefix(name, "Reason") })
	if err != nil {
		return "", err
	}
	d := newDocument("Reasons", file,
		"Every reason of a condition, what it means, and what to do. The message of the condition says more: what is missing, or when\n"+
			"the next attempt is due. [Troubleshooting](../how-to/troubleshooting.md) begins with symptoms.\n\n"+
			"`Ready` also has the reason of the condition that the object waits for, and `Reconciling` and `Stalled` have that of\n"+
			"`Ready`. `Delivered` of an EventDelivery has the reasons of `Published`, and `Delivering` of a Site those of `Connected`.\n"+
			"The REST API writes reasons in lower case: `awaiting_review`.")
	d.table("reason", "of", "condition", "meaning", "what to do")
	for _, c := range all {
		meaning, of, todo, err := advised(c)
		if err != nil {
			return "", err
		}
		if _, ok := conditions.Reasons[c.value]; !ok {
			return "", fmt.Errorf("conditions.Reasons has no row for %s", c.name)
		}
		meaning, in := conditionsOf(meaning, c.group)
		if in == "" {
			return "", fmt.Errorf(`neither the comment of %s nor that of its group names a condition`, c.name)
		}
		d.row("`"+c.value+"`", of, in, upper(withoutPrefixes(meaning)), upper(linked(todo)))
	}
	if err := eventReasons(d); err != nil {
		return "", err
	}
	return d.String(), nil
}

// advised takes the comment of a reason apart: what it means, the kinds that have it, and what to do.
func advised(c constant) (meaning, of, todo string, err error) {
	parts := adviceLine.FindStringSubmatchIndex(c.comment)
	if parts == nil {
		return "", "", "", fmt.Errorf(`the comment of %s has no line "Of KIND, KIND: what to do"`, c.name)
	}
	meaning = strings.TrimPrefix(oneLine(c.comment[:parts[0]]), c.name+" means that ")
	return meaning, c.comment[parts[2]:parts[3]], oneLine(c.comment[parts[1]:]), nil
}

// eventReasons writes the reasons that only Kubernetes Events have.
func eventReasons(d *document) error {
	all, err := constants("controllers/base/eventreasons.go", func(name string) bool { return strings.HasPrefix(name, "Reason") })
	if err != nil {
		return err
	}
	d.WriteString("\nKubernetes Events, which `kubectl describe` shows, also have these:\n")
	d.table("reason", "of", "meaning", "what to do")
	for _, c := range all {
		meaning, of, todo, err := advised(c)
		if err != nil {
			return err
		}
		d.row("`"+c.value+"`", of, upper(meaning), upper(linked(todo)))
	}
	return nil
}

var (
	adviceLine    = regexp.MustCompile(`\nOf ([A-Z]\w+(?:, [A-Z]\w+)*): `)
	conditionName = regexp.MustCompile(`\bCondition(\w+)`)
	// where is a sentence of a comment that names conditions: "Also of ConditionReady, if ...", "Only of ConditionConnected."
	where = regexp.MustCompile(` (Also of|Only of) (Condition\w+[^.]*)\.`)
)

// conditionsOf takes the sentence that names conditions out of the meaning of a reason. Without one, the conditions are those that the
// comment of the group of constants begins with, and "Also of" adds to them.
func conditionsOf(meaning, group string) (rest, in string) {
	group, _, _ = strings.Cut(group, ", in addition")
	group, _, _ = strings.Cut(group, ".")
	all := conditionName.FindAllStringSubmatch(group, -1)
	names := make([]string, 0, len(all))
	for _, found := range all {
		names = append(names, "`"+found[1]+"`")
	}
	in = strings.Join(names, ", ")
	found := where.FindStringSubmatch(meaning)
	if found == nil {
		return meaning, in
	}
	more := conditionName.ReplaceAllString(found[2], "`$1`")
	if found[1] == "Also of" {
		more = in + "; also " + more
	}
	return strings.Replace(meaning, found[0], "", 1), more
}

// pointer is how comments name a heading of a page: the page, a comma, and the heading.
var pointer = regexp.MustCompile(`\bdocs/([\w/-]+\.md), ([^.,;()|]+)`)

// linked makes links of the headings that a text in docs/reference names.
func linked(text string) string {
	return pointer.ReplaceAllStringFunc(text, func(named string) string {
		found := pointer.FindStringSubmatch(named)
		page, heading := found[1], found[2]
		return "[" + heading + "](../" + page + "#" + strings.ReplaceAll(strings.ToLower(heading), " ", "-") + ")"
	})
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// withoutPrefixes names conditions and annotations as people see them.
func withoutPrefixes(text string) string {
	return strings.NewReplacer(
		"OverwriteAnnotation", "`pressroom.dev/overwrite`", "AddressAnnotation", "`pressroom.dev/address`", "Condition", "",
	).Replace(text)
}

// problems are the errors of the REST API.
func problems(context.Context) (string, error) {
	const folder = "apiserver/problem/"
	codes, err := constants(folder+"problem.go", func(name string) bool { return strings.HasPrefix(name, "Code") })
	if err != nil {
		return "", err
	}
	isReason := func(name string) bool { return strings.HasPrefix(name, "Reason") }
	conflicts, err := constants(folder+"reasons.go", isReason)
	if err != nil {
		return "", err
	}
	limits, err := constants(folder+"limits.go", isReason)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(codes, func(a, b constant) int { return cmp.Compare(a.comment, b.comment) })
	d := newDocument("Errors of the REST API", folder, "The `code` of each [error](rest-api.md#errors).")
	d.table("status", "code", "when")
	for _, c := range codes {
		status, when, _ := strings.Cut(c.comment, ": ")
		d.row(status, "`"+c.value+"`", upper(when))
	}
	for _, part := range []struct {
		of      string
		reasons []constant
	}{
		{"A `CONFLICT` has a `reason`:", conflicts},
		{
			"A `RATE_LIMIT_EXCEEDED` and a `LIMIT_REACHED` have one too, and an `INSUFFICIENT_CREDITS` or an `UNAVAILABLE` " +
				"that is due to a limit:", limits,
		},
	} {
		d.WriteString("\n" + part.of + "\n")
		d.table("reason", "what it means, and what to do")
		for _, c := range part.reasons {
			d.row("`"+c.value+"`", upper(strings.TrimPrefix(c.comment, c.name+" means that ")))
		}
	}
	return d.String(), nil
}

// metrics are the metrics that the source registers.
func metrics(context.Context) (string, error) {
	var all [][]string
	err := eachFile([]string{"cmd/pressroom", "controllers", "apiserver", "internal/informers"}, func(file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if row := metric(call); row != nil {
					all = append(all, row)
				}
			}
			return true
		})
	})
	if err != nil || len(all) == 0 {
		return "", errors.Join(err, errors.New("no metrics were found"))
	}
	slices.SortFunc(all, slices.Compare)
	d := newDocument("Metrics", "the source", "The controller and the REST API serve `/metrics`; see [monitor](../how-to/monitor.md).")
	d.table("metric", "labels", "")
	for _, row := range all {
		d.row(row...)
	}
	return d.String(), nil
}

// metric returns the row of a call that makes a metric, or nil.
func metric(call *ast.CallExpr) []string {
	if len(call.Args) == 0 {
		return nil
	}
	members := map[string]string{}
	if name, ok := text(call.Args[0]); ok && len(call.Args) > 2 { // prometheus.NewDesc
		members["Name"] = name
		members["Help"], _ = text(call.Args[1])
		return metricRow(members, call.Args[2])
	}
	options, ok := call.Args[0].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var labels []ast.Expr
	for _, e := range options.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := pair.Key.(*ast.Ident)
		if !ok {
			continue
		}
		members[key.Name], _ = text(pair.Value)
		if constant, ok := pair.Value.(*ast.CompositeLit); ok && key.Name == "ConstLabels" {
			labels = append(labels, keys(constant)...)
		}
	}
	return metricRow(members, append(labels, call.Args[1:]...)...)
}

// keys returns the keys of a map literal.
func keys(literal *ast.CompositeLit) (all []ast.Expr) {
	for _, e := range literal.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			all = append(all, pair.Key)
		}
	}
	return all
}

// metricRow returns the row of a metric with these options, and labels in these expressions; nil if it is none of Pressroom.
func metricRow(members map[string]string, labeled ...ast.Expr) []string {
	if !strings.HasPrefix(members["Name"], "pressroom_") {
		return nil
	}
	var labels []string
	for _, e := range labeled {
		ast.Inspect(e, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if label, ok := text(e); ok {
					labels = append(labels, "`"+label+"`")
				}
			}
			return true
		})
	}
	return []string{"`" + members["Name"] + "`", strings.Join(labels, ", "), members["Help"]}
}

func eachFile(folders []string, do func(*ast.File)) error {
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err == nil {
				do(file)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// packages are all of the project and of the module of its kinds, with the first sentence of their comments.
func packages(ctx context.Context) (string, error) {
	const form = "{{.Dir}}\t{{.Name}}\t{{.Doc}}"
	list := exec.CommandContext(ctx, "go", "list", "-f", form, "github.com/pressroom-dev/pressroom/api/...", "./...")
	list.Stderr = os.Stderr
	output, err := list.Output()
	if err != nil {
		return "", err
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	d := newDocument("Packages", "the comments of packages",
		"What each package does. [Development](development.md#layout) says which may import which.")
	d.table("package", "")
	for line := range strings.Lines(string(output)) {
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if len(fields) < 3 {
			continue
		}
		folder, err := filepath.Rel(root, fields[0])
		if err != nil {
			return "", err
		}
		doc := strings.TrimPrefix(strings.TrimPrefix(fields[2], "Package "+fields[1]+" "), "Command "+filepath.Base(folder)+" ")
		d.row("`"+filepath.ToSlash(folder)+"`", upper(doc))
	}
	return d.String(), nil
}
