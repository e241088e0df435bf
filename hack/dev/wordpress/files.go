package wordpress

import (
	"bytes"
	"embed"
	"fmt"
	"text/template"
)

//go:embed php
var files embed.FS

// ownFiles are our files in WordPress: where they come from and go to.
var ownFiles = map[string][]string{
	"php/config.php":   {"www", "wp-config.php"},
	"php/breaking.php": {"www", "wp-content", "mu-plugins", "breaking.php"},
	"php/ready.txt":    {"www", "ready.txt"},
	"php/router.php":   {"router.php"},
	"php/install.php":  {"install.php"},
}

// writeOwnFiles writes them. They are templates of this WordPress.
func (w *WordPress) writeOwnFiles() error {
	for from, to := range ownFiles {
		text, err := template.ParseFS(files, from)
		if err != nil {
			return fmt.Errorf("reading %s: %w", from, err)
		}
		var b bytes.Buffer
		if err := text.Execute(&b, map[string]string{"Folder": w.Folder, "URL": w.URL(), "Socket": w.socket()}); err != nil {
			return fmt.Errorf("writing %s: %w", from, err)
		}
		if err := writeFile(w.path(to...), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
