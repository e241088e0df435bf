package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/internal/embedded"
)

// staticPath is where the style and the script are, below Root. The hash of the content is in the path, so that a browser may keep a file
// for ever and never has that of another version.
const staticPath = "/static/:hash/:file"

//go:embed static
var staticFiles embed.FS

// The names of the files that the pages load.
const (
	styleName      = "app.css"
	scriptName     = "app.js"
	codeMirrorName = "codemirror.js"
)

// staticSources have the type of each file, and the pattern of those that it is made of, in the order of their names.
var staticSources = map[string]struct{ contentType, pattern string }{
	styleName:      {"text/css; charset=utf-8", "static/style/*.css"},
	scriptName:     {"text/javascript; charset=utf-8", "static/script/*.js"},
	codeMirrorName: {"text/javascript; charset=utf-8", "static/vendor/" + codeMirrorName},
}

// staticFile is a file that the pages load.
type staticFile struct {
	path, contentType string
	content           []byte
}

// readStatic returns the files by their names.
func readStatic() map[string]staticFile {
	files := map[string]staticFile{}
	for name, source := range staticSources {
		var all bytes.Buffer
		if name == styleName {
			all.WriteString(pages.Variables)
		}
		for _, text := range embedded.MustTexts(staticFiles, source.pattern) {
			all.WriteString(text)
		}
		sum := sha256.Sum256(all.Bytes())
		files[name] = staticFile{page.Root + "/static/" + hex.EncodeToString(sum[:8]) + "/" + name, source.contentType, all.Bytes()}
	}
	return files
}

// serveStatic answers with a file. That of another version is not found.
func (d *Dashboard) serveStatic(c *gin.Context) {
	f := d.static[c.Param("file")]
	if f.path != c.Request.URL.Path {
		d.Frame.Message(c, http.StatusNotFound, "Not found", "This file is of another version. Load the page again.")
		return
	}
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("Content-Type", f.contentType)
	d.compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(f.content) }))(c.Writer, c.Request)
}
