package cms_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

func TestWhatSomebodyHasChangedInACMS(t *testing.T) {
	long := strings.Repeat("The huts are open in summer. ", 40)
	for _, tt := range []struct {
		name       string
		sent, post map[string]any
		want       []v1alpha1.PostDifference
	}{
		{
			"texts of HTML, from a few words before", map[string]any{"content": "<p>" + long + "</p><p>Open in May.</p>", "title": "Huts"},
			map[string]any{"content": "<p>" + long + "</p>\n<p>Open in <b>June</b>.</p>", "title": "Huts"},
			[]v1alpha1.PostDifference{{Field: "content", Site: "The huts are open in summer. Open in June.", Article: "The huts are open in summer. Open in May."}},
		},
		{
			"a letter of three bytes, in a text without blanks", map[string]any{"content": strings.Repeat("山", 30) + "谷"},
			map[string]any{"content": strings.Repeat("山", 30) + "川"},
			[]v1alpha1.PostDifference{{Field: "content", Site: strings.Repeat("山", 14) + "川", Article: strings.Repeat("山", 14) + "谷"}},
		},
		{
			"what is no text, and what is not there", map[string]any{"tags": []int64{1, 2}, "excerpt": "Short."}, map[string]any{"tags": []int64{1}},
			[]v1alpha1.PostDifference{{Field: "excerpt", Site: "", Article: "Short."}, {Field: "tags", Site: "[1]", Article: "[1,2]"}},
		},
		{
			"three fields of more", map[string]any{"a": "1", "b": "1", "c": "1", "d": "1"}, map[string]any{},
			[]v1alpha1.PostDifference{{Field: "a", Article: "1"}, {Field: "b", Article: "1"}, {Field: "c", Article: "1"}},
		},
		{
			"no secret", map[string]any{"content": "Open."}, map[string]any{"content": "Open: Bearer abc"},
			[]v1alpha1.PostDifference{{Field: "content", Site: "Open: Bearer [redacted]", Article: "Open."}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sent := cms.Found{Post: cms.Post{Slug: "huts"}, Title: "Huts"}
			post := cms.Found{Post: cms.Post{ID: "7", Slug: "huts"}, Title: "Huts"}
			sent.Identify(tt.sent, nil)
			post.Identify(tt.post, nil)
			article := publish.Article{ExternalID: "7", Recorded: publish.Recorded{Hash: "0123456789abcdef"}}
			article.Slug = "huts"
			o := withClient(t, func(c *cms.Client) error {
				_, err := cms.Choose(c, &v1alpha1.Site{}, article, sent, []cms.Found{post}, itself)
				return err
			})
			if o.ErrorClass != v1alpha1.ErrorChangedAtSite || !reflect.DeepEqual(o.Differences, tt.want) {
				t.Errorf("%q\nwant %q\n%s", o.Differences, tt.want, o.Message)
			}
		})
	}
}
