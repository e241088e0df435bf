package webflow_test

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// unpublish takes the post of an article back, without its text, which is not needed.
func (c *connection) unpublish(t *testing.T, a publish.Article) publish.Outcome {
	t.Helper()
	a.HTML, a.Title, a.Markdown = "", "", ""
	return c.connector.Unpublish(t.Context(), c.target(c.transport), a)
}

func TestAnItemThatIsUnpublishedStaysStagedAndComesBack(t *testing.T) {
	c := newConnection(t)
	connectortest.WhileTimePasses(c.clock, time.Second, func() {
		a := recorded(article(), c.publish(t, article()))
		o := c.unpublish(t, a)
		if o.Outcome != v1alpha1.AttemptAccepted || len(c.live) != 0 || len(c.staged) != 1 {
			t.Fatalf("%+v: %v", o, c.live)
		}
		// An answer that is lost leads to another attempt, which finds nothing to do.
		if again := c.unpublish(t, a); again.Outcome != v1alpha1.AttemptAccepted || again.Hash != o.Hash {
			t.Errorf("%+v, was %+v", again, o)
		}
		a.Recorded.Hash = o.Hash
		if back := c.publish(t, a); back.Outcome != v1alpha1.AttemptAccepted || len(c.live) != 1 || c.created != 1 {
			t.Errorf("%+v: %v", back, c.live)
		}
	})
}

func TestAnItemThatSomebodyHasChangedIsNotUnpublished(t *testing.T) {
	c := newConnection(t)
	connectortest.WhileTimePasses(c.clock, time.Second, func() {
		a := recorded(article(), c.publish(t, article()))
		c.edit(a.ExternalID, "name", "Better shoes")
		before := maps.Clone(c.live)
		if o := c.unpublish(t, a); o.ErrorClass != v1alpha1.ErrorChangedAtSite || !cmp.Equal(c.live, before) {
			t.Errorf("%+v: %v", o, c.live)
		}
		a.Recorded.Overwrite = true
		if o := c.unpublish(t, a); o.Outcome != v1alpha1.AttemptAccepted || len(c.live) != 0 {
			t.Errorf("%+v: %v", o, c.live)
		}
	})
}
