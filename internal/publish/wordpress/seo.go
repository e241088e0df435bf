package wordpress

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/pressroom-dev/pressroom/internal/publish"
)

// seoKeys are the meta fields of Yoast SEO and Rank Math for the SEO title and the meta description.
var seoKeys = []struct {
	key string
	of  func(publish.Article) string
}{
	{"_yoast_wpseo_title", func(a publish.Article) string { return a.MetaTitle }},
	{"_yoast_wpseo_metadesc", func(a publish.Article) string { return a.MetaDescription }},
	{"rank_math_title", func(a publish.Article) string { return a.MetaTitle }},
	{"rank_math_description", func(a publish.Article) string { return a.MetaDescription }},
}

// seo returns the meta fields that this WordPress has for the SEO texts. It drops others without a word.
func (s *session) seo(ctx context.Context, a publish.Article) (map[string]string, error) {
	var options struct {
		Schema struct {
			Properties struct {
				Meta struct {
					// Properties are an object; PHP writes an empty list for none.
					Properties json.RawMessage `json:"properties"`
				} `json:"meta"`
			} `json:"properties"`
		} `json:"schema"`
	}
	if err := s.call(ctx, call{method: http.MethodOptions, path: s.collection, want: http.StatusOK}, &options); err != nil {
		return nil, err
	}
	var registered map[string]json.RawMessage
	// Another value than an object registers nothing.
	_ = json.Unmarshal(options.Schema.Properties.Meta.Properties, &registered)
	meta := map[string]string{}
	for _, seo := range seoKeys {
		if value := seo.of(a); value != "" && registered[seo.key] != nil {
			meta[seo.key] = value
		}
	}
	return meta, nil
}
