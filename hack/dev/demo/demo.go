// Package demo takes one article from a keyword to a customer's site over the REST API, and checks every step of it.
package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// Options name the system.
type Options struct {
	URL         string
	APIKey      string
	Workspace   string
	ReceiverURL string
	// WordPress is used by RunWordPress alone.
	WordPress Login
	// Say tells a person what happens.
	Say func(format string, args ...any)
}

// keyword of the article.
const keyword = "waterproof trail running shoes"

// Run takes an article from a keyword to the receiver. Every unexpected answer is an error.
func Run(ctx context.Context, o Options) error {
	c := newClient(o)
	o.Say("\nA keyword becomes a published article:\n")
	live, err := c.write(ctx, "headless")
	if err != nil {
		return err
	}
	if err := c.received(ctx, live); err != nil {
		return err
	}
	return c.listed(ctx, live)
}

// write has an article written for a site of a CMS type, approves and publishes it, and returns it once it is live.
func (c *client) write(ctx context.Context, cmsType string) (article, error) {
	site, err := c.site(ctx, cmsType)
	if err != nil {
		return article{}, err
	}
	uid, err := c.generate(ctx, site)
	if err != nil {
		return article{}, err
	}
	if _, err := c.await(ctx, uid, "review", "generating"); err != nil {
		return article{}, err
	}
	for _, verb := range []string{"approve", "publish"} {
		if err := c.call(ctx, http.MethodPost, c.URL+"/v1/api/blogs/"+uid+"/"+verb, map[string]any{}, nil, http.StatusOK); err != nil {
			return article{}, err
		}
		c.Say("POST /v1/api/blogs/{uid}/%s", verb)
	}
	return c.await(ctx, uid, "published", "review", "approved")
}

// article holds the fields that the demonstration reads.
type article struct {
	UID             string `json:"uid"`
	SiteUID         string `json:"site_uid"`
	Title           string `json:"title"`
	Slug            string `json:"slug"`
	Status          string `json:"status"`
	TargetKeyword   string `json:"target_keyword"`
	SEOScore        *int   `json:"seo_score"`
	PublishedURL    string `json:"published_url"`
	PublishedAt     string `json:"published_at"`
	ContentMarkdown string `json:"content_markdown"`
	ContentHTML     string `json:"content_html"`
}

// site returns the uid of an active site of a CMS type.
func (c *client) site(ctx context.Context, cmsType string) (string, error) {
	var answer struct {
		Data []struct {
			UID     string `json:"uid"`
			Domain  string `json:"domain"`
			CMSType string `json:"cms_type"`
			Status  string `json:"status"`
		} `json:"data"`
	}
	var found string
	err := until(ctx, "a site", func() (bool, error) {
		if err := c.call(ctx, http.MethodGet, c.URL+"/v1/api/sites", nil, &answer, http.StatusOK); err != nil {
			return false, err
		}
		for _, site := range answer.Data {
			if site.CMSType == cmsType && site.Status == "active" {
				found = site.UID
				c.Say("GET  /v1/api/sites              %s: a %s site, %s", site.Domain, site.CMSType, site.Status)
				return true, nil
			}
		}
		return false, nil
	})
	return found, err
}

func (c *client) generate(ctx context.Context, site string) (string, error) {
	var answer struct {
		Success bool   `json:"success"`
		RunID   string `json:"run_id"`
		BlogUID string `json:"blog_uid"`
	}
	body := map[string]any{"site_uid": site, "keyword": keyword, "secondary_keywords": []string{"grip", "gaiters"}}
	if err := c.call(ctx, http.MethodPost, c.URL+"/v1/api/generate", body, &answer, http.StatusAccepted); err != nil {
		return "", err
	}
	if !answer.Success || answer.RunID == "" || answer.BlogUID == "" {
		return "", fmt.Errorf("generate answers %+v", answer)
	}
	c.Say("POST /v1/api/generate           %q: run %s", keyword, answer.RunID)
	return answer.BlogUID, nil
}

// await polls an article until it has a status. Any status other than those in before is an error until then.
func (c *client) await(ctx context.Context, uid, status string, before ...string) (article, error) {
	var a article
	err := until(ctx, "an article in "+status, func() (bool, error) {
		a = article{}
		if err := c.call(ctx, http.MethodGet, c.URL+"/v1/api/blogs/"+uid, nil, &a, http.StatusOK); err != nil {
			return false, err
		}
		if a.Status == status {
			return true, nil
		}
		if !slices.Contains(before, a.Status) {
			return false, fmt.Errorf("the article is %s, and should become %s", a.Status, status)
		}
		return false, nil
	})
	if err != nil {
		return a, err
	}
	score := "none"
	if a.SEOScore != nil {
		score = strconv.Itoa(*a.SEOScore)
	}
	c.Say("GET  /v1/api/blogs/{uid}        %s: %q, %d bytes of Markdown, SEO score %s", a.Status, a.Title, len(a.ContentMarkdown), score)
	return a, a.complete(uid)
}

// complete checks the fields that every finished article has.
func (a article) complete(uid string) error {
	switch {
	case a.UID != uid:
		return fmt.Errorf("article %s is answered for %s", a.UID, uid)
	case a.Title == "", a.Slug == "", a.ContentMarkdown == "", a.ContentHTML == "", a.SEOScore == nil:
		return errors.New("the article lacks its title, slug, content or score")
	case a.TargetKeyword != keyword:
		return fmt.Errorf("the article's keyword is %q", a.TargetKeyword)
	}
	return nil
}

// received checks what the customer's site has received.
func (c *client) received(ctx context.Context, a article) error {
	if a.PublishedURL == "" || a.PublishedAt == "" {
		return errors.New("the published article has no address or no time")
	}
	var post struct {
		ID         string `json:"id"`
		URL        string `json:"url"`
		Signature  string `json:"signature"`
		Deliveries int    `json:"deliveries"`
		Payload    struct {
			Title           string `json:"title"`
			Status          string `json:"status"`
			ContentFormat   string `json:"content_format"`
			ContentMarkdown string `json:"content_markdown"`
			ContentHTML     string `json:"content_html"`
		} `json:"payload"`
	}
	if err := c.call(ctx, http.MethodGet, c.ReceiverURL+"/posts/"+a.Slug, nil, &post, http.StatusOK); err != nil {
		return err
	}
	switch {
	case post.Signature != "verified":
		return fmt.Errorf("the receiver says that the signature is %s", post.Signature)
	case post.Deliveries != 1:
		return fmt.Errorf("the receiver was sent the article %d times", post.Deliveries)
	case post.URL != a.PublishedURL:
		return fmt.Errorf("the article is live at %s, and the API says %s", post.URL, a.PublishedURL)
	case post.Payload.Title != a.Title, post.Payload.ContentMarkdown != a.ContentMarkdown, post.Payload.ContentHTML != a.ContentHTML:
		return errors.New("the receiver got another article than the API shows")
	case post.Payload.Status != "publish", post.Payload.ContentFormat != "json":
		return fmt.Errorf("the receiver got status %q and format %q", post.Payload.Status, post.Payload.ContentFormat)
	}
	c.Say("receiver                        signature verified; %q kept as %s, live at %s", post.Payload.Title, post.ID, post.URL)
	return c.call(ctx, http.MethodGet, post.URL, nil, nil, http.StatusOK)
}

// listed checks that the newest article of the list is the one just published.
func (c *client) listed(ctx context.Context, a article) error {
	var answer struct {
		Data    []article `json:"data"`
		HasMore bool      `json:"hasMore"`
	}
	if err := c.call(ctx, http.MethodGet, c.URL+"/v1/api/blogs?limit=20", nil, &answer, http.StatusOK); err != nil {
		return err
	}
	c.Say("GET  /v1/api/blogs              %d articles:", len(answer.Data))
	for _, listed := range answer.Data {
		c.Say("                                  %-10s %-50s %s", listed.Status, listed.Title, listed.PublishedURL)
	}
	if len(answer.Data) == 0 || answer.Data[0].UID != a.UID || answer.Data[0].Status != "published" {
		return errors.New("the list does not begin with the article just published")
	}
	c.Say("")
	return nil
}
