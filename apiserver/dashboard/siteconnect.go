package dashboard

import (
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

func siteManageRoutes() []route {
	return []route{
		page("/w/:workspace/sites/new", v1alpha1.ScopeManage, newSite),
		form("/w/:workspace/sites/new", v1alpha1.ScopeManage, "create-site", connectSite),
		page("/w/:workspace/sites/:uid/edit", v1alpha1.ScopeManage, editSite),
		form("/w/:workspace/sites/:uid/edit", v1alpha1.ScopeManage, "edit-site", saveSite),
		form("/w/:workspace/sites/:uid/connection", v1alpha1.ScopeManage, "edit-site", saveConnection),
		form("/w/:workspace/sites/:uid/delete", v1alpha1.ScopeManage, "delete-site", deleteSite),
	}
}

// newSite asks for the type of CMS first, and then for what a site of it needs.
func newSite(v *visit) (*answer, error) {
	types, err := v.cmsTypes()
	if err != nil {
		return nil, err
	}
	view := siteForm{Types: types, Type: cmsType(types, v.query("type"))}
	if view.Type != nil {
		view.Fields = connectionFields(view.Type, nil, nil)
	}
	return v.page("sitenew.html", "Connect a site", view), nil
}

func connectSite(v *visit) (*answer, error) {
	types, err := v.cmsTypes()
	if err != nil {
		return nil, err
	}
	view := siteForm{Types: types, Type: cmsType(types, v.form("cms_type")), Domain: v.form("domain"), Name: v.form("name")}
	if view.Type == nil {
		return v.page("sitenew.html", "Connect a site", view).with(http.StatusUnprocessableEntity), nil
	}
	typed := v.connectionOf(view.Type, false)
	body := rest.ConnectSiteRequest{Domain: view.Domain, CMSType: view.Type.CMSType, Connection: typed}
	if view.Name != "" {
		body.Name = &view.Name
	}
	made, err := call[rest.SiteSettingsAnswer](v, rest.Request{Operation: "create-site", Header: v.once(), Body: body})
	if refused, ok := refusal(err); ok && refused.GetStatus() < http.StatusInternalServerError {
		view.Fields = connectionFields(view.Type, typed, nil)
		return v.page("sitenew.html", "Connect a site", view.refusedBy(err)).with(http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return nil, err
	}
	if made.SigningSecret != "" {
		return v.showSiteSecret(made), nil
	}
	done := "Connected. The connection is being tested; its outcome appears below within a few seconds."
	if !view.Type.Testable {
		done = "Connected."
	}
	return v.redirect(v.path("sites", made.UID), done), nil
}

// showSiteSecret shows the signing secret that was made for a webhook.
func (v *visit) showSiteSecret(made rest.SiteSettingsAnswer) *answer {
	return v.showSecret(secretView{
		Heading: "Connected", Label: "Signing secret", Receivers: true, Secret: made.SigningSecret, Next: v.path("sites", made.UID),
		Lead: "Your site verifies with this secret that a request comes from here: X-SERVICE-Signature is the lower-case hex " +
			"HMAC-SHA256 of " +
			"the body's bytes under it. A test was sent just now; it succeeds once your site has the secret.",
		Fields: []secretField{{"Site", made.Name}, {"Webhook", made.ConnectionFields["url"]}},
	})
}
