package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

const (
	livePath = "/w/:workspace/live"
	// liveWrite is how long a browser may take to accept what is sent.
	liveWrite = 10 * time.Second
	// liveBusy is after which time a browser that finds no place comes back, in seconds.
	liveBusy = 30
	// rowPrefix begins the ids of the rows of articles, before the uid.
	rowPrefix = "a-"
)

// live is a stream of the parts of a page that change: server-sent events (HTML, section 9.2), until the browser goes, the replica drains,
// or the person may not see the page any more.
type live struct {
	dashboard *Dashboard
	context   *gin.Context
	person    login.Person
	page      *url.URL
	route     route
	params    map[string]string
	state     liveState
	// shown are the uids of the rows of articles that are looked up once they are in the list no more.
	shown []string
	// first is the page that was made to find out whether it can have a stream; nil once that has sent it.
	first *madePage
}

// serveLive opens a stream. A refusal has a status that keeps a browser from coming back at once, and no page.
func (d *Dashboard) serveLive(c *gin.Context) {
	person, err := d.login.Person(c)
	if err != nil {
		status := http.StatusServiceUnavailable
		if errors.Is(err, login.ErrSignedOut) {
			status = http.StatusUnauthorized
		}
		c.Status(status)
		return
	}
	l := &live{dashboard: d, context: c, person: person, state: liveState{rows: c.QueryArray("row"), hashes: map[string]uint64{}}}
	if !d.streams.open(person.SessionID) {
		c.Header("Retry-After", strconv.Itoa(liveBusy))
		c.Status(http.StatusServiceUnavailable)
		return
	}
	defer d.streams.close(person.SessionID)
	// A change from now on is either on the first page that is sent, or signalled.
	changed, stop := d.watch(c.Param("workspace"))
	defer stop()
	if status := l.find(c.Query("page"), c.Param("workspace")); status != http.StatusOK {
		c.Status(status)
		return
	}
	l.serve(changed)
}

// serve sends what changes of the page, each time that changed receives.
func (l *live) serve(changed <-chan struct{}) {
	c := l.context
	connection := http.NewResponseController(c.Writer)
	// The server would take a connection for broken from which nothing comes.
	_ = connection.SetReadDeadline(time.Time{})
	c.Header("Content-Type", "text/event-stream")
	c.Header("X-Accel-Buffering", "no")
	c.Status(http.StatusOK)
	send := func(text string) error {
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
	if send(fmt.Sprintf("retry: %d\n\n", streamRetry.Milliseconds())) != nil {
		return
	}
	s := stream{
		clock: l.dashboard.clock, changed: changed, gone: c.Request.Context().Done(), ending: l.dashboard.ending,
		allowed: l.allowed, update: func() error { return l.update(send) },
	}
	s.run()
}

// update sends what has changed of the page. A page that cannot be made at the moment is made again later.
func (l *live) update(send func(string) error) error {
	ctx, cancel := context.WithTimeout(l.context.Request.Context(), timeout)
	defer cancel()
	const alive = ":\n\n"
	made, err := l.now(ctx)
	if err != nil || made.answer.status != http.StatusOK || made.answer.template == "" {
		return send(alive)
	}
	var parts []livePart
	err = l.dashboard.withHTML(made.visit, made.answer, pages.Notice{}, func(page []byte) error {
		parts, err = liveParts(page)
		return err
	})
	if err != nil {
		return err
	}
	l.forgetGone(made.answer)
	message, some := l.state.changes(parts)
	if !some {
		return send(alive)
	}
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return send("data: " + string(data) + "\n\n")
}

// forgetGone looks no article up again that is in the list no more: it has been sent.
func (l *live) forgetGone(a *answer) {
	list, ok := a.body.(listView)
	if !ok {
		return
	}
	for _, row := range list.Rows {
		if row.Gone {
			l.shown = slices.DeleteFunc(l.shown, func(uid string) bool { return uid == row.UID })
		}
	}
}

// allowed reports whether the person has the rights that they had when the stream began. If they have others, their browser asks anew.
func (l *live) allowed() bool {
	now, err := l.dashboard.login.Person(l.context)
	return err == nil && now.SessionID == l.person.SessionID && now.Account == l.person.Account &&
		slices.Equal(now.Scopes, l.person.Scopes) && slices.Equal(now.Workspaces, l.person.Workspaces)
}
