package dashboard

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/article"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/internal/publish/featuredimage"
)

// imagePath is where a reviewer's browser gets the featured image of an article, below Root. The hash of the file is in the path, so that
// a browser may keep it.
const imagePath = "/w/:workspace/articles/:uid/images/:sha256"

// The bounds of the images that are fetched for people.
const (
	// imageBytes are those that a replica has in memory, and those of an account and a person. Each image counts as at least leastImage, so
	// that slow hosts of small images take no more than 64 connections.
	imageBytes, imageBytesAccount, imageBytesPerson = 64 << 20, 20 << 20, featuredimage.MaxBytes

	leastImage = 1 << 20
)

// imagePolicy is the Content-Security-Policy of an image that is opened by itself.
const imagePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// The images that a person, and an account with all its people, may have fetched.
var (
	personImages  = middleware.Rate{PerSecond: 1, AtOnce: 20}
	accountImages = middleware.Rate{PerSecond: 4, AtOnce: 40}
)

// imageShares bound what images cost.
type imageShares struct {
	rate *middleware.Shares
	// turns has the images of a person fetched one after the other.
	turns  *middleware.Turns
	memory *middleware.Budget
}

func newImageShares(c clock.PassiveClock) *imageShares {
	return &imageShares{
		rate: middleware.NewShares(c, personImages, accountImages), turns: middleware.NewTurns(1),
		memory: middleware.NewBudget(middleware.Bounds{All: imageBytes, Account: imageBytesAccount, Person: imageBytesPerson}),
	}
}

// take waits for the turn of a person, and takes what an image costs. If there is too little left, it returns after which time there may
// be more. release gives back what was taken.
func (s *imageShares) take(ctx context.Context, p login.Person, bytes int64) (release func(), wait time.Duration, err error) {
	if wait := s.rate.Take(p.Account+"/"+p.ID, p.Account); wait > 0 {
		return nil, wait, nil
	}
	end, err := s.turns.Wait(ctx, p.Account+"/"+p.ID)
	if err != nil {
		return nil, 0, err
	}
	holder, n := holderOf(p), max(bytes, leastImage)
	if !s.memory.Take(holder, n) {
		end()
		return nil, time.Second, nil
	}
	return func() {
		s.memory.Give(holder, n)
		end()
	}, 0, nil
}

// The answers to a browser that gets no image. The page shows them.
const (
	imageUnknown = "The text has no such image any more. Load the page again."
	imageBusy    = "Too many images at once. Load the page again in a few seconds."
	imageOther   = "The address of the image leads to another file now than the one that this text was reviewed with. " +
		"Nothing is published with it: have the file put back, or edit the article to have the new one reviewed."
)

// serveImage answers with the file of an image that a revision has, which the facade fetches from its host: a browser that asked by itself
// might get another one. Only that file is sent on.
func (d *Dashboard) serveImage(c *gin.Context) {
	person, err := d.Login.Background(c)
	if err != nil {
		c.Status(refusedStatus(err))
		return
	}
	v := d.visit(c, person)
	if v.Workspace == "" {
		noImage(c, http.StatusNotFound, imageUnknown)
		return
	}
	image, err := article.PinnedImage(v)
	switch {
	case err != nil:
		noImage(c, v.Failure(err).Status, page.ProblemOf(err))
	case image == nil:
		noImage(c, http.StatusNotFound, imageUnknown)
	default:
		d.sendImage(c, person, *image)
	}
}

// sendImage fetches an image for a person, and sends it.
func (d *Dashboard) sendImage(c *gin.Context, person login.Person, image v1alpha1.RevisionImage) {
	release, wait, err := d.images.take(c.Request.Context(), person, image.Bytes)
	if err != nil || wait > 0 {
		c.Header("Retry-After", strconv.Itoa(int(math.Ceil(max(wait, time.Second).Seconds()))))
		noImage(c, http.StatusTooManyRequests, imageBusy)
		return
	}
	defer release()
	file, err := d.Images.Read(c.Request.Context(), image)
	if err != nil {
		status, message := refusedImage(err)
		noImage(c, status, message)
		return
	}
	c.Header("Content-Security-Policy", imagePolicy)
	c.Header("Cache-Control", "private, max-age=86400, immutable")
	c.Data(http.StatusOK, image.Type, file)
}

// noImage answers with the reason why there is no image.
func noImage(c *gin.Context, status int, message string) {
	c.Data(status, "text/plain; charset=utf-8", []byte(message))
}

// refusedImage returns the status and the message for an image that is not sent.
func refusedImage(err error) (status int, message string) {
	e, ok := errors.AsType[*featuredimage.Error](err)
	switch {
	case !ok:
		return http.StatusBadGateway, "The image cannot be fetched."
	case e.Class == v1alpha1.ErrorImageChanged:
		return http.StatusConflict, imageOther
	default:
		return http.StatusBadGateway, page.Sentence(e.Message)
	}
}
