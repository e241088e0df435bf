//go:build e2e

package browser_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/project"
)

// Texts, as an outdoor shop has them, for the pictures of docs/how-to/use-the-dashboard.md.
const (
	jackets = `A rain jacket that breathes keeps you drier than one that only keeps the rain out. We wore five of them on wet days
between March and May.

## What the numbers say

A water column of 10,000 mm holds off a shower, and 20,000 mm a day of rain under a backpack. Breathability is harder to
compare, because makers measure it in different ways. Trust zips under the arms more
than a number.

## How we compared the rain jackets

Each jacket came along on ten walks, with the same backpack. We noted when the shoulders became damp, how long the jacket took
to dry, and whether the hood turned with the head.
`
	poles = `Hiking poles save your knees on the way down, and they are in the way when you need your hands.

## When hiking poles help

On long descents, on soft snow and with a heavy backpack. Set the length so that the elbow has a right angle on flat ground.

## When to leave them at home

On scrambles, on narrow paths with many people, and on every route with a rope.
`
	bags = `The comfort temperature of a sleeping bag is where a woman of average size sleeps well. The limit is about five
degrees lower, and it is for people who do not mind waking up.

## Down sleeping bags and damp

Down loses its warmth when it is wet. For huts and dry summers it is the lightest choice; for a tent on the coast take a
synthetic filling.
`
)

// guideText returns the text of an article. That about shoes is a post of the corpus, which most checks pass.
func guideText(keyword, title, markdown string) content.Document {
	GinkgoHelper()
	text := content.Document{
		Title: title, MetaTitle: title, Markdown: markdown,
		MetaDescription: "What to look for in " + keyword + ", what to leave on the shelf, and how to tell in the shop which one you need.",
	}
	if markdown == "" {
		post, err := os.ReadFile(filepath.Join(project.Root(), "internal", "check", "testdata", "posts", "en-trail.md"))
		Expect(err).NotTo(HaveOccurred())
		_, body, _ := strings.Cut(string(post), "\n---\n")
		text.Markdown = regexp.MustCompile(`(?m)^!.*\n`).ReplaceAllString(body, "")
	}
	return text
}

// generated makes an article of a keyword with a text of its own.
func generated(t *dashboardtest.Tenant, keyword, title, markdown string) string {
	GinkgoHelper()
	uid := t.Generating(keyword)
	t.Run(uid, controllertest.Run{Now: time.Now(), Text: guideText(keyword, title, markdown)})
	return uid
}

var _ = Describe("The guide", func() {
	It("has pictures of the list and of an article", func() {
		t := facades.NewTenant("Acme Outdoors")
		published := generated(t, "rain jackets", "Rain jackets that breathe: five to compare", jackets)
		for _, call := range []string{"approve", "publish"} {
			Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+published+"/"+call, nil).Status).To(Equal(http.StatusOK))
		}
		t.Reconcile(published)
		rejected := generated(t, "hiking poles", "Hiking poles, and when to leave them at home", poles)
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+rejected+"/reject", map[string]any{"note": "The second section has no sources."}).Status).
			To(Equal(http.StatusOK))
		generated(t, "down sleeping bags", "Down sleeping bags: how warm is warm enough?", bags)
		shoes := generated(t, "trail running shoes", "Trail running shoes: how to choose a pair", "")
		t.Generating("alpine huts")

		w := signedIn(t, t.In("articles")+"?status=all", "tbody tr:nth-child(5)")
		w.KeepView("guide-articles")
		w.goTo(t.In("articles", shoes), "iframe")
		w.KeepView("guide-article")
	})
})
