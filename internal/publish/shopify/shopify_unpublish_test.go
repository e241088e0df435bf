package shopify_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// unpublish takes the post of an article back, without its text, which is not needed.
func (c *connection) unpublish(t *testing.T, a publish.Article) publish.Outcome {
	t.Helper()
	a.HTML, a.Title, a.Markdown = "", "", ""
	return c.connector.Unpublish(t.Context(), c.target(c.transport), a)
}

func TestAnArticleThatIsUnpublishedIsHiddenAndComesBack(t *testing.T) {
	c := newConnection(t)
	a := recorded(article(), c.publish(t, article()))
	o := c.unpublish(t, a)
	if p := c.only(t); o.Outcome != v1alpha1.AttemptAccepted || p.published || p.title != "Trail shoes" || p.author == "" {
		t.Fatalf("%+v: %+v", o, p)
	}
	updated := c.only(t).updated
	// An answer that is lost leads to another attempt, which finds nothing to do.
	if again := c.unpublish(t, a); again.Outcome != v1alpha1.AttemptAccepted || again.Hash != o.Hash || !c.only(t).updated.Equal(updated) {
		t.Errorf("%+v, was %+v", again, o)
	}
	a.Recorded.Hash = o.Hash
	if back := c.publish(t, a); back.Outcome != v1alpha1.AttemptAccepted || !c.only(t).published || c.created != 1 {
		t.Errorf("%+v: %+v", back, c.only(t))
	}
}

func TestAnArticleThatSomebodyHasChangedIsNotUnpublished(t *testing.T) {
	c := newConnection(t)
	a := recorded(article(), c.publish(t, article()))
	p := c.only(t)
	p.title, p.updated = "Better shoes", p.updated.Add(time.Minute)
	if o := c.unpublish(t, a); o.ErrorClass != v1alpha1.ErrorChangedAtSite || !p.published {
		t.Errorf("%+v: %+v", o, p)
	}
	a.Recorded.Overwrite = true
	if o := c.unpublish(t, a); o.Outcome != v1alpha1.AttemptAccepted || p.published || p.title != "Better shoes" {
		t.Errorf("%+v: %+v", o, p)
	}
}
