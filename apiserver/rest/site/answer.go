package site

import (
	"strconv"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

type (
	// SiteOutput is the answer of get-site.
	SiteOutput struct {
		ETag string `header:"ETag" doc:"Names this state of the site, for If-Match."`
		Body SiteAnswer
	}
	// WrittenSiteOutput is the answer of the operations that write a site. It may contain a secret, so it is never cached.
	WrittenSiteOutput struct {
		ETag         string `header:"ETag" doc:"Names this state of the site, for If-Match."`
		CacheControl string `header:"Cache-Control"`
		Body         WrittenSite
	}
)

// LogEntry is what the log says of the operation.
func (out *WrittenSiteOutput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Object: out.Body.UID}
}

// answer returns a site as the answer to a call, and its entity tag.
func (s *service) answer(c *operation.Call, i index.Site) (*SiteOutput, error) {
	out := SiteAnswer{Envelope: operation.Succeeded, Site: s.present(i), SiteDetails: presentDetails(i.Object)}
	if !c.Principal.Has(v1alpha1.ScopeManage) {
		out.Connection = ConnectionFields{}
	}
	tag, err := operation.Tag(writtenTag(i.Object), out)
	return &SiteOutput{ETag: tag, Body: out}, err
}

// written returns a site that was just written, with the signing secret that was made for it.
func (s *service) written(c *operation.Call, site *v1alpha1.Site, secret string) (*WrittenSiteOutput, error) {
	out, err := s.answer(c, indexed(site))
	if err != nil {
		return nil, err
	}
	body := WrittenSite{SiteAnswer: out.Body, SigningSecret: secret}
	return &WrittenSiteOutput{ETag: out.ETag, CacheControl: "no-store", Body: body}, nil
}

// writtenTag identifies what people have written of a site.
func writtenTag(site *v1alpha1.Site) string { return strconv.FormatInt(site.Generation, 10) }
