package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/postfile"
	"github.com/pressroom-dev/pressroom/internal/related"
)

const (
	// tag of the language of all posts that are looked at.
	tag = "en"
	// minWords of a post.
	minWords = 150
)

// post of a site.
type post struct {
	name, title, text string

	// terms of the text, as published articles have them.
	terms string
	tags  []string
	print related.Fingerprint
}

func (p post) article() related.Article {
	return related.Article{Name: p.name, Title: p.title, Terms: p.terms, URL: "https://example.com/" + p.name, Language: tag}
}

// shares reports whether two posts have a tag in common.
func (p post) shares(other post) bool {
	return slices.ContainsFunc(p.tags, func(tag string) bool { return slices.Contains(other.tags, tag) })
}

// readPosts reads the English posts below a folder.
func readPosts(folder string) ([]post, error) {
	var posts []post
	below := os.DirFS(folder)
	err := fs.WalkDir(below, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".md", ".markdown"}, filepath.Ext(file)) {
			return err
		}
		data, err := fs.ReadFile(below, file)
		if err != nil {
			return err
		}
		if p, ok := readPost(file, data); ok {
			posts = append(posts, p)
		}
		return nil
	})
	return posts, err
}

func readPost(name string, data []byte) (post, bool) {
	in, err := postfile.Parse(data)
	if err != nil || in.Document.Title == "" {
		return post{}, false
	}
	p := post{name: name, title: in.Document.Title, text: content.PlainText(in.Document.Markdown), tags: tagsOf(data)}
	if language.CountWords(p.text) < minWords || !language.Fits(tag, p.text).OK {
		return post{}, false
	}
	var ok bool
	p.print, ok = related.FingerprintOf(tag, p.text, "")
	p.terms = related.Terms(tag, p.text)
	return p, ok
}

// tagsOf the front matter: a list, or words.
func tagsOf(data []byte) []string {
	_, rest, _ := strings.Cut(string(data), "---\n")
	front, _, _ := strings.Cut(rest, "\n---")
	var fields struct {
		Tags any `json:"tags"`
	}
	if err := yaml.Unmarshal([]byte(front), &fields); err != nil {
		return nil
	}
	switch tags := fields.Tags.(type) {
	case string:
		return strings.Fields(tags)
	case []any:
		var names []string
		for _, name := range tags {
			if text, ok := name.(string); ok {
				names = append(names, text)
			}
		}
		return names
	default:
		return nil
	}
}
