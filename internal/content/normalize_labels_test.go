package content_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestWhatAPostHasBesideItsTextIsReadAsLabels(t *testing.T) {
	image := &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{URL: "https://a.example/b", Alt: "A\u202E hut", Credit: "\u200B"}}
	unseen := &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{URL: "https://a.example/b", Alt: "\u200B"}}
	for name, tt := range map[string]struct{ given, want content.Document }{
		"ordinary ones": {
			content.Document{Tags: []string{"Huts & more", "山小屋"}, Category: "Alps", Author: "Mara\u00A0B."},
			content.Document{Tags: []string{"Huts & more", "山小屋"}, Category: "Alps", Author: "Mara\u00A0B."},
		},
		"joiners of Persian and of emoji": {
			content.Document{Tags: []string{"می\u200Cخواهم", "👩\u200D💻"}}, content.Document{Tags: []string{"می\u200Cخواهم", "👩\u200D💻"}},
		},
		"marks that turn the direction": {
			content.Document{Tags: []string{"\u202Estuh\u202C", "\u2066stuh\u2069"}, Category: "\u202BAlps", Author: "Mar\u2067a"},
			content.Document{Tags: []string{"stuh"}, Category: "Alps", Author: "Mara"},
		},
		"nothing that can be seen": {content.Document{Tags: []string{"\u200B", "\u3164", "\u2800"}, Category: "\u00AD", Author: "\u202E"}, content.Document{}},
		"an image": {content.Document{Image: image}, content.Document{
			Image: &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{URL: "https://a.example/b", Alt: "A hut"}},
		}},
		"an image that must have an alternative text": {content.Document{Image: unseen}, content.Document{Image: unseen}},
	} {
		tt.given.Title, tt.given.Markdown = "Huts", "One hut."
		got, err := content.Normalize(tt.given)
		if err != nil {
			t.Fatal(err)
		}
		got = content.Document{Tags: got.Tags, Category: got.Category, Author: got.Author, Image: got.Image}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if image.Alt != "A\u202E hut" {
		t.Error("the document that was given has changed")
	}
}
