package sites

import (
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// newSite asks for the type of CMS first, and then for what a site of it needs.
func newSite(v *page.Visit) (*page.Answer, error) {
	types, err := cmsTypes(v)
	if err != nil {
		return nil, err
	}
	view := siteForm{Types: types, Type: cmsType(types, v.Query("type")), Shown: shownNow(v)}
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
	shown, err := shownAt(v)
	if err != nil {
		return nil, err
	}
	view := siteForm{
		Types: types, Type: cmsType(types, body.CMSType), Domain: body.Domain, Name: body.Name.Value, Shown: shown.Format(time.RFC3339Nano),
	}
	if view.Type == nil {
		return v.Page("new.html", "Connect a site", view).With(http.StatusUnprocessableEntity), nil
	}
	body.Connection = v.FormGroup("connection")
	out, err := create(v, body, shown)
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
	done := "The site is saved. Its connection is tested within a few seconds."
	if !view.Type.Testable {
		done = "The site is saved."
	}
	return v.Redirect(v.Path("sites", made.UID), done), nil
}

// create connects a site, unless it could not be told from one that there was when the form was shown.
func create(v *page.Visit, body restsite.CreateSiteRequest, shown time.Time) (out restsite.WrittenOutput, err error) {
	if err := refuseTwin(v, "", body.Domain, body.Name.Value, shown); err != nil {
		return out, err
	}
	return page.Call(v, restsite.Create, restsite.CreateInput{Idempotent: v.Once(), Body: body})
}

// shownAt is the time at which the form that was sent was shown first.
func shownAt(v *page.Visit) (time.Time, error) {
	form, err := page.FormAs[struct{ Shown string }](v)
	if at, ok := page.TimeOf(form.Shown); ok {
		return at, err
	}
	return v.Now(), err
}

// shownNow is the time at which a form is shown, in milliseconds, as sites have that at which they were made.
func shownNow(v *page.Visit) string {
	return v.Now().UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)
}

// showSiteSecret shows the signing secret that was made for a webhook.
func showSiteSecret(v *page.Visit, made restsite.WrittenSite) *page.Answer {
	return v.ShowSecret(page.SecretView{
		Heading: "The site is saved", Label: "Signing secret", Receivers: true, Secret: made.SigningSecret, Next: v.Path("sites", made.UID),
		Lead: "Your site verifies with this secret that a request comes from here: X-SERVICE-Signature is the lower-case hex " +
			"HMAC-SHA256 of " +
			"the body's bytes under it. A test was sent just now; it succeeds once your site has the secret.",
		Fields: []page.SecretField{{Label: "Site", Value: made.Name}, {Label: "Webhook", Value: made.Connection["url"]}},
	})
}
