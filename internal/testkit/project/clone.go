package project

import (
	"os"
	"path/filepath"
	"slices"
)

// Clone fills a folder with links to what is in the project, and its folder bin with links to the tools of the project's: what commands
// make there does not change the project. It has neither git's folder nor anything that `make` makes from the project.
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
