package shopify_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

func illustrated() publish.Article {
	a := article()
	a.Image = &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{URL: "https://media.acme.example/shoes.png", Alt: "Shoes", Credit: "Mara"}}
	return a
}

func TestAnArticleHasItsFeaturedImage(t *testing.T) {
	c := newConnection(t)
	a := recorded(illustrated(), c.publish(t, illustrated()))
	want := map[string]any{"url": "https://media.acme.example/shoes.png", "altText": "Shoes"}
	if p := c.only(t); !cmp.Equal(p.image, want) {
		t.Errorf("%v", p.image)
	}
	if o := c.publish(t, a); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("the update is %+v", o)
	}
	without := recorded(article(), c.publish(t, a))
	if o := c.publish(t, without); o.Outcome != v1alpha1.AttemptAccepted || !cmp.Equal(c.only(t).image, want) {
		t.Errorf("without an image: %+v, %v", o, c.only(t).image)
	}
}

func TestAnArticleWithAnImageIsUnpublishedAndComesBack(t *testing.T) {
	c := newConnection(t)
	a := recorded(illustrated(), c.publish(t, illustrated()))
	o := c.connector.Unpublish(t.Context(), c.target(c.transport), a)
	if o.Outcome != v1alpha1.AttemptAccepted || c.posts[0].published {
		t.Fatalf("%+v", o)
	}
	a.Recorded.Hash = o.Hash
	if o := c.publish(t, a); o.Outcome != v1alpha1.AttemptAccepted || !c.only(t).published {
		t.Errorf("%+v", o)
	}
}

// Somebody has chosen an image in the shop before the article had one.
func TestAnImageThatSomebodyHasChosenStays(t *testing.T) {
	c := newConnection(t)
	first := recorded(article(), c.publish(t, article()))
	c.posts[0].image = map[string]any{"altText": "Mine"}
	if o := c.publish(t, first); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("an article without an image: %+v", o)
	}
	first.Image = illustrated().Image
	if o := c.publish(t, first); o.ErrorClass != v1alpha1.ErrorChangedAtSite || c.only(t).image["altText"] != "Mine" {
		t.Errorf("an article with one: %+v", o)
	}
}
