// Package share has the operations that make share links, by which anybody who has one reads an article without an account, and that end
// them. A link carries all that it says, sealed: nothing is stored.
package share

import (
	"cmp"
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// Deps are what links need of the pages.
type Deps struct {
	// Keys seal links; nil if there are no pages.
	Keys seal.Sealer
	// Address returns the address of the pages, such as https://pressroom.example; empty if it is not known.
	Address func() string
}

// service has the operations.
type service struct {
	*article.Articles

	deps Deps
}

// Register adds the operations.
func Register(articles *article.Articles, d Deps) {
	s := &service{articles, d}
	Create.Handle(s.Core, s.create)
	End.Handle(s.Core, s.end)
	ReadShared.Handle(s.Core, s.readShared)
}

const (
	path       = "/v1/api/blogs/{uid}/share"
	sharedPath = "/v1/api/blogs/{uid}/shared"
	day        = 24 * time.Hour
	// usualDays is how long a link works if the request does not say.
	usualDays = 7
)

// Revision is the digest of a text in a request that makes a link.
type Revision string

// Schema describes a Revision.
func (Revision) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^sha256:[0-9a-f]{64}$", PatternDescription: "the revision_digest of a text that is kept",
		Description: "The only text that the link opens: revision_digest, or digest of one in list-revisions. It opens the newest one " +
			"if absent, also one that is written later.",
	}
}

type (
	// LinkRequest may name the text, and say how long the link works.
	LinkRequest struct {
		Revision Revision `json:"revision_digest,omitempty"`
		Days     int32    `json:"expires_in_days,omitempty" minimum:"1" maximum:"30" doc:"Days of 24 hours until the link ends; 7 if absent."`
	}
	// CreateInput is the input of share-article.
	CreateInput struct {
		article.OnArticle
		Body *LinkRequest
	}
	// LinkAnswer is a link.
	LinkAnswer struct {
		operation.Envelope
		URL       string `json:"url" format:"uri" doc:"Address of the page. Anyone who has it reads the text, without an account." example:"https://pressroom.example/share/Zm9v"`
		ExpiresAt string `json:"expires_at" format:"date-time" doc:"When the link ends, in whole seconds." example:"2026-12-07T09:00:00.000Z"`
	}
)

// Create makes a link.
var Create = operation.Operation[CreateInput, operation.Output[LinkAnswer]]{
	ID: "share-article", Method: http.MethodPost, Path: path, Tag: operation.TagEditorial, Scope: v1alpha1.ScopeWrite,
	Errors: operation.CreateErrors,
}

func (s *service) create(ctx context.Context, c *operation.Call, in *CreateInput) (*operation.Output[LinkAnswer], error) {
	// Who has the link reads the text.
	if !c.Principal.Has(v1alpha1.ScopeRead) {
		return nil, problem.InsufficientScope("read")
	}
	asked := ptr.Deref(in.Body, LinkRequest{})
	account, err := s.Account(ctx, c)
	if err != nil {
		return nil, err
	}
	if account.Spec.Sharing == v1alpha1.SharingForbidden {
		return nil, forbidden()
	}
	address, err := s.address()
	if err != nil {
		return nil, err
	}
	a, err := s.article(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	text, err := s.KeptText(ctx, a, string(asked.Revision))
	switch {
	case err != nil:
		return nil, err
	case text == nil && asked.Revision != "":
		return nil, problem.NotFound("revision")
	case text == nil:
		return nil, problem.Conflict(problem.ReasonNotReady, "the article has no text yet")
	}
	link := Link{
		Account: c.Principal.Account, Workspace: c.Workspace, Article: in.UID, Object: a.UID, Digest: string(asked.Revision),
		Expires: s.Clock.Now().Add(time.Duration(cmp.Or(asked.Days, usualDays)) * day).Truncate(time.Second).UTC(),
		Epoch:   epochOf(a), By: nameOf(c.Principal.Name),
	}
	sealed, err := link.seal(s.deps.Keys)
	if err != nil {
		s.Log.Error(err, "sealing a share link", "requestID", problem.RequestID(ctx))
		return nil, problem.Unavailable("there are no session keys yet, which seal share links: the operator creates them",
			problem.DefaultRetryAfter)
	}
	return operation.Answer(LinkAnswer{
		Envelope: operation.Succeeded, URL: address + Path + sealed, ExpiresAt: operation.Milliseconds(link.Expires),
	}), nil
}

// forbidden is the answer in an account whose drafts are not shared.
func forbidden() *problem.APIError {
	return problem.New(http.StatusForbidden, problem.CodeForbidden, "the account does not allow share links")
}

// address returns the address of the pages, or says what they miss.
func (s *service) address() (string, error) {
	if s.deps.Keys == nil {
		return "", problem.Conflict(problem.ReasonNotSupported,
			"share links need the pages, which this installation does not have: its operator sets --session-key-file")
	}
	address := s.deps.Address()
	if address == "" {
		return "", problem.Unavailable("share links need the address of the pages: the operator sets --base-url or --app-url",
			problem.DefaultRetryAfter)
	}
	return address, nil
}

// article reads an article of the call's workspace from kube-apiserver: an epoch that was changed on another replica counts at once.
func (s *service) article(ctx context.Context, c *operation.Call, uid string) (*v1alpha1.Article, error) {
	found, err := s.Find(ctx, c, uid)
	if err != nil {
		return nil, err
	}
	a := &v1alpha1.Article{}
	if err := s.Client.Get(ctx, client.ObjectKeyFromObject(found.Object), a); err != nil {
		return nil, err
	}
	if !a.DeletionTimestamp.IsZero() {
		return nil, problem.NotFound("article")
	}
	return a, nil
}

// End ends the links of an article.
var End = operation.Operation[article.OnArticle, operation.DeleteOutput]{
	ID: "end-share-links", Method: http.MethodDelete, Path: path, Tag: operation.TagEditorial, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusNoContent, Errors: operation.DeleteErrors,
}

func (s *service) end(ctx context.Context, c *operation.Call, in *article.OnArticle) (*operation.DeleteOutput, error) {
	_, err := s.Change(ctx, c, in.UID, article.Guard{}, func(a *v1alpha1.Article) error {
		metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.ShareEpochAnnotation, identity.NewName())
		return nil
	})
	return &operation.DeleteOutput{}, err
}

// SharedInput is the input of read-shared-text.
type SharedInput struct {
	article.OnArticle
	Object string `query:"object" maxLength:"64" doc:"metadata.uid of the article."`
	Digest string `query:"digest" maxLength:"71" doc:"Text that is asked for; the newest one if empty."`
	Epoch  string `query:"epoch" maxLength:"64" doc:"Epoch of the link, in hex."`
}

// Shared is a text that a link opens.
type Shared struct {
	operation.Unlisted

	// Digest of the text; empty if it is not a revision yet.
	Digest, Title string
	// HTML is the body, sanitised.
	HTML string
	// Language of the site, a BCP 47 tag.
	Language string
	Image    *article.Picture
	FAQ      []article.FAQEntry
}

// ReadShared returns the text that a link opens, which pages show to nobody known. It answers 404 if the link opens nothing any more, 410
// while the account is suspended, and 403 while it forbids links.
var ReadShared = operation.Operation[SharedInput, operation.Output[Shared]]{
	ID: "read-shared-text", Method: http.MethodGet, Path: sharedPath, Tag: operation.TagEditorial, Scope: v1alpha1.ScopeRead,
	Unlisted: true,
}

func (s *service) readShared(ctx context.Context, c *operation.Call, in *SharedInput) (*operation.Output[Shared], error) {
	account, err := s.Account(ctx, c)
	switch {
	case err != nil:
		return nil, err
	case !account.DeletionTimestamp.IsZero():
		return nil, problem.NotFound("account")
	case account.Spec.Suspend:
		return nil, problem.Gone("the account is suspended")
	case account.Spec.Sharing == v1alpha1.SharingForbidden:
		return nil, forbidden()
	}
	a, err := s.article(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	if string(a.UID) != in.Object || hex.EncodeToString(epochOf(a)) != in.Epoch {
		return nil, problem.NotFound("article")
	}
	text, err := s.KeptText(ctx, a, in.Digest)
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, problem.NotFound("revision")
	}
	shown := article.PresentContent(text.Document, text.HTML(), nil)
	out := Shared{Digest: text.Digest, Title: text.Document.Title, HTML: shown.ContentHTML, Image: shown.Image, FAQ: shown.FAQ}
	if site, ok := article.SiteOf(s.Core, a); ok {
		out.Language = revision.Language(site)
	}
	return operation.Answer(out), nil
}
