package demo

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
)

// Login is a person who edits posts in a WordPress.
type Login struct {
	// URL of the home page.
	URL string
	// Username and Password, an application password.
	Username, Password string
}

// RunWordPress takes an article from a keyword to the page of a WordPress. Then it updates the post, which gets an image with it, finds
// that an edit in WordPress is kept, and takes the post back and publishes it again. It returns the address of the page.
func RunWordPress(ctx context.Context, o Options) (string, error) {
	c := newClient(o)
	o.Say("\nA keyword becomes a page of WordPress:\n")
	live, err := c.write(ctx, "wordpress")
	if err != nil {
		return "", err
	}
	p := &post{client: c, article: live}
	for _, step := range []func(context.Context) error{p.rendered, p.update, p.illustrated, p.editedInWordPress, p.unpublish} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	return live.PublishedURL, nil
}

// post is the post of a published article.
type post struct {
	*client

	article article
}

// picture is an image that each WordPress has, and alt says what it shows.
const (
	picture = "/wp-includes/images/w-logo-blue-white-bg.png"
	alt     = "The W of WordPress in a blue circle"
)

// The sentences that are added to the article.
const (
	mended  = "Wash them with cold water."
	ours    = "Dry them away from the stove."
	editors = "Visit us at the fair, hall 7."
)

func (p *post) rendered(ctx context.Context) error {
	var page string
	if err := p.call(ctx, http.MethodGet, p.article.PublishedURL, nil, &page, http.StatusOK); err != nil {
		return err
	}
	if !strings.Contains(page, html.EscapeString(p.article.Title)+"</h1>") {
		return fmt.Errorf("%s does not show the title %q", p.article.PublishedURL, p.article.Title)
	}
	p.Say("GET  published_url              %d bytes, with the title and %d sub-headings", len(page), strings.Count(page, "<h2"))
	return nil
}

// update edits the published article, and has the other text reviewed and sent.
func (p *post) update(ctx context.Context) error {
	p.Say("\nAn edit of a published article is reviewed, and then updates the post:\n")
	site := p.URL + "/v1/api/sites/" + p.article.SiteUID
	if err := p.call(ctx, http.MethodPatch, site, map[string]any{"updates": "reviewed"}, nil, http.StatusOK); err != nil {
		return err
	}
	p.Say("PATCH /v1/api/sites/{uid}       updates: reviewed")
	image := map[string]any{"url": p.WordPress.URL + picture, "alt": alt}
	if err := p.edit(ctx, mended, map[string]any{"image": image}); err != nil {
		return err
	}
	return p.shows(ctx, mended)
}

// edit adds a sentence to the article, changes other members of it with body, and approves the text.
func (p *post) edit(ctx context.Context, sentence string, body map[string]any) error {
	p.article.ContentMarkdown = strings.TrimSpace(p.article.ContentMarkdown) + "\n\n" + sentence + "\n"
	var edited struct {
		Pending *struct {
			RevisionDigest string `json:"revision_digest"`
		} `json:"pending"`
	}
	body["content_markdown"] = p.article.ContentMarkdown
	// The controller needs a moment to see that the site takes updates.
	err := until(ctx, "an article that may be edited", func() (bool, error) {
		err := p.call(ctx, http.MethodPatch, p.path(""), body, nil, http.StatusOK)
		return err == nil, ignoreStatus(err)
	})
	if err != nil {
		return err
	}
	p.Say("PATCH /v1/api/blogs/{uid}       + %q", sentence)
	err = until(ctx, "the other text", func() (bool, error) {
		err := p.call(ctx, http.MethodGet, p.path(""), nil, &edited, http.StatusOK)
		return edited.Pending != nil && edited.Pending.RevisionDigest != "", err
	})
	if err != nil {
		return err
	}
	approval := map[string]any{"digest": edited.Pending.RevisionDigest}
	if err := p.call(ctx, http.MethodPost, p.path("/approve"), approval, nil, http.StatusOK); err != nil {
		return err
	}
	p.Say("POST /v1/api/blogs/{uid}/approve  %.18s...", edited.Pending.RevisionDigest)
	return nil
}

// editedInWordPress edits the post in WordPress as a person would. An update overwrites that only after a request to overwrite.
func (p *post) editedInWordPress(ctx context.Context) error {
	p.Say("\nAn edit in WordPress is kept until somebody says overwrite:\n")
	if err := p.editInWordPress(ctx); err != nil {
		return err
	}
	if err := p.edit(ctx, ours, map[string]any{}); err != nil {
		return err
	}
	var refused struct {
		Publication struct {
			Reason string `json:"reason"`
		} `json:"publication"`
	}
	err := until(ctx, "the delivery that finds the edit", func() (bool, error) {
		err := p.call(ctx, http.MethodGet, p.path(""), nil, &refused, http.StatusOK)
		return refused.Publication.Reason == "changed_at_site", err
	})
	if err != nil {
		return err
	}
	p.Say("GET  /v1/api/blogs/{uid}        %s", refused.Publication.Reason)
	if err := p.shows(ctx, editors); err != nil {
		return err
	}
	if err := p.call(ctx, http.MethodPost, p.path("/redeliver"), map[string]any{"overwrite": true}, nil, http.StatusOK); err != nil {
		return err
	}
	p.Say("POST /v1/api/blogs/{uid}/redeliver  overwrite: true")
	return p.shows(ctx, ours)
}

// illustrated finds the image in the media library of WordPress, as the featured image of the post.
func (p *post) illustrated(ctx context.Context) error {
	found, err := p.inWordPress(ctx)
	if err != nil {
		return err
	}
	var media struct {
		AltText string `json:"alt_text"`
	}
	at := fmt.Sprintf("%s/?rest_route=/wp/v2/media/%d", p.WordPress.URL, found.FeaturedMedia)
	if err := p.call(ctx, http.MethodGet, at, nil, &media, http.StatusOK); err != nil {
		return err
	}
	if media.AltText != alt {
		return fmt.Errorf("the featured image says %q, not %q", media.AltText, alt)
	}
	p.Say("WordPress, featured image       %q", media.AltText)
	return nil
}

// wordPressPost is a post in the representation that WordPress gives to users who may edit it.
type wordPressPost struct {
	ID            int `json:"id"`
	FeaturedMedia int `json:"featured_media"`
	Content       struct {
		Raw string `json:"raw"`
	} `json:"content"`
}

// inWordPress reads the post from WordPress.
func (p *post) inWordPress(ctx context.Context) (wordPressPost, error) {
	var found []wordPressPost
	posts := p.WordPress.URL + "/?rest_route=/wp/v2/posts&context=edit&slug=" + url.QueryEscape(p.article.Slug)
	if err := p.call(ctx, http.MethodGet, posts, nil, &found, http.StatusOK); err != nil {
		return wordPressPost{}, err
	}
	if len(found) != 1 {
		return wordPressPost{}, fmt.Errorf("WordPress has %d posts with the slug %q", len(found), p.article.Slug)
	}
	return found[0], nil
}

func (p *post) editInWordPress(ctx context.Context) error {
	found, err := p.inWordPress(ctx)
	if err != nil {
		return err
	}
	at := fmt.Sprintf("%s/?rest_route=/wp/v2/posts/%d", p.WordPress.URL, found.ID)
	body := map[string]any{"content": found.Content.Raw + "\n<p>" + editors + "</p>"}
	if err := p.call(ctx, http.MethodPost, at, body, nil, http.StatusOK); err != nil {
		return err
	}
	p.Say("WordPress, %-20s + %q", p.WordPress.Username, editors)
	return nil
}

// unpublish takes the post back, and publishes it again.
func (p *post) unpublish(ctx context.Context) error {
	p.Say("\nThe post is taken back, and comes back at the same address:\n")
	if err := p.call(ctx, http.MethodPost, p.path("/unpublish"), map[string]any{}, nil, http.StatusOK); err != nil {
		return err
	}
	p.Say("POST /v1/api/blogs/{uid}/unpublish")
	err := until(ctx, "the page to be gone", func() (bool, error) {
		err := p.call(ctx, http.MethodGet, p.article.PublishedURL, nil, nil, http.StatusNotFound)
		return err == nil, ignoreStatus(err)
	})
	if err != nil {
		return err
	}
	p.Say("GET  published_url              404 Not Found")
	if err := p.call(ctx, http.MethodPost, p.path("/publish"), map[string]any{}, nil, http.StatusOK); err != nil {
		return err
	}
	p.Say("POST /v1/api/blogs/{uid}/publish")
	return p.shows(ctx, ours)
}

// shows waits until the page has a sentence.
func (p *post) shows(ctx context.Context, sentence string) error {
	var page string
	err := until(ctx, fmt.Sprintf("a page with %q", sentence), func() (bool, error) {
		err := p.call(ctx, http.MethodGet, p.article.PublishedURL, nil, &page, http.StatusOK)
		return strings.Contains(page, sentence), ignoreStatus(err)
	})
	if err == nil {
		p.Say("GET  published_url              has %q", sentence)
	}
	return err
}

func (p *post) path(verb string) string { return p.URL + "/v1/api/blogs/" + p.article.UID + verb }

// ignoreStatus drops an answer with another status than the wanted one: the page may be there later.
func ignoreStatus(err error) error {
	if _, ok := errors.AsType[*statusError](err); ok {
		return nil
	}
	return err
}
