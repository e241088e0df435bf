package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

// staticPath is where the style and the script are, below Root. The hash of the content is in the path, so that a browser may keep a file
// for ever and never has that of another version.
const staticPath = "/static/:hash/:file"

//go:embed static
var staticFiles embed.FS

// static are the files that the pages load.
type static struct {
	style, script staticFile
	toolbar       staticFile
}

type staticFile struct {
	path, contentType string
	content           []byte
}

func readStatic() (static, error) {
	style, err := concatenate("static/style/*.css")
	if err != nil {
		return static{}, err
	}
	script, err := concatenate("static/script/*.js")
	if err != nil {
		return static{}, err
	}
	toolbar, err := staticFiles.ReadFile("static/vendor/markdown-toolbar-element.js")
	if err != nil {
		return static{}, fmt.Errorf("reading the toolbar of the dashboard: %w", err)
	}
	const javascript = "text/javascript; charset=utf-8"
	return static{
		style:   newStaticFile("app.css", "text/css; charset=utf-8", append([]byte(pages.Variables), style...)),
		script:  newStaticFile("app.js", javascript, script),
		toolbar: newStaticFile("markdown-toolbar-element.js", javascript, toolbar),
	}, nil
}

func newStaticFile(name, contentType string, content []byte) staticFile {
	sum := sha256.Sum256(content)
	return staticFile{page.Root + "/static/" + hex.EncodeToString(sum[:8]) + "/" + name, contentType, content}
}

// concatenate returns the files of a pattern, in the order of their names.
func concatenate(pattern string) ([]byte, error) {
	names, err := fs.Glob(staticFiles, pattern)
	if err != nil {
		return nil, fmt.Errorf("finding the files %s of the dashboard: %w", pattern, err)
	}
	var all bytes.Buffer
	for _, name := range names {
		text, err := staticFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading the file %s of the dashboard: %w", name, err)
		}
		all.Write(text)
	}
	return all.Bytes(), nil
}

// serveStatic answers with a file. That of another version is not found.
func (d *Dashboard) serveStatic(c *gin.Context) {
	for _, f := range []staticFile{d.static.style, d.static.script, d.static.toolbar} {
		if f.path != c.Request.URL.Path {
			continue
		}
		c.Header("Cache-Control", "public, max-age=31536000, immutable")
		c.Header("Content-Type", f.contentType)
		d.compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(f.content) }))(c.Writer, c.Request)
		return
	}
	d.Frame.Message(c, http.StatusNotFound, "Not found", "This file is of another version. Load the page again.")
}
