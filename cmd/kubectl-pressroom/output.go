package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// output is the flag -o with those that belong to it, as kubectl has them.
type output struct {
	flags   *genericclioptions.PrintFlags
	printer printers.ResourcePrinter
}

func newOutput(cmd *cobra.Command) *output {
	o := &output{flags: genericclioptions.NewPrintFlags("")}
	o.flags.AddFlags(cmd)
	complete(cmd, "output", func(string) []string { return slices.Sorted(slices.Values(o.flags.AllowedFormats())) })
	return o
}

// asked reports whether objects are to be printed as such.
func (o *output) asked() bool {
	return *o.flags.OutputFormat != "" || *o.flags.TemplatePrinterFlags.TemplateArgument != ""
}

// print prints an object as -o says.
func (o *output) print(obj runtime.Object, scheme *runtime.Scheme, w io.Writer) error {
	if o.printer == nil {
		printer, err := o.flags.WithTypeSetter(scheme).ToPrinter()
		if err != nil {
			return err
		}
		o.printer = printer
	}
	return o.printer.PrintObj(obj, w)
}

// did prints what was done to an object, or the object if -o asks for it.
func (o *output) did(obj runtime.Object, what string, scheme *runtime.Scheme, w io.Writer) error {
	if o.asked() {
		return o.print(obj, scheme, w)
	}
	printer := &printers.NamePrinter{Operation: what}
	return printers.NewTypeSetter(scheme).ToPrinter(printer).PrintObj(obj, w)
}

// printList prints objects of several kinds as one list, as kubectl does.
func printList[T runtime.Object](o *output, objects []T, scheme *runtime.Scheme, w io.Writer) error {
	list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}}}
	for _, obj := range objects {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
		if err != nil {
			return fmt.Errorf("converting an object: %w", err)
		}
		item := unstructured.Unstructured{Object: content}
		kinds, _, err := scheme.ObjectKinds(obj)
		if err != nil {
			return err
		}
		item.SetGroupVersionKind(kinds[0])
		list.Items = append(list.Items, item)
	}
	return o.print(list, scheme, w)
}

type field struct{ name, value string }

// aligned spells fields below each other, without those that have no value.
func aligned(all ...field) string {
	var b strings.Builder
	w := printers.GetNewTabWriter(&b)
	for _, f := range all {
		if f.value != "" {
			fmt.Fprintf(w, "%s:\t%s\n", f.name, f.value)
		}
	}
	// A strings.Builder takes everything.
	_ = w.Flush()
	return b.String()
}

// plain spells a document: what a decision is about, and nothing else. The body is the Markdown that is published, not rendered:
// a reviewer has to see where a link leads.
func plain(doc content.Document) string {
	var b strings.Builder
	b.WriteString(aligned(
		field{"Title", doc.Title}, field{"Slug", doc.Slug}, field{"Meta title", doc.MetaTitle},
		field{"Meta description", doc.MetaDescription}, field{"Language", doc.Language},
		field{"Tags", strings.Join(doc.Tags, ", ")}, field{"Category", doc.Category}, field{"Author", doc.Author},
	))
	if i := doc.Image; i != nil {
		b.WriteString(aligned(
			field{"Image", i.URL}, field{"Image text", i.Alt}, field{"Image credit", i.Credit}, field{"Image SHA-256", i.SHA256},
		))
	}
	b.WriteString("\n" + strings.TrimRight(doc.Markdown, "\n") + "\n")
	for _, q := range doc.FAQ {
		fmt.Fprintf(&b, "\nQ: %s\nA: %s\n", q.Question, q.Answer)
	}
	return b.String()
}

// write writes a text that others have written to a terminal, without what would command the terminal.
func write(w io.Writer, text string) error { return printers.WriteEscaped(w, text) }
