package webflow_test

import (
	"maps"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// A collection has items of people with the slugs of 200 articles. All stay as they are.
func TestItemsOfPeopleStayAsTheyAre(t *testing.T) {
	c := newConnection(t)
	for n := range 200 {
		c.add(map[string]any{"name": "Ours", "slug": "shoes-of-" + strconv.Itoa(n), "post-body": "<p>Text.</p>"})
	}
	before := maps.Clone(c.staged)
	connectortest.WhileTimePasses(c.clock, time.Second, func() {
		for id, theirs := range before {
			a := article()
			a.Slug = theirs.FieldData["slug"].(string)
			if id[len(id)-1]%2 == 1 { // An attempt whose answer was lost changes nothing about it.
				a.Recorded.Attempted = began
			}
			if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorSlugTaken || o.Conflict != "https://www.example.com/post/"+a.Slug {
				t.Errorf("%s: %+v", a.Slug, o)
			}
		}
	})
	if diff := cmp.Diff(before, c.staged); diff != "" || len(c.live) > 0 {
		t.Errorf("items of people have changed (-before +after):\n%s", diff)
	}
}

func TestASiteMayAdoptItemsOfPeople(t *testing.T) {
	c := newConnection(t)
	id := c.add(map[string]any{"name": "Ours", "slug": "trail-shoes"})
	c.site.Spec.Publishing.ExistingPosts = v1alpha1.ExistingPostsAdopt
	if o := c.publish(t, article()); o.ID != id || c.only(t).FieldData["name"] != "Trail shoes" {
		t.Errorf("%+v", o)
	}
}

func TestEditsInWebflowSurvive(t *testing.T) {
	for name, text := range map[string]string{"name": "Better shoes", "slug": "best-shoes", "post-body": "", "post-summary": "On shoes.", "seo-title": "Buy"} {
		c := newConnection(t)
		connectortest.WhileTimePasses(c.clock, time.Second, func() {
			a := recorded(article(), c.publish(t, article()))
			c.edit(a.ExternalID, name, text)
			before := maps.Clone(c.staged)
			if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorChangedAtSite || !cmp.Equal(c.staged, before) {
				t.Errorf("%s: %+v, %v", name, o, c.staged)
			}
			a.Recorded.Overwrite = true
			o := c.publish(t, a)
			if again := c.publish(t, recorded(a, o)); again.ID != a.ExternalID || c.only(t).FieldData["name"] != "Trail shoes" {
				t.Errorf("%s: %+v", name, again)
			}
		})
	}
}

// Webflow answers 400 to an id of another form, which would end every redelivery.
func TestAnIDOfAnotherCMSIsNotAskedFor(t *testing.T) {
	c := newConnection(t)
	a := article()
	a.ExternalID, a.URL = "trail-shoes", "https://old.example/trail-shoes"
	if o := c.publish(t, a); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("%+v", o)
	}
}

// The list of items lags behind creations.
func TestAnItemThatIsNotListedYetIsWaitedFor(t *testing.T) {
	c := newConnection(t)
	first := c.publish(t, article())
	c.listLags = true
	a := article()
	a.Recorded.Attempted = began
	if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorUnavailable || o.Final {
		t.Errorf("%+v", o)
	}
	c.listLags = false
	if o := c.publish(t, a); o.ID != first.ID || c.created != 1 {
		t.Errorf("%+v", o)
	}
}
