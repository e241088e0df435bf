package sites

import (
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// newSite asks for the type of CMS first, and then for what a site of it needs.
func newSite(v *page.Visit) (*page.Answer, error) {
	types, err := cmsTypes(v)
	if err != nil {
		return nil, err
	}
	view := siteForm{Types: types, Type: cmsType(types, v.Query("type"))}
	if view.Type != nil {
		view.Fields = connectionFields(view.Type, nil, nil)
	}
	return v.Page("new.html", "Connect a site", view), nil
}

func connectSite(v *page.Visit) (*page.Answer, error) {
	types, err := cmsTypes(v)
	if err != nil {
		return nil, err
	}
	view := siteForm{Types: types, Type: cmsType(types, v.Form("cms_type")), Domain: v.Form("domain"), Name: v.Form("name")}
	if view.Type == nil {
		return v.Page("new.html", "Connect a site", view).With(http.StatusUnprocessableEntity), nil
	}
	typed := connectionOf(v, view.Type, false)
	body := restsite.CreateSiteRequest{Domain: view.Domain, CMSType: view.Type.CMSType, Connection: typed}
	if view.Name != "" {
		body.Name = patch.Of(view.Name)
	}
	out, err := page.Call(v, restsite.Create, restsite.CreateInput{Idempotent: v.Once(), Body: body})
	view.Fields = connectionFields(view.Type, typed, nil)
	if view.takeRefusal(err) {
		return v.Page("new.html", "Connect a site", view).With(http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return v.ShownBefore(err, func(uid string) string { return v.Path("sites", uid) })
	}
	made := out.Body
	if made.SigningSecret != "" {
		return showSiteSecret(v, made), nil
	}
	done := "Connected. The connection is being tested; its outcome appears below within a few seconds."
	if !view.Type.Testable {
		done = "Connected."
	}
	return v.Redirect(v.Path("sites", made.UID), done), nil
}

// showSiteSecret shows the signing secret that was made for a webhook.
func showSiteSecret(v *page.Visit, made restsite.WrittenSite) *page.Answer {
	return v.ShowSecret(page.SecretView{
		Heading: "Connected", Label: "Signing secret", Receivers: true, Secret: made.SigningSecret, Next: v.Path("sites", made.UID),
		Lead: "Your site verifies with this secret that a request comes from here: X-SERVICE-Signature is the lower-case hex " +
			"HMAC-SHA256 of " +
			"the body's bytes under it. A test was sent just now; it succeeds once your site has the secret.",
		Fields: []page.SecretField{{Label: "Site", Value: made.Name}, {Label: "Webhook", Value: made.Connection["url"]}},
	})
}
