package sites

import (
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
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
	body, err := page.FormAs[restsite.CreateSiteRequest](v)
	if err != nil {
		return nil, err
	}
	types, err := cmsTypes(v)
	if err != nil {
		return nil, err
	}
	view := siteForm{Types: types, Type: cmsType(types, body.CMSType), Domain: body.Domain, Name: body.Name.Value}
	if view.Type == nil {
		return v.Page("new.html", "Connect a site", view).With(http.StatusUnprocessableEntity), nil
	}
	body.Connection = v.FormGroup("connection")
	out, err := page.Call(v, restsite.Create, restsite.CreateInput{Idempotent: v.Once(), Body: body})
	refused := view.Refused(err)
	view.Fields = connectionFields(view.Type, body.Connection, view.Problems)
	if refused {
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
