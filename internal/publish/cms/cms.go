// Package cms has what the connectors to content management systems share: an attempt of several HTTP requests under one deadline, the
// meaning of failures, waits for throttled requests, and the body of a post. What a CMS answers is judged by its own connector.
package cms

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/answer"
)

// timeout is how long all requests of an attempt may take together, as a webhook has (docs/reference/contract.md, Limits).
const timeout = 30 * time.Second

// Post is a post as the CMS describes it.
type Post struct {
	// ID in the CMS.
	ID string
	// URL of the live post.
	URL string
	// Slug that the post has.
	Slug string
	// Hash of the fields that Pressroom writes, as HashOf makes it.
	Hash string
}

// Publish makes one attempt to create or update the post of an article. upsert returns the post; beside an error, one whose ID is set
// was found or made before the failure. secrets are the credentials in every form in which requests have them.
func Publish(
	ctx context.Context, t publish.Target, a publish.Article, secrets []string, upsert func(context.Context, *Client) (Post, error),
) publish.Outcome {
	return attempt(ctx, t, secrets, func(ctx context.Context, c *Client) (publish.Outcome, error) {
		post, err := upsert(ctx, c)
		o := publish.Outcome{}
		if answer.IsID(post.ID) {
			o.ID, o.Hash = post.ID, post.Hash
		}
		if err == nil && answer.IsLink(post.URL) {
			o.URL = post.URL
		}
		if err == nil && post.Slug != a.Slug && answer.IsPrintable(post.Slug) {
			o.Slug = post.Slug
		}
		return o, err
	})
}

// Test makes one test of a connection. check returns a sentence about what was found in order.
func Test(ctx context.Context, t publish.Target, secrets []string, check func(context.Context, *Client) (string, error)) publish.Outcome {
	return attempt(ctx, t, secrets, func(ctx context.Context, c *Client) (publish.Outcome, error) {
		message, err := check(ctx, c)
		return publish.Outcome{AttemptResult: v1alpha1.AttemptResult{Message: message}}, err
	})
}

func attempt(
	ctx context.Context, t publish.Target, secrets []string, do func(context.Context, *Client) (publish.Outcome, error),
) publish.Outcome {
	start := t.Clock.Now()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c := &Client{http: t.HTTP, clock: t.Clock, plainHTTP: t.PlainHTTP}
	o, err := do(ctx, c)
	redactor := answer.NewRedactor(slices.Concat(secrets, c.hidden)).WithAddress(c.address)
	if err == nil {
		o.Outcome, o.HTTPStatus = v1alpha1.AttemptAccepted, c.status
		o = redactor.WithoutSecrets(o)
	} else {
		id, hash := o.ID, o.Hash
		o = outcomeOf(ctx, err, c.status)
		o.ID, o.Hash = id, hash
		o = redactor.Clean(o, c.kept, c.more)
	}
	o.Milliseconds = max(t.Clock.Since(start), 0).Milliseconds()
	return o
}

// outcomeOf is the outcome of an attempt that failed.
func outcomeOf(ctx context.Context, err error, status int32) publish.Outcome {
	failure, ok := errors.AsType[*Error](err)
	if !ok {
		return answer.Unanswered(ctx, err)
	}
	if failure.Class == v1alpha1.ErrorAddressBlocked {
		return publish.Outcome{Final: true, AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptAddressBlocked, ErrorClass: failure.Class, Message: failure.Message,
		}}
	}
	o := publish.Outcome{
		AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, ErrorClass: failure.Class, HTTPStatus: status, Message: failure.Message,
		},
		Final: failure.final(), RetryAfter: failure.RetryAfter,
	}
	if answer.IsLink(failure.Link) {
		o.Conflict = failure.Link
	}
	o.Differences = failure.Differences
	return o
}

// Body is the HTML of a post: the article's, with the FAQ at its end if the Site wants it there.
func Body(site *v1alpha1.Site, a publish.Article) (string, error) {
	if site.Spec.CMS.FAQ == v1alpha1.FAQOmit {
		return a.HTML, nil
	}
	section, err := content.FAQSection(a.FAQ, a.Language)
	if err != nil {
		return "", Fail(v1alpha1.ErrorInvalidContent, "an answer of the FAQ cannot become HTML: make it shorter or simpler")
	}
	if section == "" {
		return a.HTML, nil
	}
	return fmt.Sprintf("%s\n%s", a.HTML, section), nil
}
