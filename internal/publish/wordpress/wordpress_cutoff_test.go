package wordpress_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/wordpress"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// cutOff lets requests through and ends the process at one of them.
type cutOff struct {
	base http.RoundTripper
	// at is the number of the request, from 1; where is before it is sent, in the middle (WordPress has done it and nobody reads the
	// answer), or after its answer.
	at    int
	where string
	// kill ends the process.
	kill context.CancelFunc
	sent int
}

var errCutOff = errors.New("cut off")

// RoundTrip implements http.RoundTripper.
func (c *cutOff) RoundTrip(r *http.Request) (*http.Response, error) {
	c.sent++
	if c.sent != c.at {
		return c.base.RoundTrip(r)
	}
	if c.where == "before" {
		c.kill()
		return nil, errCutOff
	}
	resp, err := c.base.RoundTrip(r.WithContext(context.WithoutCancel(r.Context())))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	c.kill()
	if c.where == "middle" || err != nil {
		return nil, errCutOff
	}
	resp.Body = io.NopCloser(strings.NewReader(string(body)))
	return resp, nil
}

// starts are what a blog may have before the first attempt, and the id that status has of it.
var starts = map[string]func(*fakewordpress.Blog) string{
	"no post": func(*fakewordpress.Blog) string { return "" },
	"a post": func(b *fakewordpress.Blog) string {
		return strconv.FormatInt(b.Add(fakewordpress.Post{Slug: "shoes", Status: "publish"}), 10)
	},
	"a lost post": func(*fakewordpress.Blog) string { return "99" },
}

// Wherever an attempt is cut off, there is one post at most, and one after the next attempt: it knows nothing of what the one before
// has learnt, as after a crash, or what that one could report.
func TestAnAttemptThatIsCutOffNeverMakesASecondPost(t *testing.T) {
	cuts := 0
	for start, prepare := range starts {
		requests := countRequests(t, prepare)
		for at := 1; at <= requests; at++ {
			for _, where := range []string{"before", "middle", "after"} {
				for _, reported := range []bool{false, true} {
					cuts++
					name := start + ", request " + strconv.Itoa(at) + ", " + where
					t.Run(name, func(t *testing.T) {
						b := newBlog(t)
						a := article()
						a.ExternalID = prepare(b)
						o := cut(t, b, a, at, where)
						if n := len(b.Posts()); n > 1 {
							t.Fatalf("there are %d posts", n)
						}
						a.Recorded.Attempted = began
						if reported && o.ID != "" {
							a = recorded(a, o)
						}
						expectOnePost(t, b, send(t, siteOf(b), a))
					})
				}
			}
		}
	}
	if cuts < 90 {
		t.Errorf("%d cuts were made", cuts)
	}
}

// cut makes an attempt of a process that ends at a request.
func cut(t *testing.T, b *fakewordpress.Blog, a publish.Article, at int, where string) publish.Outcome {
	t.Helper()
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	to := siteOf(b)
	trap := &cutOff{base: to.HTTP.Transport, at: at, where: where, kill: kill}
	to.HTTP.Transport = trap
	o := wordpress.New().Publish(ctx, to, a)
	if trap.sent < at {
		t.Fatalf("the attempt has %d requests", trap.sent)
	}
	if o.Outcome == v1alpha1.AttemptAccepted && trap.sent > at {
		t.Errorf("a process that has ended reports %+v", o)
	}
	return o
}

func countRequests(t *testing.T, prepare func(*fakewordpress.Blog) string) int {
	t.Helper()
	b := newBlog(t)
	a := article()
	a.ExternalID = prepare(b)
	to := siteOf(b)
	trap := &cutOff{base: to.HTTP.Transport}
	to.HTTP.Transport = trap
	expectOnePost(t, b, send(t, to, a))
	return trap.sent
}

// An attempt that timed out may have made its post after the next one has looked for it.
func TestAPostThatAppearsLateIsTheOneThatStays(t *testing.T) {
	b := newBlog(t)
	late := true
	b.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && late {
			late = false
			b.Add(fakewordpress.Post{Slug: "shoes", Status: "publish", Title: "Shoes &amp; more", Date: time.Now(), Modified: time.Now()})
		}
		return false
	})
	a := article()
	a.Recorded.Attempted = began
	o := send(t, siteOf(b), a)
	if o.ID != "1" {
		t.Errorf("the post is %s, want the earlier one", o.ID)
	}
	expectOnePost(t, b, o)
}
