package cms

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// dateTolerance is by how much a creation may seem earlier than the attempt that caused it: dates of answers, and those of some CMSs, have
// whole seconds.
const dateTolerance = 2 * time.Second

// Found is a post that a CMS has under the slug or under the id of an article.
type Found struct {
	Post
	// Title in the form in which it is sent.
	Title string
	// hashes are those by which the post is known beside Hash: see Identify.
	hashes []string
	// fields that this attempt writes, by their names in the CMS.
	fields map[string]any
	// Created and Modified are by the clock of the CMS; zero if it does not say.
	Created, Modified time.Time
	// Hidden means that readers do not see the post. It matters to ToUnpublish alone.
	Hidden bool
}

// Optional is a field of a post that not every attempt writes.
type Optional struct {
	Value any
	// Blank means that nobody has chosen the value.
	Blank bool
	// Written means that this attempt writes the field.
	Written bool
}

// Identify sets the hash of a post: of the fields that every attempt writes, and of the optional ones that this one does. The last attempt
// may have written others of them, so the post is known by each combination. A value that somebody has chosen in the CMS is not known by
// one without it, if this attempt would overwrite it.
func (f *Found) Identify(always map[string]any, optional map[string]Optional) {
	names := slices.Sorted(maps.Keys(optional))
	for combination := range 1 << len(names) {
		fields, known, asWritten := maps.Clone(always), true, true
		for i, name := range names {
			field, has := optional[name], combination&(1<<i) != 0
			if has {
				fields[name] = field.Value
			}
			known = known && (has || field.Blank || !field.Written)
			asWritten = asWritten && has == field.Written
		}
		hash := HashOf(fields)
		if known {
			f.hashes = append(f.hashes, hash)
		}
		if asWritten {
			f.Hash, f.fields = hash, fields
		}
	}
}

// is reports whether a hash is the post's, by some combination of its optional fields.
func (f Found) is(hash string) bool { return f.Hash == hash || slices.Contains(f.hashes, hash) }

// HashOf identifies the fields of a post that Pressroom writes.
func HashOf(fields map[string]any) string {
	data, err := json.Marshal(fields)
	if err != nil {
		return "" // fields are texts, numbers and lists of them
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Choose returns the one of the posts that an attempt writes; nil if it makes a new one. A post of other people is written only if the Site
// adopts such posts, and one of the article that somebody has changed since only if somebody has asked for that. posts has those of
// the slug before that of the id; sent is the post as the attempt would write it.
func Choose[P any](c *Client, site *v1alpha1.Site, a publish.Article, sent P, posts []P, describe func(P) Found) (*P, error) {
	written := describe(sent)
	for i := range posts {
		if f := describe(posts[i]); c.isOurs(a, written, f) {
			return &posts[i], c.changed(a, written, f)
		}
	}
	for i := range posts {
		f := describe(posts[i])
		if f.Slug != a.Slug {
			continue
		}
		if site.Spec.Publishing.ExistingPosts == v1alpha1.ExistingPostsAdopt {
			return &posts[i], nil
		}
		return nil, SlugTaken(f.URL)
	}
	return nil, nil //nolint:nilnil // that there is no post is no error
}

// ToUnpublish returns the post that an attempt takes back; nil if none of the posts is the article's. A post that was changed at the site,
// or that has the article's id and looks like another post, is taken back only if overwriting is requested. If a post is visible that an
// attempt may have made with another text, it is not known whose it is: that is an error, not the absence of a post.
func ToUnpublish[P any](c *Client, a publish.Article, posts []P, describe func(P) Found) (*P, error) {
	for i := range posts {
		if f := describe(posts[i]); c.isOurs(a, Found{Title: a.Title}, f) {
			return &posts[i], c.changed(a, Found{}, f)
		}
	}
	for i := range posts {
		if f := describe(posts[i]); f.ID == a.ExternalID && a.Recorded.Overwrite {
			return &posts[i], nil
		} else if f.ID == a.ExternalID {
			return &posts[i], changedAtSite(Found{}, f)
		}
	}
	for i := range posts {
		if f := describe(posts[i]); a.ExternalID == "" && f.Slug == a.Slug && !f.Hidden && c.sinceAttempt(a, f) {
			return nil, SlugTaken(f.URL)
		}
	}
	return nil, nil //nolint:nilnil // that there is no post is no error
}

// isOurs reports whether a post is the article's, for one of three reasons: status has its id and it looks as the article's post did; it
// is byte for byte the post that was written last; or an attempt whose answer was lost seems to have made it. The last reason does not hold
// for a post with the slug of another article.
func (c *Client) isOurs(a publish.Article, sent, f Found) bool {
	recorded, titled := a.Recorded, sent.Title != "" && f.Title == sent.Title
	switch {
	case f.ID == a.ExternalID && (hasItsLink(a, f) || f.Slug == a.Slug || f.Slug == recorded.Slug || titled),
		recorded.Hash != "" && f.is(recorded.Hash):
		return true
	default:
		return titled && c.sinceAttempt(a, f) && !slices.Contains(recorded.Taken, f.Slug)
	}
}

// sinceAttempt reports whether a post was created after the first attempt began that may have made one.
func (c *Client) sinceAttempt(a publish.Article, f Found) bool {
	attempted := a.Recorded.Attempted
	return !attempted.IsZero() && !f.Created.IsZero() && !f.Created.Before(attempted.Add(c.skew-dateTolerance))
}

// hasItsLink reports whether a post has the article's link. One that is made of the id, such as /?p=7, says no more than the id.
func hasItsLink(a publish.Article, f Found) bool {
	return a.URL != "" && f.URL == a.URL && !strings.HasSuffix(a.URL, "="+a.ExternalID)
}

// SlugTaken is the failure of an attempt for whose slug the CMS has a post that is not the article's. link may be empty.
func SlugTaken(link string) *Error {
	e := Fail(v1alpha1.ErrorSlugTaken, "the CMS has a post with this slug that Pressroom has not made: choose another slug")
	e.Link = link
	return e
}
