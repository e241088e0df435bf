package wordpress

import (
	"context"
	"crypto/md5" //nolint:gosec // WordPress compares files by it; the image is known by its SHA-256.
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
)

// maxImages bounds how many images are in memory at a time, of all sites.
const maxImages = 4

// media is a file of the media library.
type media struct {
	ID      int64  `json:"id"`
	AltText string `json:"alt_text"`
}

const (
	mediaPath   = "wp/v2/media"
	mediaFields = "id,alt_text"
	// imageField is the field of a post that has the id of its featured image.
	imageField = "featured_media"
)

// mediaName is the name, and the slug, that an image has in the media library: the SHA-256 of its file, and the beginning of one of its
// texts. So an image is uploaded once, and other texts make another file: those of the first one, which other posts may show, stay.
func mediaName(i *v1alpha1.RevisionImage) string {
	texts := sha256.Sum256([]byte(i.Alt + "\n" + i.Credit))
	return i.SHA256 + "-" + hex.EncodeToString(texts[:4])
}

// findImage returns the file of an image; zero if the media library does not have it yet.
func (s *session) findImage(ctx context.Context, i *v1alpha1.RevisionImage) (media, error) {
	var found []media
	err := s.call(ctx, get(mediaPath, url.Values{"slug[]": {mediaName(i)}, fieldsParam: {mediaFields}}), &found)
	if err != nil || len(found) == 0 {
		return media{}, err
	}
	return found[0], nil
}

// addImage uploads the image of an article, unless the media library has it, adds its texts, unless it has some, and returns its id.
func (c Connector) addImage(ctx context.Context, s *session, a publish.Article, found media) (int64, error) {
	if found.ID <= 0 {
		var err error
		if found, err = c.upload(ctx, s, a.Image); err != nil {
			return 0, err
		}
	}
	if found.AltText != "" {
		return found.ID, nil
	}
	texts := map[string]any{"alt_text": a.Image.Alt, "title": text.Replace(a.Title), "caption": text.Replace(a.Image.Credit)}
	path := mediaPath + "/" + strconv.FormatInt(found.ID, 10)
	describe := call{method: http.MethodPost, path: path, query: url.Values{fieldsParam: {mediaFields}}, body: texts, want: http.StatusOK}
	return found.ID, s.call(ctx, describe, &found)
}

// upload sends the file of an image.
func (c Connector) upload(ctx context.Context, s *session, i *v1alpha1.RevisionImage) (media, error) {
	select {
	case c.images <- struct{}{}:
		defer func() { <-c.images }()
	case <-ctx.Done():
		return media{}, cms.Fail(v1alpha1.ErrorUnavailable, "images of other articles kept Pressroom busy for the whole attempt")
	}
	file, err := featuredimage.Fetcher{HTTP: s.http, Clock: s.clock}.Read(ctx, *i)
	if problem, ok := errors.AsType[*featuredimage.Error](err); ok {
		return media{}, imageFailure(problem)
	}
	var made media
	sum := md5.Sum(file) //nolint:gosec // See the import.
	err = s.call(ctx, call{
		method: http.MethodPost, path: mediaPath, query: url.Values{"slug": {mediaName(i)}, fieldsParam: {mediaFields}},
		file: file, want: http.StatusCreated, header: http.Header{
			"Content-Type":        {i.Type},
			"Content-Disposition": {`attachment; filename="` + mediaName(i) + "." + strings.TrimPrefix(i.Type, "image/") + `"`},
			// A file that was cut off is refused.
			"Content-Md5": {hex.EncodeToString(sum[:])},
		},
	}, &made)
	if err == nil && made.ID <= 0 {
		err = cms.Fail(v1alpha1.ErrorUnexpectedAnswer, "WordPress answered a file without an id: a plugin may change its REST API")
	}
	return made, err
}

// imageFailure is the failure of an attempt whose image cannot be fetched.
func imageFailure(e *featuredimage.Error) error {
	class := e.Class
	if class == v1alpha1.ErrorTimeout {
		class = v1alpha1.ErrorUnavailable
	}
	return &cms.Error{Class: class, Message: e.Message, RetryAfter: e.RetryAfter}
}
