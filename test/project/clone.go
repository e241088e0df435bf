package project

import (
	"os"
	"path/filepath"
	"slices"
)

// Clone fills a folder with links to the files of the project, and its folder bin with links to the project's tools, so that commands that
// run there do not change the project. It leaves out git's folder and everything that `make` creates.
func Clone(folder string) error {
	for part, without := range map[string][]string{
		"":    {"bin", ".git", ".pressroom"},
		"bin": {"pressroom", "kubectl-pressroom", "kubectl_complete-pressroom"},
	} {
		if err := os.MkdirAll(filepath.Join(folder, part), 0o750); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Join(Root(), part))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			name := filepath.Join(part, entry.Name())
			// Of the folders in bin, the others are made.
			if slices.Contains(without, entry.Name()) || part == "bin" && entry.IsDir() && entry.Name() != "k8s" {
				continue
			}
			if err := os.Symlink(filepath.Join(Root(), name), filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
