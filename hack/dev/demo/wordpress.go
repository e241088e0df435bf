package demo

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
)

// RunWordPress takes an article from a keyword to the page of a WordPress, and returns its address.
func RunWordPress(ctx context.Context, o Options) (string, error) {
	c := newClient(o)
	o.Say("\nA keyword becomes a page of WordPress:\n")
	site, err := c.site(ctx, "wordpress")
	if err != nil {
		return "", err
	}
	uid, err := c.generate(ctx, site)
	if err != nil {
		return "", err
	}
	if _, err := c.await(ctx, uid, "review", "generating"); err != nil {
		return "", err
	}
	if err := c.publish(ctx, uid); err != nil {
		return "", err
	}
	live, err := c.await(ctx, uid, "published", "review", "approved")
	if err != nil {
		return "", err
	}
	o.Say("published_url                   %s", live.PublishedURL)
	return live.PublishedURL, c.rendered(ctx, live)
}

// rendered checks that the page shows the article.
func (c *client) rendered(ctx context.Context, a article) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.PublishedURL, http.NoBody)
	if err != nil {
		return fmt.Errorf("requesting the page: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("requesting the page: %w", err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	if response.StatusCode != http.StatusOK || !strings.Contains(string(page), html.EscapeString(a.Title)+"</h1>") {
		return fmt.Errorf("%s answers %s, and does not show the title %q", a.PublishedURL, response.Status, a.Title)
	}
	c.Say("GET  published_url              %s, %d bytes, with the title and %d sub-headings", response.Status, len(page),
		strings.Count(string(page), "<h2"))
	return nil
}
