// Package web serves the OpenAPI document and a reference page made of it. The page loads nothing from elsewhere.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	swaggerfiles "github.com/swaggo/files/v2"

	"github.com/pressroom-dev/pressroom/internal/embedded"
)

// Paths under which things are served.
const (
	DocumentPath = "/openapi.json"
	PagePath     = "/docs"
)

//go:embed assets
var own embed.FS

// policy lets the page load what is served here and nothing else. Swagger UI draws its icons from data URLs.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Mount serves the document and the page on a router. / leads to the path home.
func Mount(r gin.IRouter, document []byte, home string) {
	for _, f := range []struct {
		from              fs.FS
		name              string
		path, contentType string
	}{
		{own, "assets/index.html", PagePath, "text/html; charset=utf-8"},
		{own, "assets/start.js", PagePath + "/start.js", "text/javascript; charset=utf-8"},
		{swaggerfiles.FS, "swagger-ui-bundle.js", PagePath + "/swagger-ui-bundle.js", "text/javascript; charset=utf-8"},
		{swaggerfiles.FS, "swagger-ui.css", PagePath + "/swagger-ui.css", "text/css; charset=utf-8"},
		{swaggerfiles.FS, "favicon-32x32.png", PagePath + "/favicon.png", "image/png"},
	} {
		serve(r, f.path, f.contentType, embedded.MustBytes(f.from, f.name))
	}
	serve(r, DocumentPath, "application/json", document)
	r.GET("/", func(c *gin.Context) { c.Redirect(http.StatusFound, home) })
}

// serve answers with a file, or with 304 if the browser has it.
func serve(r gin.IRouter, path, contentType string, content []byte) {
	sum := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	r.GET(path, func(c *gin.Context) {
		h := c.Writer.Header()
		h.Set("Content-Type", contentType)
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(content))
	})
}
