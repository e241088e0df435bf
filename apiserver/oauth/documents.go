package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/singleflight"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
)

const (
	// DocumentFresh is how long a document describes its client. After that it is read again when the client asks for access.
	DocumentFresh = 24 * time.Hour
	// DocumentStale is how long a document that cannot be read again still describes its client.
	DocumentStale = 7 * 24 * time.Hour
	// documentKept is how long a replica remembers the document of a client that nobody has let in yet, and documentFailed how long it does
	// not try again after a failure.
	documentKept, documentFailed = 10 * time.Minute, 30 * time.Second
	// documentsKept bounds how many a replica remembers.
	documentsKept = 500
	// documentsAtOnce bounds how many a replica reads at the same time.
	documentsAtOnce = 10
	// maxRedirects and maxRedirect are those of an OAuthClient, and maxName is that of its display name, in characters.
	maxRedirects, maxRedirect, maxName = 20, 2048, 200
)

// personDocuments and accountDocuments are the rates of the documents which one person, and all people of one account, have a replica read.
var personDocuments, accountDocuments = middleware.Rate{PerSecond: 1. / 12, AtOnce: 5}, middleware.Rate{PerSecond: 1, AtOnce: 20}

// ErrTooManyDocuments means that a person, their account, or everybody has this replica read too many documents.
var ErrTooManyDocuments = errors.New("too many documents of clients are being read")

// Documents makes clients of Client ID Metadata Documents. Such a client has no account, because it is for people of all of them: no
// account may change it, and only the operator of the installation may suspend it. It counts against the limit of each account that lets
// it in, by the grants. Its methods may be called from any goroutine.
type Documents struct {
	store    Store
	http     *http.Client
	log      logr.Logger
	known    *utilcache.LRUExpireCache
	people   *middleware.Throttle
	accounts *middleware.Throttle
	slots    chan struct{}
	reads    singleflight.Group
}

// NewDocuments returns the clients of the documents that are read with an HTTP client of package egress for addresses that customers name.
func NewDocuments(s Store, c *http.Client, log logr.Logger) *Documents {
	return &Documents{
		store: s, http: c, log: log, known: utilcache.NewLRUExpireCacheWithClock(documentsKept, s.Clock),
		people:   middleware.NewThrottle(s.Clock, personDocuments.PerSecond, personDocuments.AtOnce),
		accounts: middleware.NewThrottle(s.Clock, accountDocuments.PerSecond, accountDocuments.AtOnce),
		slots:    make(chan struct{}, documentsAtOnce),
	}
}

// DocumentClientName returns the name of the OAuthClient of a document.
func DocumentClientName(url string) string {
	sum := sha256.Sum256([]byte(url))
	const bytes = 20 // 160 bits, which are 32 characters
	return v1alpha1.DocumentClientPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:bytes]))
}

// open returns the client of a document for somebody who is signed in and is asked for access. If nobody has let it in yet, it has no
// uid, and is not stored. A document is read if it describes the client no longer. Errors are ErrUnknownClient, ErrSuspended,
// ErrTooManyDocuments, a *clientdocument.Error, or what kube-apiserver says.
func (d *Documents) open(ctx context.Context, url, account, person string) (*v1alpha1.OAuthClient, error) {
	stored, err := d.stored(ctx, url)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		found, err := d.read(ctx, url, account, person)
		if err != nil {
			return nil, err
		}
		return newDocumentClient(url, found)
	}
	age := d.store.Clock.Since(readAt(stored))
	if age < DocumentFresh {
		return stored, nil
	}
	found, err := d.read(ctx, url, account, person)
	if err == nil {
		return d.refresh(ctx, stored, found)
	}
	if refused, ok := errors.AsType[*clientdocument.Error](err); age >= DocumentStale || ok && refused.Final {
		return nil, err
	}
	return stored, nil
}

// stored returns the client of a document as kube-apiserver has it, or nil if there is none.
func (d *Documents) stored(ctx context.Context, url string) (*v1alpha1.OAuthClient, error) {
	found := &v1alpha1.OAuthClient{}
	err := d.store.Client.Get(ctx, client.ObjectKey{Name: DocumentClientName(url)}, found)
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the client of a document: %w: %w", ErrUnavailable, err)
	}
	if err := usable(found, url); err != nil {
		return nil, err
	}
	return found, nil
}

// usable returns an error if an object is not the client of a document, or is turned off.
func usable(found *v1alpha1.OAuthClient, url string) error {
	switch {
	case found.ClientID() != url || !found.DeletionTimestamp.IsZero():
		return ErrUnknownClient
	case found.Spec.Suspend:
		return ErrSuspended
	}
	return nil
}

// readAt returns when the document of a client was read last; the zero time if that is not known.
func readAt(c *v1alpha1.OAuthClient) time.Time {
	// What somebody else has written there counts as long ago.
	at, _ := time.Parse(time.RFC3339, c.Annotations[v1alpha1.ClientReadAnnotation])
	return at
}

// reading is what a replica knows of a document: what it says and when it was read, or why it cannot be read.
type reading struct {
	document clientdocument.Document
	at       time.Time
	err      error
}

// read returns the document at a URL, once for all that ask at the same time. It is read unless this replica has tried a moment ago.
func (d *Documents) read(ctx context.Context, url, account, person string) (reading, error) {
	if known, ok := d.known.Get(url); ok {
		found, _ := known.(reading)
		return found, found.err
	}
	// Names of accounts have no slash.
	if d.people.Take(account+"/"+person) > 0 || d.accounts.Take(account) > 0 {
		return reading{}, ErrTooManyDocuments
	}
	flight := d.reads.DoChan(url, func() (any, error) {
		select {
		case d.slots <- struct{}{}:
			defer func() { <-d.slots }()
		default:
			return reading{}, ErrTooManyDocuments
		}
		document, err := clientdocument.Fetch(context.WithoutCancel(ctx), d.http, url)
		found := reading{document, d.store.Clock.Now(), err}
		if err != nil {
			d.known.Add(url, found, documentFailed)
		} else {
			d.known.Add(url, found, documentKept)
		}
		return found, err
	})
	select {
	case <-ctx.Done():
		return reading{}, ctx.Err()
	case result := <-flight:
		found, _ := result.Val.(reading)
		return found, result.Err
	}
}

// newDocumentClient returns the client that a document describes, without storing it. It may not ask to approve: the operator of the
// installation can give it that scope.
func newDocumentClient(url string, r reading) (*v1alpha1.OAuthClient, error) {
	made := &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: DocumentClientName(url), Annotations: map[string]string{v1alpha1.ClientIDAnnotation: url}},
		Spec: v1alpha1.OAuthClientSpec{
			Type: v1alpha1.OAuthClientPublic, LoopbackPort: v1alpha1.LoopbackPortAny,
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite},
		},
	}
	return made, describe(made, r)
}

// describe writes what a document says into its client. What people decide stays: its scopes, and whether it is suspended.
func describe(c *v1alpha1.OAuthClient, r reading) error {
	uris := usableRedirects(r.document.RedirectURIs)
	switch {
	case len(uris) == 0:
		return clientdocument.Refused("its document has no redirect URI of https, or of http on 127.0.0.1 or [::1]")
	case len(uris) > maxRedirects:
		return clientdocument.Refused("its document has more than 20 redirect URIs")
	}
	url := c.Annotations[v1alpha1.ClientIDAnnotation]
	c.Spec.DisplayName = displayName(clientdocument.Host(url), r.document.Name)
	c.Spec.RedirectURIs = uris
	c.Spec.HomeURL, c.Spec.PolicyURL = ownPage(url, r.document.Home), ownPage(url, r.document.Policy)
	c.Spec.TermsURL = ownPage(url, r.document.Terms)
	c.Annotations[v1alpha1.ClientReadAnnotation] = r.at.UTC().Format(time.RFC3339)
	return nil
}

// displayName returns the name of a client: the host of its document, and what the document calls it, which may be somebody else's name.
func displayName(host, name string) string {
	called := []rune(strings.TrimSpace(name))
	if len(called) == 0 {
		return host
	}
	return host + " (" + string(called[:min(len(called), maxName-len(host)-len(" ()"))]) + ")"
}

// usableRedirects leaves out the redirect URIs that a registered client could not have either: a native client lists localhost beside
// 127.0.0.1, and schemes of its own. Nobody is ever sent there.
func usableRedirects(uris []string) []string {
	var usable []string
	for _, uri := range uris {
		if len(uri) <= maxRedirect && redirectForm.MatchString(uri) && !slices.Contains(usable, uri) {
			usable = append(usable, uri)
		}
	}
	return usable
}

// ownPage returns the address of a page if it is on the host of the document, and otherwise nothing: nobody has checked where it leads.
func ownPage(url, page string) string {
	const maxPage = 2048
	if len(page) > maxPage || !redirectForm.MatchString(page) || !strings.HasPrefix(page, "https://") ||
		clientdocument.Host(page) != clientdocument.Host(url) {
		return ""
	}
	return page
}

// refresh writes what a document says into its client, unless somebody has suspended, deleted or refreshed it meanwhile. It returns
// ErrUnknownClient or ErrSuspended in the first two cases.
func (d *Documents) refresh(ctx context.Context, stored *v1alpha1.OAuthClient, r reading) (*v1alpha1.OAuthClient, error) {
	url := stored.DocumentURL()
	if err := describe(stored.DeepCopy(), r); err != nil {
		return nil, err
	}
	changed, err := kube.Change(ctx, d.store.Client, client.ObjectKeyFromObject(stored), func(now *v1alpha1.OAuthClient) error {
		if err := usable(now, url); err != nil {
			return err
		}
		if !readAt(now).Before(r.at.Truncate(time.Second)) {
			return nil
		}
		return describe(now, r)
	})
	switch {
	case errors.Is(err, ErrUnknownClient), errors.Is(err, ErrSuspended):
		return nil, err
	case apierrors.IsNotFound(err):
		return nil, ErrUnknownClient
	case err != nil:
		return nil, fmt.Errorf("refreshing the client of a document: %w: %w", ErrUnavailable, err)
	}
	return changed, nil
}

// register stores the client of a document that a person lets in, or returns the one that another replica has stored meanwhile.
func (d *Documents) register(ctx context.Context, made *v1alpha1.OAuthClient) (*v1alpha1.OAuthClient, error) {
	url, made := made.DocumentURL(), made.DeepCopy()
	err := d.store.Client.Create(ctx, made)
	if apierrors.IsAlreadyExists(err) {
		stored, err := d.stored(ctx, url)
		if err == nil && stored == nil {
			err = ErrUnknownClient
		}
		return stored, err
	}
	if err != nil {
		return nil, fmt.Errorf("registering the client of a document: %w", err)
	}
	d.log.Info("registered the client of a metadata document", "client", made.Name, "url", url)
	return made, nil
}
