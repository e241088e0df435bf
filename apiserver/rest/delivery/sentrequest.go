package delivery

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

// SentRequest is the request that delivers an article to a webhook.
type SentRequest struct {
	Method  string       `json:"method" enum:"POST" doc:"Method of the request."`
	Host    string       `json:"host" doc:"With the port, if the URL has one." example:"blog.example.com"`
	Path    string       `json:"path" doc:"Without the query; empty without the scope manage, because it can hold a secret." example:"/hooks/pressroom"`
	URL     *string      `json:"url" doc:"The whole URL; null without the scope manage." example:"https://blog.example.com/hooks/pressroom?site=7"`
	Headers []SentHeader `json:"headers" doc:"By name, without the signature and what HTTP itself adds."`
	Body    string       `json:"body" doc:"The exact bytes."`

	Signature      string `json:"signature" doc:"Where the signature is, and why it is not shown."`
	RevisionDigest string `json:"revision_digest" doc:"Names the text that was sent."`
}

// SentHeader is one field of a request's header.
type SentHeader struct {
	Name  string `json:"name" doc:"Name, by which people know it." example:"X-SERVICE-Event"`
	Value string `json:"value" doc:"Value of the header." example:"post.publish"`
}

// SignatureNote says how the signature of a request is made (docs/reference/contract.md, Signature).
const SignatureNote = webhook.SignatureHeader + " is the lower-case hex HMAC-SHA256 of this body under the signing secret. " +
	"It is not shown: the REST API cannot read the secret."

// requestAgain makes the request of an article's last delivery again, as the controller does. If that is not possible, or if the site
// has changed since, the note says so.
func (s *Service) requestAgain(ctx context.Context, c *operation.Call, i article.Item) (request *SentRequest, note string, err error) {
	site, ok := s.Index.Site(c.Workspace, i.SiteUID)
	if !ok {
		return nil, "the article's site no longer exists", nil
	}
	if site.Object.Spec.CMS.Type != v1alpha1.CMSHeadless {
		return nil, "an article is sent to a site of this cms_type in several requests, which are not kept", nil
	}
	p := i.Object.Status.Publication
	if p.Cycle.Revision == nil {
		return nil, "the last delivery takes the post back", nil
	}
	revision := *p.Cycle.Revision
	sent, err := s.Sent(ctx, i.Object, revision)
	if apierrors.IsNotFound(err) {
		return nil, "the revision that was sent is no longer kept", nil
	}
	if err != nil {
		return nil, "", err
	}
	made, err := requestFor(site.Object, i.Object, sent, revision.Disclosure)
	if err != nil {
		return nil, "", err
	}
	if c.Principal.Has(v1alpha1.ScopeManage) {
		made.URL = new(site.Object.Spec.CMS.Headless.URL)
	} else {
		made.Path = ""
	}
	if !lifecycle.SameConnection(p.Cycle, site.Object) {
		note = "the site's connection has changed since the last attempt: this is what would be sent now"
	}
	return made, note, nil
}

func requestFor(site *v1alpha1.Site, a *v1alpha1.Article, sent *article.Text, disclosed v1alpha1.Disclosure) (*SentRequest, error) {
	article, err := publish.NewArticle(a, sent.Document)
	if err != nil {
		return nil, err
	}
	article.Disclosure = lifecycle.DisclosureNames[disclosed]
	r, err := webhook.Unsigned(site, article)
	if err != nil {
		return nil, err
	}
	to, err := url.Parse(r.URL)
	if err != nil {
		return nil, fmt.Errorf("reading the URL of %s: %w", site.Name, err)
	}
	out := &SentRequest{
		Method: http.MethodPost, Host: to.Host, Path: to.EscapedPath(), Headers: []SentHeader{}, Body: string(r.Body),
		Signature: SignatureNote, RevisionDigest: sent.Digest,
	}
	out.Path = cmp.Or(out.Path, "/")
	header := r.Header()
	for _, name := range slices.Sorted(maps.Keys(header)) {
		out.Headers = append(out.Headers, SentHeader{Name: name, Value: header[name][0]})
	}
	return out, nil
}
