// Package embedded reads files that are part of the program. A file that cannot be read is a defect of the program, which must not run
// without it: the functions panic with its name. Packages read their files when the program starts, where nothing recovers.
package embedded

import (
	"fmt"
	"io/fs"
	"iter"

	"sigs.k8s.io/yaml"
)

// MustRead returns the decoded content of a file.
func MustRead[T any](files fs.FS, name string, decode func([]byte) (T, error)) T {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		fail(name, err)
	}
	value, err := decode(data)
	if err != nil {
		fail(name, err)
	}
	return value
}

// MustBytes returns the content of a file.
func MustBytes(files fs.FS, name string) []byte {
	return MustRead(files, name, func(data []byte) ([]byte, error) { return data, nil })
}

// MustText returns the text of a file.
func MustText(files fs.FS, name string) string { return string(MustBytes(files, name)) }

// MustYAML returns the value that a file of YAML or JSON has. A member that the type does not have is an error, as is one that stands there
// twice.
func MustYAML[T any](files fs.FS, name string) T {
	return MustRead(files, name, func(data []byte) (value T, err error) {
		err = yaml.UnmarshalStrict(data, &value)
		return value, err
	})
}

// MustTexts returns the names and texts of the files that match a pattern (path.Match), in the order of their names. There is at least one.
func MustTexts(files fs.FS, pattern string) iter.Seq2[string, string] {
	names, err := fs.Glob(files, pattern)
	if err == nil && len(names) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		fail(pattern, err)
	}
	return func(yield func(name, text string) bool) {
		for _, name := range names {
			if !yield(name, MustText(files, name)) {
				return
			}
		}
	}
}

// parser is a template of text/template or html/template.
type parser[T any] interface {
	ParseFS(files fs.FS, patterns ...string) (T, error)
}

// MustParse adds the templates in the files that match a pattern to a template of text/template or html/template, and returns that.
func MustParse[T parser[T]](t T, files fs.FS, pattern string) T {
	parsed, err := t.ParseFS(files, pattern)
	if err != nil {
		fail(pattern, err)
	}
	return parsed
}

func fail(name string, err error) {
	panic(fmt.Errorf("the embedded file %s: %w", name, err)) //nolint:forbidigo // a program with a broken file must not start
}
