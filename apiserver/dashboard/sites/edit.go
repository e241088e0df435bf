package sites

import (
	"encoding/json"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// readSiteForm returns the forms of a site as it is. The type of its connection can be another one, which is chosen.
func readSiteForm(v *page.Visit, chosen string) (siteForm, error) {
	found, err := page.Call(v, restsite.Get, onSite(v))
	if err != nil {
		return siteForm{}, err
	}
	site := found.Body
	types, err := cmsTypes(v)
	if err != nil {
		return siteForm{}, err
	}
	view := siteForm{
		Site: &site, Types: types, Type: cmsType(types, chosen), Domain: site.Domain, Name: site.Name,
		MayApprove: v.May(v1alpha1.ScopeApprove), Settings: settingsOf(&site), Read: jsonOf(settingsOf(&site)),
		ConnectionRead: jsonOf(&restsite.ExpectedSite{CMSType: &site.CMSType, Connection: site.Connection}),
	}
	if view.Type == nil {
		view.Type = cmsType(types, site.CMSType)
	}
	if view.Type != nil {
		values := map[string]string(site.Connection)
		if view.Type.CMSType != site.CMSType {
			values = nil
		}
		view.Fields = connectionFields(view.Type, values, nil)
	}
	return view, nil
}

// onSite names the site of the page.
func onSite(v *page.Visit) restsite.OnSite { return restsite.OnSite{UID: v.Param("uid")} }

func editSite(v *page.Visit) (*page.Answer, error) {
	view, err := readSiteForm(v, v.Query("type"))
	if err != nil {
		return nil, err
	}
	return v.Page("edit.html", "Edit "+view.Name, view), nil
}

// saveSite saves the changes of name, voice and policies.
func saveSite(v *page.Visit) (*page.Answer, error) {
	typed, read := sentSettings(v)
	body, err := page.BodyOf[restsite.UpdateSiteRequest](changes(typed, read, v.May(v1alpha1.ScopeApprove)))
	if err != nil {
		return nil, err
	}
	_, err = page.Call(v, restsite.Update, restsite.UpdateInput{OnSite: onSite(v), Body: body})
	if refused, ok := page.Refusal(err); ok && isAboutForm(refused.GetStatus()) {
		return editAgain(v, "", err, func(view *siteForm) { view.typed(typed, read) })
	}
	return v.Done(v.Path("sites", v.Param("uid")), "Saved.", err)
}

// saveConnection saves where articles are sent to, for which the credentials are typed again.
func saveConnection(v *page.Visit) (*page.Answer, error) {
	types, err := cmsTypes(v)
	if err != nil {
		return nil, err
	}
	chosen := cmsType(types, v.Form("cms_type"))
	if chosen == nil {
		return v.RedirectProblem(v.Path("sites", v.Param("uid"), "edit"), "Choose a type of CMS from the list."), nil
	}
	// The settings that the form was shown with.
	var read *restsite.ExpectedSite
	if json.Unmarshal([]byte(v.Form("read")), &read) != nil {
		read = nil
	}
	typed := connectionOf(v, chosen, true)
	body := restsite.UpdateSiteRequest{
		CMSType: &chosen.CMSType, Connection: restsite.ConnectionUpdate(typed), NewSigningSecret: v.Form("new_signing_secret") != "",
		Expected: read,
	}
	out, err := page.Call(v, restsite.Update, restsite.UpdateInput{OnSite: onSite(v), Body: body})
	if refused, ok := page.Refusal(err); ok && isAboutForm(refused.GetStatus()) {
		return editAgain(v, string(chosen.CMSType), err, func(view *siteForm) {
			view.Fields = connectionFields(view.Type, typed, nil)
		})
	}
	if err != nil {
		return nil, err
	}
	saved := out.Body
	if saved.SigningSecret != "" {
		return showSiteSecret(v, saved), nil
	}
	return v.Redirect(v.Path("sites", saved.UID), "Saved."), nil
}

// isAboutForm reports whether the person can correct the form.
func isAboutForm(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusConflict
}

// editAgain shows the forms of a site with what was typed, and what is wrong with it.
func editAgain(v *page.Visit, chosen string, refused error, typed func(*siteForm)) (*page.Answer, error) {
	view, err := readSiteForm(v, chosen)
	if err != nil {
		return nil, err
	}
	typed(&view)
	view.takeRefusal(refused)
	return v.Page("edit.html", "Edit "+view.Site.Name, view).With(http.StatusUnprocessableEntity), nil
}

func deleteSite(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, restsite.Delete, restsite.DeleteInput{OnSite: onSite(v)})
	return v.Done(v.Path("sites"), "Deleted, with its credentials. Its articles are still here.", err)
}
