package login

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

const (
	// LinkPath signs in anyone who opens a link that NewLink has made, if the facade listens on a loopback address only.
	LinkPath    = "/oauth/sign-in/link"
	purposeLink = "sign-in link"
	// linkLife is how long a link works, unless it is used before.
	linkLife = time.Hour
)

// link is what the address of a link has sealed.
type link struct {
	ID      string    `json:"id"`
	KeyID   string    `json:"key"`
	Account string    `json:"account"`
	Expires time.Time `json:"exp"`
}

// NewLink returns the path and the query of a link that signs in once, within an hour, as the holder of an API key. Anyone who can seal it
// could make a session as well.
func NewLink(keys seal.Sealer, now time.Time, keyID, account string) (string, error) {
	text, err := json.Marshal(link{rand.Text(), keyID, account, now.Add(linkLife).UTC()})
	if err != nil {
		return "", fmt.Errorf("writing a sign-in link: %w", err)
	}
	sealed, err := keys.Seal(purposeLink, text)
	if err != nil {
		return "", fmt.Errorf("sealing a sign-in link: %w", err)
	}
	return LinkPath + "?" + url.Values{"ticket": {sealed}}.Encode(), nil
}

// usedLinks are the links that have been used, and when they would have expired. The zero value is ready.
type usedLinks struct {
	mu  sync.Mutex
	ids map[string]time.Time
}

// use reports whether a link is used for the first time.
func (u *usedLinks) use(l link, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ids == nil {
		u.ids = map[string]time.Time{}
	}
	for id, expires := range u.ids {
		if !now.Before(expires) {
			delete(u.ids, id)
		}
	}
	if _, used := u.ids[l.ID]; used {
		return false
	}
	u.ids[l.ID] = l.Expires
	return true
}

// followLink signs in by a link. Nobody else can have made the request: it comes from this machine, and no proxy has sent it on.
func (l *Login) followLink(c *gin.Context) {
	now := l.Frame.Cookies.Clock.Now()
	to, ok := l.readLink(c.Query("ticket"))
	if !ok || !fromLoopback(c.Request) || !now.Before(to.Expires) || !l.used.use(to, now) {
		l.Frame.Message(c, http.StatusGone, "This link works no more",
			"It works once, within an hour, on the machine that it was made on. Sign in with an API key instead.")
		return
	}
	if err := l.sessions.Start(c.Writer, Session{KeyID: to.KeyID, Account: to.Account}); err != nil {
		l.Frame.Unavailable(c, err)
		return
	}
	pages.Redirect(c, l.Home)
}

func (l *Login) readLink(sealed string) (link, bool) {
	text, err := l.Frame.Cookies.Keys.Open(purposeLink, sealed)
	if err != nil {
		return link{}, false
	}
	var to link
	return to, json.Unmarshal(text, &to) == nil
}

// fromLoopback reports whether a request comes from this machine, and not through a proxy.
func fromLoopback(q *http.Request) bool {
	host, _, err := net.SplitHostPort(q.RemoteAddr)
	if err != nil || q.Header.Get("X-Forwarded-For") != "" || q.Header.Get("Forwarded") != "" {
		return false
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
