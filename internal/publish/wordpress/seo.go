package wordpress

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/pressroom-dev/pressroom/internal/publish"
)

// seoFields are the meta fields of Yoast SEO and Rank Math for the SEO title and the meta description.
var seoFields = []struct {
	key string
	of  func(publish.Article) string
}{
	{"_yoast_wpseo_title", func(a publish.Article) string { return a.MetaTitle }},
	{"_yoast_wpseo_metadesc", func(a publish.Article) string { return a.MetaDescription }},
	{"rank_math_title", func(a publish.Article) string { return a.MetaTitle }},
	{"rank_math_description", func(a publish.Article) string { return a.MetaDescription }},
}

// seo returns the meta fields for the SEO texts of an article.
func (s *session) seo(a publish.Article) map[string]string {
	meta := map[string]string{}
	for _, seo := range seoFields {
		if value := seo.of(a); value != "" && s.seoKeys[seo.key] {
			meta[seo.key] = value
		}
	}
	return meta
}

// registered returns the meta fields for SEO texts that this WordPress has. It drops others without a word.
func (s *session) registered(ctx context.Context) (map[string]bool, error) {
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
	var all map[string]json.RawMessage
	// Another value than an object registers nothing.
	_ = json.Unmarshal(options.Schema.Properties.Meta.Properties, &all)
	found := map[string]bool{}
	for _, seo := range seoFields {
		found[seo.key] = all[seo.key] != nil
	}
	return found, nil
}
