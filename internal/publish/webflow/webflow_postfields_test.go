package webflow_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// withFields is a connection whose collection has fields for what a post has beside its text.
func withFields(t *testing.T, authorType string) *connection {
	t.Helper()
	c := newConnection(t)
	c.fields = append(c.fields, field{"f7", "tags", "Tags", "PlainText", false, true},
		field{"f8", "topic", "Topic", "PlainText", false, true}, field{"f9", "author", "Author", authorType, false, true})
	fields := &c.site.Spec.CMS.Webflow.Fields
	fields.Tags, fields.Category, fields.Author = "tags", "topic", "author"
	c.site.Spec.Publishing.Authors = []v1alpha1.SiteAuthor{{Name: "Mara", ExternalID: "580e640c8c9a982ac9b8b77a"}, {Name: "Ben"}}
	return c
}

func TestAnItemHasTheTagsCategoryAndAuthorOfItsArticle(t *testing.T) {
	for authorType, want := range map[string]string{"PlainText": "Mara", "Reference": "580e640c8c9a982ac9b8b77a"} {
		c := withFields(t, authorType)
		connectortest.WhileTimePasses(c.clock, time.Second, func() {
			a := article()
			a.Tags, a.Category, a.Author = []string{"Trail", "Rock"}, "Shoes", "Mara"
			a = recorded(a, c.publish(t, a))
			if data := c.only(t).FieldData; data["tags"] != "Trail, Rock" || data["topic"] != "Shoes" || data["author"] != want {
				t.Errorf("%v", data)
			}
			update := article()
			update.Title, update.ExternalID, update.URL, update.Recorded = "Better shoes", a.ExternalID, a.URL, a.Recorded
			if o := c.publish(t, update); o.Outcome != v1alpha1.AttemptAccepted || c.only(t).FieldData["tags"] != "Trail, Rock" {
				t.Errorf("%+v: %v", o, c.only(t))
			}
		})
	}
}

// The fields that not every attempt writes are no edits of other people when the item comes back.
func TestAnItemWithTagsAndAnAuthorComesBack(t *testing.T) {
	c := withFields(t, "Reference")
	connectortest.WhileTimePasses(c.clock, time.Second, func() {
		a := article()
		a.Tags, a.Category, a.Author = []string{"Trail"}, "Shoes", "Mara"
		a = recorded(a, c.publish(t, a))
		o := c.unpublish(t, a)
		if o.Outcome != v1alpha1.AttemptAccepted || len(c.live) != 0 {
			t.Fatalf("%+v: %v", o, c.live)
		}
		a.Recorded.Hash = o.Hash
		if back := c.publish(t, a); back.Outcome != v1alpha1.AttemptAccepted || len(c.live) != 1 || c.created != 1 {
			t.Errorf("%+v: %v", back, c.live)
		}
	})
}

func TestAReferenceNeedsTheIDOfAnAuthor(t *testing.T) {
	c := withFields(t, "Reference")
	a := article()
	a.Author = "Ben"
	if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorInvalidContent || !o.Final || len(c.staged) > 0 {
		t.Errorf("%+v", o)
	}
}

// Somebody has chosen tags in Webflow before the article had some.
func TestTagsThatSomebodyHasChosenStay(t *testing.T) {
	c := withFields(t, "PlainText")
	connectortest.WhileTimePasses(c.clock, time.Second, func() {
		first := recorded(article(), c.publish(t, article()))
		c.edit(first.ExternalID, "tags", "Mine")
		tagged := func() publish.Article {
			a := first
			a.Tags = []string{"Trail"}
			return a
		}
		if o := c.publish(t, first); o.Outcome != v1alpha1.AttemptAccepted || c.only(t).FieldData["tags"] != "Mine" {
			t.Errorf("%+v: %v", o, c.only(t))
		}
		if o := c.publish(t, tagged()); o.ErrorClass != v1alpha1.ErrorChangedAtSite || c.only(t).FieldData["tags"] != "Mine" {
			t.Errorf("%+v: %v", o, c.only(t))
		}
	})
}
