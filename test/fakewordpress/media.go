package fakewordpress

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Media is a file of the media library.
type Media struct {
	ID                                 int64
	Slug, Name, Type                   string
	AltText, Title, Caption, SourceURL string
	File                               []byte
}

// Files returns the files of the media library.
func (b *Blog) Files() []Media {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.Media)
}

func (b *Blog) file(id int64) *Media {
	for i := range b.Media {
		if b.Media[i].ID == id {
			return &b.Media[i]
		}
	}
	return nil
}

func (m *Media) shown() map[string]any {
	return map[string]any{"id": m.ID, "slug": m.Slug, "alt_text": m.AltText, "source_url": m.SourceURL}
}

func (b *Blog) serveMedia(w http.ResponseWriter, r *http.Request, rest string) {
	id, _ := strconv.ParseInt(strings.TrimPrefix(rest, "/"), 10, 64)
	m := b.file(id)
	switch {
	case rest == "" && r.Method == http.MethodGet:
		found := []any{}
		for i := range b.Media {
			if slices.Contains(r.URL.Query()["slug[]"], b.Media[i].Slug) {
				found = append(found, b.Media[i].shown())
			}
		}
		answer(w, http.StatusOK, found)
	case rest == "" && r.Method == http.MethodPost:
		b.upload(w, r)
	case m == nil:
		refuse(w, http.StatusNotFound, "rest_post_invalid_id")
	case r.Method == http.MethodPost:
		var texts struct {
			AltText string `json:"alt_text"`
			Title   string `json:"title"`
			Caption string `json:"caption"`
		}
		if json.NewDecoder(r.Body).Decode(&texts) != nil {
			refuse(w, http.StatusBadRequest, "rest_invalid_json")
			return
		}
		m.AltText, m.Title, m.Caption = texts.AltText, texts.Title, texts.Caption
		answer(w, http.StatusOK, m.shown())
	default:
		answer(w, http.StatusOK, m.shown())
	}
}

// upload takes a file as the body of a request.
func (b *Blog) upload(w http.ResponseWriter, r *http.Request) {
	file, err := io.ReadAll(r.Body)
	_, disposition, problem := mime.ParseMediaType(r.Header.Get("Content-Disposition"))
	sum := md5.Sum(file)
	switch md5 := r.Header.Get("Content-MD5"); {
	case !b.Capabilities["upload_files"]:
		refuse(w, http.StatusBadRequest, "rest_cannot_create")
	case err != nil || len(file) == 0:
		refuse(w, http.StatusBadRequest, "rest_upload_no_data")
	case problem != nil || disposition["filename"] == "":
		refuse(w, http.StatusBadRequest, "rest_upload_no_content_disposition")
	case md5 != "" && md5 != hex.EncodeToString(sum[:]):
		refuse(w, http.StatusPreconditionFailed, "rest_upload_hash_mismatch")
	default:
		b.last++
		name := disposition["filename"]
		m := Media{
			ID: b.last, Name: name, Type: r.Header.Get("Content-Type"), File: file, Slug: r.URL.Query().Get("slug"),
			Title: strings.TrimSuffix(name, path.Ext(name)), SourceURL: b.URL + "/wp-content/uploads/2026/11/" + name,
		}
		b.Media = append(b.Media, m)
		answer(w, http.StatusCreated, m.shown())
	}
}
