package webflow_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

func illustrated() publish.Article {
	a := article()
	a.Image = &v1alpha1.RevisionImage{
		ArticleImage: v1alpha1.ArticleImage{URL: "https://media.acme.example/shoes.png", Alt: "Shoes"}, ImageFile: v1alpha1.ImageFile{Bytes: 4 << 20},
	}
	return a
}

// withImageField is a connection whose collection has a field for the featured image.
func withImageField(t *testing.T, kind string) *connection {
	t.Helper()
	c := newConnection(t)
	c.fields = append(c.fields, field{"f7", "main-image", "Main image", kind, false, true})
	c.site.Spec.CMS.Webflow.Fields.Image = "main-image"
	return c
}

func TestAnItemHasTheFeaturedImageOfItsArticle(t *testing.T) {
	c := withImageField(t, "Image")
	connectortest.WhileTimePasses(c.clock, time.Second, func() {
		a := recorded(illustrated(), c.publish(t, illustrated()))
		image, _ := c.only(t).FieldData["main-image"].(map[string]any)
		if image["from"] != "https://media.acme.example/shoes.png" || image["alt"] != "Shoes" {
			t.Errorf("%v", image)
		}
		if o := c.publish(t, a); o.Outcome != v1alpha1.AttemptAccepted {
			t.Errorf("the update is %+v", o)
		}
		without := recorded(article(), c.publish(t, a))
		if o := c.publish(t, without); o.Outcome != v1alpha1.AttemptAccepted || c.only(t).FieldData["main-image"] == nil {
			t.Errorf("without an image: %+v", o)
		}
		c.edit(a.ExternalID, "main-image", "another")
		if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorChangedAtSite {
			t.Errorf("after somebody has chosen another image: %+v", o)
		}
	})
}

func TestAnImageThatWebflowDoesNotTakeIsNotSent(t *testing.T) {
	c := withImageField(t, "Image")
	a := illustrated()
	a.Image.Bytes++
	if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorInvalidContent || !o.Final || len(c.staged) > 0 || len(o.Message) > v1alpha1.MaxAttemptMessageBytes {
		t.Errorf("%+v", o)
	}
	c.site.Spec.CMS.Webflow.Fields.Image = ""
	if o := c.publish(t, a); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("a Site that names no field for it: %+v", o)
	}
}

func TestTheFieldOfTheImageMustBeOneForImages(t *testing.T) {
	for kind, want := range map[string]v1alpha1.AttemptOutcome{"Image": v1alpha1.AttemptAccepted, "PlainText": v1alpha1.AttemptRejected} {
		c := withImageField(t, kind)
		if o := c.connector.Test(t.Context(), c.target(c.transport), "n"); o.Outcome != want {
			t.Errorf("%s: %+v", kind, o)
		}
	}
}
