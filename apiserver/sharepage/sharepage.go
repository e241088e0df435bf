// Package sharepage has the page that a share link opens: the text of an article, for somebody without an account. It leads nowhere,
// changes nothing, and runs nothing.
package sharepage

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/reading"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/share"
	"github.com/pressroom-dev/pressroom/internal/embedded"
)

const (
	// perAddress is how many links an address may open in a second, at this replica.
	perAddress = 5
	// perArticle is how many links of an article may be opened in a second, at this replica: reading counts for the account.
	perArticle = 20
	// timeout bounds an opening.
	timeout = 15 * time.Second
)

// Options configure the page.
type Options struct {
	Frame *pages.Frame
	// Keys open links.
	Keys seal.Sealer
	// API reads the texts.
	API *operation.Local
	// Client returns the network that a request comes from.
	Client func(*http.Request) string
	Clock  clock.PassiveClock
	Log    logr.Logger
}

// Page is the handler. Its methods may be called from any goroutine.
type Page struct {
	Options

	addresses, articles *middleware.Throttle
}

// New returns the page.
func New(o Options) *Page {
	return &Page{
		Options: o, addresses: middleware.NewThrottle(o.Clock, perAddress, perAddress),
		articles: middleware.NewThrottle(o.Clock, perArticle, perArticle),
	}
}

// Mount serves the page on a router.
func (p *Page) Mount(r gin.IRouter) {
	g := p.Frame.Bounded(r, pages.Bounds{Timeout: timeout})
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		g.Handle(method, share.Path+":link", p.show)
	}
}

// view is the data of the page.
type view struct {
	reading.Text

	// By is who has made the link; empty if they have no name.
	By string
	// Pinned means that the link opens this text alone.
	Pinned bool
	// Until is when the link ends, for programs, and UntilWords for people.
	Until, UntilWords string
	FAQ               []restarticle.FAQEntry
}

func (p *Page) show(c *gin.Context) {
	c.Header("X-Robots-Tag", "noindex, nofollow, noarchive")
	if p.tooMany(c, p.addresses, p.Client(c.Request)) {
		return
	}
	link, err := share.OpenLink(p.Keys, c.Param("link"), p.Clock.Now())
	if err != nil {
		p.refuse(c, problem.NotFound("link"))
		return
	}
	if p.tooMany(c, p.articles, link.Workspace+"/"+link.Article) {
		return
	}
	out, err := share.ReadShared.Call(c.Request.Context(), p.API, link.Reader(), link.Input())
	if err != nil {
		p.refuse(c, err)
		return
	}
	if err := p.write(c, link, out.Body); err != nil {
		p.refuse(c, err)
		return
	}
	if c.Request.Method == http.MethodGet {
		p.note(c, link, out.Body)
	}
}

// tooMany reports whether a key must wait, and answers then.
func (p *Page) tooMany(c *gin.Context, t *middleware.Throttle, key string) bool {
	wait := t.Take(key)
	if wait > 0 {
		p.wait(c, wait)
	}
	return wait > 0
}

func (p *Page) wait(c *gin.Context, wait time.Duration) {
	c.Header("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
	p.Frame.Message(c, http.StatusTooManyRequests, "Too many at once", "Load the page again in a few seconds.")
}

// write answers with a text.
func (p *Page) write(c *gin.Context, link share.Link, found share.Shared) error {
	v := view{
		By: pages.DisplayName(link.By, ""), Pinned: link.Digest != "", FAQ: found.FAQ,
		Until: link.Expires.Format(time.RFC3339), UntilWords: link.Expires.Format("2 January 2006, 15:04 MST"),
		Text: reading.Text{
			Title: found.Title, Language: found.Language, HTML: reading.Sanitised(found.HTML), Image: found.Image,
			Images: c.Query("images") == "1", ImagesPath: "?images=1",
		},
	}
	header := v.Complete(reading.Alone)
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, "share.html", v); err != nil {
		return err
	}
	maps.Copy(c.Writer.Header(), header)
	c.Data(http.StatusOK, "text/html; charset=utf-8", text.Bytes())
	return nil
}

// refuse says why there is no text. What does not open is never told apart: there is nothing at the address.
func (p *Page) refuse(c *gin.Context, err error) {
	refused, ok := errors.AsType[*problem.APIError](err)
	status := http.StatusServiceUnavailable
	if ok {
		status = refused.GetStatus()
	}
	switch status {
	case http.StatusNotFound, http.StatusUnauthorized:
		p.Frame.Message(c, http.StatusNotFound, "Not found",
			"There is nothing here, or not any more. Ask the person who sent you the link.")
	case http.StatusGone:
		p.Frame.Message(c, status, "Not shown now", "The account that shares this text is suspended.")
	case http.StatusForbidden:
		p.Frame.Message(c, status, "Not shared", "The account that shared this text does not allow that any more.")
	case http.StatusTooManyRequests:
		p.wait(c, time.Second)
	default:
		// The path would be the link itself: it is not logged.
		p.Log.Error(err, "opening a share link", "requestID", problem.RequestID(c.Request.Context()))
		c.Header("Retry-After", "5")
		p.Frame.Message(c, http.StatusServiceUnavailable, "Not available at the moment", "Load the page again in a few seconds.")
	}
}

// note writes a line like that of an operation. Who reads is not known.
func (p *Page) note(c *gin.Context, link share.Link, found share.Shared) {
	p.Log.Info("operation", "by", link.Reader().Name, "account", link.Account, "operation", share.ReadShared.ID, "result", "done",
		"status", http.StatusOK, "requestID", problem.RequestID(c.Request.Context()), "workspace", link.Workspace, "article", link.Article,
		"digest", found.Digest)
}

//go:embed *.html
var files embed.FS

var templates = embedded.MustParse(embedded.MustParse(template.New("").Funcs(reading.Funcs), reading.Templates, "*.html"), files, "*.html")
