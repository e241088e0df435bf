// Package table prints tables as kubectl does: columns in capitals, aligned, and nothing that would command a terminal.
package table

import (
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/printers"
)

// Write prints the rows of a table. Each has a cell for each column.
func Write(w io.Writer, columns []string, rows [][]any) error {
	t := &metav1.Table{}
	for _, name := range columns {
		t.ColumnDefinitions = append(t.ColumnDefinitions, metav1.TableColumnDefinition{Name: name, Type: "string"})
	}
	for _, cells := range rows {
		t.Rows = append(t.Rows, metav1.TableRow{Cells: cells})
	}
	return printers.NewTablePrinter(printers.PrintOptions{}).PrintObj(t, w)
}
