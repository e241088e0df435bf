package login

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

const (
	// LinkPath signs in anyone who opens a link that NewLink has made, if the facade listens on a loopback address only.
	LinkPath    = "/oauth/sign-in/link"
	purposeLink = "sign-in link"
)

// NewLink returns the path and the query of a link that signs in once, within pages.FormLife, as the holder of the API key that has the
// id and the metadata.uid. Anyone who can seal it could make a session as well.
func NewLink(keys seal.Sealer, now time.Time, keyID string, uid types.UID) (string, error) {
	ticket, err := pages.SealTicket(keys, now, purposeLink, "", keyID+" "+string(uid))
	return LinkPath + "?" + url.Values{"ticket": {ticket}}.Encode(), err
}

// followLink signs in by a link. Nobody else can have made the request: it comes from this machine, and no proxy has sent it on.
func (l *Login) followLink(c *gin.Context) {
	t, err := l.Frame.OpenTicket(purposeLink, c.Query("ticket"))
	if err != nil || !fromLoopback(c.Request) || l.once.Take(t.ID) > 0 {
		l.Frame.Message(c, http.StatusGone, "This link works no more",
			"It works once, within an hour, on the machine that it was made on. Sign in with an API key instead.")
		return
	}
	id, uid, _ := strings.Cut(string(t.Subject), " ")
	if err := l.sessions.Start(c.Writer, Session{KeyID: id, KeyUID: types.UID(uid)}); err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	pages.Redirect(c, l.Home)
}

// fromLoopback reports whether a request comes from this machine, and not through a proxy.
func fromLoopback(q *http.Request) bool {
	from, err := netip.ParseAddrPort(q.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback() && q.Header.Get("X-Forwarded-For") == "" && q.Header.Get("Forwarded") == ""
}
