// Package project finds the files of the repository for tests. Only tests import it.
package project

import (
	"os"
	"path/filepath"
)

// Root returns the folder of the project's go.mod: the first one above the working folder, which `go test` sets to the folder of
// the package under test. It panics outside the project.
func Root() string {
	folder, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
	}
	panic("no go.mod above the working folder")
}
