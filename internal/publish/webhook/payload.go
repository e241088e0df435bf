package webhook

import (
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// payload is the body of a publish webhook, with its fields in order (docs/reference/contract.md, Payload). A nil body field is not sent;
// an empty one is.
type payload struct {
	Title           string         `json:"title"`
	Slug            string         `json:"slug"`
	MetaTitle       string         `json:"meta_title,omitempty"`
	MetaDescription string         `json:"meta_description,omitempty"`
	Excerpt         string         `json:"excerpt,omitempty"`
	FAQ             []v1alpha1.FAQ `json:"faq,omitempty"`
	Status          string         `json:"status"`
	ContentFormat   string         `json:"content_format"`
	ContentMarkdown *string        `json:"content_markdown,omitempty"`
	ContentHTML     *string        `json:"content_html,omitempty"`
	Content         *string        `json:"content,omitempty"`
	FeaturedImage   *image         `json:"featured_image,omitempty"`
	Tags            []string       `json:"tags,omitempty"`
	Disclosure      string         `json:"disclosure,omitempty"`
}

// image is the featured image of a payload.
type image struct {
	URL string `json:"url"`
	Alt string `json:"alt"`
}

// Payload returns the body of the request: the same bytes for the same article and format, always.
func Payload(f v1alpha1.PayloadFormat, a publish.Article) ([]byte, error) {
	p := payload{
		Title:           a.Title,
		Slug:            a.Slug,
		MetaTitle:       a.MetaTitle,
		MetaDescription: a.MetaDescription,
		Excerpt:         a.MetaDescription,
		FAQ:             a.FAQ,
		Status:          "publish",
		Tags:            a.Tags,
		Disclosure:      a.Disclosure,
	}
	if a.Image != nil {
		p.FeaturedImage = &image{a.Image.URL, a.Image.Alt}
	}
	switch f {
	case v1alpha1.PayloadJSON:
		p.ContentFormat, p.ContentMarkdown, p.ContentHTML = "json", &a.Markdown, &a.HTML
	case v1alpha1.PayloadMarkdown:
		p.ContentFormat, p.Content = "markdown", &a.Markdown
	case v1alpha1.PayloadHTML:
		p.ContentFormat, p.Content = "html", &a.HTML
	default:
		return nil, fmt.Errorf("payload format %q is not known", f)
	}
	return publish.JSON(p)
}
