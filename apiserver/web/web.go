// Package web serves the OpenAPI document and a reference page made of it. The page loads nothing from elsewhere.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	swaggerfiles "github.com/swaggo/files/v2"
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

type file struct {
	path, contentType string
	content           []byte
}

// Mount serves the document and the page on a router. / leads to the path home.
func Mount(r gin.IRouter, document []byte, home string) error {
	files, err := pageFiles()
	if err != nil {
		return err
	}
	files = append(files, file{DocumentPath, "application/json", document})
	for _, f := range files {
		serve(r, f)
	}
	r.GET("/", func(c *gin.Context) { c.Redirect(http.StatusFound, home) })
	return nil
}

func pageFiles() ([]file, error) {
	assets, err := fs.Sub(own, "assets")
	if err != nil {
		return nil, fmt.Errorf("opening the page's files: %w", err)
	}
	var files []file
	for _, f := range []struct {
		from              fs.FS
		name              string
		path, contentType string
	}{
		{assets, "index.html", PagePath, "text/html; charset=utf-8"},
		{assets, "start.js", PagePath + "/start.js", "text/javascript; charset=utf-8"},
		{swaggerfiles.FS, "swagger-ui-bundle.js", PagePath + "/swagger-ui-bundle.js", "text/javascript; charset=utf-8"},
		{swaggerfiles.FS, "swagger-ui.css", PagePath + "/swagger-ui.css", "text/css; charset=utf-8"},
		{swaggerfiles.FS, "favicon-32x32.png", PagePath + "/favicon.png", "image/png"},
	} {
		data, err := fs.ReadFile(f.from, f.name)
		if err != nil {
			return nil, fmt.Errorf("reading the page's file %s: %w", f.name, err)
		}
		files = append(files, file{f.path, f.contentType, data})
	}
	return files, nil
}

// serve answers with a file, or with 304 if the browser has it.
func serve(r gin.IRouter, f file) {
	sum := sha256.Sum256(f.content)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	r.GET(f.path, func(c *gin.Context) {
		h := c.Writer.Header()
		h.Set("Content-Type", f.contentType)
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(f.content))
	})
}
