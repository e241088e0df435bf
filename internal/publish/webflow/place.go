package webflow

import (
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// place says where the items of a collection are live.
type place struct {
	// domain of the site, such as www.acme.example.
	domain string
	// collection is its slug.
	collection string
	fields     []field
}

// url of the item with a slug.
func (p place) url(slug string) string {
	return "https://" + p.domain + "/" + p.collection + "/" + slug
}

// field is a field of a collection.
type field struct {
	Slug       string `json:"slug"`
	Type       string `json:"type"`
	IsRequired bool   `json:"isRequired"`
}

// The types of fields. A reference leads to an item of another collection.
const (
	plainText = "PlainText"
	reference = "Reference"
)

// look reads the collection and the site.
func (s session) look(ctx context.Context) (place, error) {
	var collection struct {
		Slug   string  `json:"slug"`
		Fields []field `json:"fields"`
	}
	if err := s.call(ctx, http.MethodGet, s.collectionPath(), nil, &collection); err != nil {
		return place{}, notFound(err, "Webflow has no such collection for this token: check collectionID")
	}
	var site struct {
		ShortName     string `json:"shortName"`
		CustomDomains []struct {
			URL string `json:"url"`
		} `json:"customDomains"`
	}
	if err := s.call(ctx, http.MethodGet, s.sitePath(), nil, &site); err != nil {
		return place{}, notFound(err, "Webflow has no such site for this token: check siteID")
	}
	if collection.Slug == "" || site.ShortName == "" {
		return place{}, cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "the answer lacks the slug of the collection or the name of the site")
	}
	domains := []string{}
	for _, d := range site.CustomDomains {
		name := strings.TrimPrefix(strings.TrimPrefix(d.URL, "https://"), "http://")
		domains = append(domains, strings.TrimSuffix(name, "/"))
	}
	return place{domain: s.choose(domains, site.ShortName+".webflow.io"), collection: collection.Slug, fields: collection.Fields}, nil
}

// choose returns the domain of the Site if Webflow has it, else Webflow's first, else its own.
func (s session) choose(domains []string, own string) string {
	switch {
	case slices.Contains(domains, s.domain):
		return s.domain
	case len(domains) > 0:
		return domains[0]
	default:
		return own
	}
}

// checkCollection proves that the collection is one of the site's, whose domain URLs have.
func (s session) checkCollection(ctx context.Context) error {
	var list struct {
		Collections []struct {
			ID string `json:"id"`
		} `json:"collections"`
	}
	if err := s.call(ctx, http.MethodGet, s.sitePath()+"/collections", nil, &list); err != nil {
		return err
	}
	for _, c := range list.Collections {
		if c.ID == s.settings.CollectionID {
			return nil
		}
	}
	return cms.Fail(v1alpha1.ErrorNotFound, "the collection is not one of this site: check siteID and collectionID")
}

// checkFields compares the fields that articles are sent in with the schema of the collection.
func (s session) checkFields(schema []field) error {
	kinds := map[string]string{}
	for _, f := range schema {
		kinds[f.Slug] = f.Type
	}
	sent := s.settings.Fields
	for _, want := range []struct {
		setting, name string
		kinds         []string
	}{
		{"body", sent.Body, []string{"RichText"}},
		{"excerpt", sent.Excerpt, []string{plainText}},
		{"metaTitle", sent.MetaTitle, []string{plainText}},
		{"metaDescription", sent.MetaDescription, []string{plainText}},
		{"tags", sent.Tags, []string{plainText}},
		{"category", sent.Category, []string{plainText}},
		{"author", sent.Author, []string{plainText, reference}},
		{"image", sent.Image, []string{"Image"}},
	} {
		if kind, ok := kinds[want.name]; want.name != "" && !ok {
			return cms.Fail(v1alpha1.ErrorInvalidContent, "the collection has no field %s: check fields.%s", shown(want.name), want.setting)
		} else if want.name != "" && !slices.Contains(want.kinds, kind) {
			return cms.Fail(v1alpha1.ErrorInvalidContent, "fields.%s must name a field of the type %s", want.setting, want.kinds[0])
		}
	}
	for _, f := range schema {
		if _, ours := s.fieldData(publish.Article{}, "")[f.Slug]; f.IsRequired && !ours {
			return cms.Fail(v1alpha1.ErrorInvalidContent, "the collection requires %s, which is not sent: make it optional", shown(f.Slug))
		}
	}
	return nil
}

// shown is the name of a field as a message has it.
func shown(name string) string {
	if cms.Name(name) == "" {
		return "of that name"
	}
	return name
}

// maxSites bounds what is remembered of sites.
const maxSites = 10_000

// placeTime is how long a place is taken for true. A collection's slug and a site's domain hardly ever change, and each question counts
// against the limit of the site.
const placeTime = 10 * time.Minute

// places remembers where the items of collections are live.
type places struct{ known *lru.Cache }

type knownPlace struct {
	place
	until time.Time
}

// get returns the place of a session's collection.
func (p places) get(ctx context.Context, now time.Time, s session) (place, error) {
	// What one token may see, another one may not.
	type key struct {
		siteID, collectionID, domain string
		token                        [sha256.Size]byte
	}
	k := key{s.settings.SiteID, s.settings.CollectionID, s.domain, sha256.Sum256([]byte(s.token))}
	found, _ := p.known.Get(k)
	if known, ok := found.(knownPlace); ok && now.Before(known.until) {
		return known.place, nil
	}
	seen, err := s.look(ctx)
	if err != nil {
		return place{}, err
	}
	p.known.Add(k, knownPlace{seen, now.Add(placeTime)})
	return seen, nil
}
