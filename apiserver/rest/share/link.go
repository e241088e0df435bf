package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// Path is that of the page, below the address of the pages. The sealed Link follows.
const Path = "/share/"

// purpose that a Link is sealed for.
const purpose = "share"

// Link is what a share link carries, sealed. Nothing of it is stored.
type Link struct {
	Account, Workspace string
	// Article is the uid of the article, and Object its metadata.uid: a later article of the same name is another one.
	Article string
	Object  types.UID
	// Digest of the only text that the link opens; empty for the newest one.
	Digest string
	// Expires is when the link ends, in UTC.
	Expires time.Time
	// Epoch of the article's share links, as epochOf returns it.
	Epoch []byte
	// By is the name of who made the link, for people; empty if it has none.
	By string
}

// epochOf returns the epoch of an article's share links; nil if the article has none. It is a hash, because an annotation may be long.
func epochOf(a *v1alpha1.Article) []byte {
	value, ok := a.Annotations[v1alpha1.ShareEpochAnnotation]
	if !ok {
		return nil
	}
	sum := sha256.Sum256([]byte(value))
	return sum[:12]
}

// seal returns the link as it stands in an address.
func (l Link) seal(keys seal.Sealer) (string, error) {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(l); err != nil {
		return "", fmt.Errorf("writing a share link: %w", err)
	}
	return keys.Seal(purpose, text.Bytes())
}

// errEnded means that a link has expired, or was not sealed here.
var errEnded = errors.New("the share link does not open")

// OpenLink returns the link that was sealed here, unless it has expired. Whether its article can still be read, ReadShared says.
func OpenLink(keys seal.Sealer, sealed string, now time.Time) (Link, error) {
	text, err := keys.Open(purpose, sealed)
	if err != nil {
		return Link{}, errEnded
	}
	var l Link
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&l); err != nil || !now.Before(l.Expires) {
		return Link{}, errEnded
	}
	return l, nil
}

// nobody is the name of who opens a link.
const nobody = "nobody known"

// Reader is who opens the link: it may read the workspace of the article, for one call of ReadShared.
func (l Link) Reader() auth.Principal {
	return auth.Principal{
		ID: purpose + ":" + l.Article, Account: l.Account, Name: nobody, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
		Workspaces: []string{l.Workspace},
	}
}

// Input asks for the text that the link opens.
func (l Link) Input() SharedInput {
	in := SharedInput{Object: string(l.Object), Digest: l.Digest, Epoch: hex.EncodeToString(l.Epoch)}
	in.OnArticle = article.OnArticle{InWorkspace: operation.InWorkspace{Workspace: l.Workspace}, UID: l.Article}
	return in
}

// nameOf returns the name of a person without their apps and the id of their key, which are nobody else's business; empty if nothing else
// is left.
func nameOf(by string) string {
	person := grant.PersonBehind(by)
	if _, key := grant.KeyOf(person); !key {
		return person
	}
	name, ok := strings.CutSuffix(by, " ("+person+")")
	if !ok {
		return ""
	}
	return name
}
