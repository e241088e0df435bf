package dashboard

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

const (
	livePath = "/w/:workspace/live"
	// liveWrite is how long a browser may take to accept what is sent.
	liveWrite = 10 * time.Second
	// liveBusy is after how many seconds a browser asks again that was refused a stream because there are too many.
	liveBusy = 30
)

// serveLive opens a stream of server-sent events (HTML, section 9.2), each of which says that something in the workspace may have changed.
// A page that is visible then fetches itself. A refusal has a status that keeps a browser from coming back at once, and no page.
func (d *Dashboard) serveLive(c *gin.Context) {
	person, err := d.Login.Background(c)
	if err != nil {
		c.Status(refusedStatus(err))
		return
	}
	v := page.NewVisit(d.deps, c.Request, map[string]string{"workspace": c.Param("workspace")}, person)
	if v.Workspace == "" {
		c.Status(http.StatusNotFound)
		return
	}
	if !d.streams.Take(holderOf(person), 1) {
		c.Header("Retry-After", strconv.Itoa(liveBusy))
		c.Status(http.StatusServiceUnavailable)
		return
	}
	defer d.streams.Give(holderOf(person), 1)
	changed, stop := d.Watch(v.Workspace)
	defer stop()
	s := stream{
		clock: d.Clock, changed: changed, gone: c.Request.Context().Done(), ending: d.Ending,
		allowed: func() bool { return d.hasSameRights(c, person) }, send: eventWriter(c),
	}
	s.run()
}

// refusedStatus is the status for a request that a page makes by itself, and that is not answered with a page.
func refusedStatus(err error) int {
	switch {
	case errors.Is(err, login.ErrSignedOut):
		return http.StatusUnauthorized
	case errors.Is(err, pages.ErrTooMany):
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

// eventWriter begins the answer, and returns a function that sends a part of it.
func eventWriter(c *gin.Context) func(text string) error {
	connection := http.NewResponseController(c.Writer)
	// The server would take a connection for broken from which nothing comes.
	_ = connection.SetReadDeadline(time.Time{})
	c.Header("Content-Type", "text/event-stream")
	c.Header("X-Accel-Buffering", "no")
	c.Status(http.StatusOK)
	return func(text string) error {
		if err := connection.SetWriteDeadline(time.Now().Add(liveWrite)); err != nil {
			return err
		}
		if _, err := c.Writer.WriteString(text); err != nil {
			return err
		}
		if err := connection.Flush(); err != nil {
			return err
		}
		return connection.SetWriteDeadline(time.Time{})
	}
}

// hasSameRights reports whether a person has the rights that they had when the stream began. If they have others, their browser asks again.
func (d *Dashboard) hasSameRights(c *gin.Context, before login.Person) bool {
	now, err := d.Login.Background(c)
	return err == nil && now.SessionID == before.SessionID && now.Account == before.Account &&
		slices.Equal(now.Scopes, before.Scopes) && slices.Equal(now.Workspaces, before.Workspaces)
}
