package sites

import (
	"maps"
	"net/http"
	"strings"
	"time"

	"k8s.io/utils/ptr"

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
		Site: &site, Types: types, Type: cmsType(types, chosen),
		MayApprove: v.May(v1alpha1.ScopeApprove),
	}
	if view.Brief, err = v.BriefSelect("None: claims are not checked", site.BriefUID); err != nil {
		return siteForm{}, err
	}
	view.Seen.CMSType, view.Seen.Connection = &site.CMSType, restsite.ConnectionUpdate(site.Connection)
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
	return v.Page("edit.html", "Edit "+view.Site.Name, view), nil
}

// saveSite saves what somebody has changed of name, voice and policies.
func saveSite(v *page.Visit) (*page.Answer, error) {
	body, err := page.ChangesAs[restsite.UpdateSiteRequest](v)
	if err == nil {
		err = refuseSameNames(v, body)
	}
	if err == nil {
		_, err = page.Call(v, restsite.Update, restsite.UpdateInput{OnSite: onSite(v), Body: body})
	}
	if isAboutForm(err) {
		return editAgain(v, "", err, func(view *siteForm) {
			view.typed = v.Changed()
			if view.Changed {
				// The page says what the settings are now.
				maps.DeleteFunc(view.typed, func(name, _ string) bool { return strings.HasPrefix(name, page.Expected) })
			}
		})
	}
	return v.Done(v.Path("sites", v.Param("uid")), "Saved.", err)
}

// refuseSameNames is refuseTwin for a change of the name or the domain.
func refuseSameNames(v *page.Visit, body restsite.UpdateSiteRequest) error {
	if body.Domain == nil && !body.Name.Given {
		return nil
	}
	found, err := page.Call(v, restsite.Get, onSite(v))
	if err != nil {
		return err
	}
	name := body.Name.Value
	if !body.Name.Given && found.Body.Name != found.Body.Domain {
		name = found.Body.Name
	}
	return refuseTwin(v, found.Body.UID, ptr.Deref(body.Domain, found.Body.Domain), name, time.Time{})
}

// saveConnection saves where articles are sent to, for which the credentials are typed again.
func saveConnection(v *page.Visit) (*page.Answer, error) {
	body, err := page.FormAs[restsite.UpdateSiteRequest](v)
	if err != nil {
		return nil, err
	}
	types, err := cmsTypes(v)
	if err != nil {
		return nil, err
	}
	chosen := cmsType(types, ptr.Deref(body.CMSType, ""))
	if chosen == nil {
		return v.RedirectProblem(v.Path("sites", v.Param("uid"), "edit"), "Choose a type of CMS from the list."), nil
	}
	body.Connection = v.FormGroup("connection")
	if body.Expected != nil {
		body.Expected.Connection = v.FormGroup(page.Expected + "connection")
	}
	out, err := page.Call(v, restsite.Update, restsite.UpdateInput{OnSite: onSite(v), Body: body})
	if isAboutForm(err) {
		return editAgain(v, string(chosen.CMSType), err, func(view *siteForm) {
			view.Fields = connectionFields(view.Type, body.Connection, view.Problems)
			if !view.Changed && body.Expected != nil {
				view.Seen = *body.Expected
			}
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
func isAboutForm(err error) bool {
	return page.IsStatus(err, http.StatusBadRequest) || page.IsStatus(err, http.StatusConflict)
}

// editAgain shows the forms of a site with what is wrong with one of them, and with what was typed into it.
func editAgain(v *page.Visit, chosen string, refused error, typed func(*siteForm)) (*page.Answer, error) {
	view, err := readSiteForm(v, chosen)
	if err != nil {
		return nil, err
	}
	view.Refused(refused)
	typed(&view)
	view.Brief.Chosen = view.Typed("brief_uid", view.Brief.Chosen)
	return v.Page("edit.html", "Edit "+view.Site.Name, view).With(http.StatusUnprocessableEntity), nil
}

func deleteSite(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, restsite.Delete, restsite.DeleteInput{OnSite: onSite(v)})
	return v.Done(v.Path("sites"), "Deleted, with its credentials. Its articles are still here.", err)
}
