package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// siteForm returns the forms of a site as it is. The type of its connection can be another one, which is chosen.
func (v *visit) siteForm(chosen string) (siteForm, error) {
	settings, err := call[rest.SiteSettingsAnswer](v, rest.Request{Operation: "get-site-settings", Path: v.siteUID()})
	if err != nil {
		return siteForm{}, err
	}
	types, err := v.cmsTypes()
	if err != nil {
		return siteForm{}, err
	}
	view := siteForm{
		Site: &settings, Types: types, Type: cmsType(types, chosen), Domain: settings.Domain, Name: settings.Name,
		MayApprove: v.may(v1alpha1.ScopeApprove), Policies: policiesOf(settings.SiteDetails),
	}
	if view.Type == nil {
		view.Type = cmsType(types, settings.CMSType)
	}
	if view.Type != nil {
		values := settings.ConnectionFields
		if view.Type.CMSType != settings.CMSType {
			values = nil
		}
		view.Fields = connectionFields(view.Type, values, nil)
	}
	return view, nil
}

func (v *visit) siteUID() map[string]string { return map[string]string{"uid": v.param("uid")} }

func policiesOf(d rest.SiteDetails) policyView {
	return policyView{
		Tone: d.Voice.Tone, Language: d.Voice.Language, Audience: d.Voice.Audience, AvoidWords: strings.Join(d.Voice.AvoidWords, "\n"),
		Guide: d.Voice.Guide, Review: d.ReviewPolicy, MinimumScore: strconv.Itoa(int(d.MinimumScore)), Publishing: d.DefaultStage,
	}
}

func editSite(v *visit) (*answer, error) {
	view, err := v.siteForm(v.query("type"))
	if err != nil {
		return nil, err
	}
	return v.page("siteedit.html", "Edit "+view.Name, view), nil
}

// saveSite saves name, voice and policies.
func saveSite(v *visit) (*answer, error) {
	typed := policyView{
		Tone: v.form("voice.tone"), Language: v.form("voice.language"), Audience: v.form("voice.audience"),
		AvoidWords: v.form("voice.avoid_words"),
		Guide:      v.form("voice.guide"), Review: v.form("review_policy"), MinimumScore: v.form("minimum_score"),
		Publishing: v.form("default_stage"),
	}
	domain, name := v.form("domain"), v.form("name")
	body := rest.EditSiteRequest{Domain: &domain, PoliciesEdit: rest.PoliciesEdit{
		Name: &name, DefaultStage: &typed.Publishing,
		Voice: rest.VoiceEdit{
			Tone: &typed.Tone, Language: &typed.Language, Audience: &typed.Audience, Guide: &typed.Guide,
			AvoidWords: lines(typed.AvoidWords),
		},
	}}
	if v.may(v1alpha1.ScopeApprove) {
		body.ReviewPolicy = &typed.Review
		if score, err := strconv.ParseInt(typed.MinimumScore, 10, 32); err == nil {
			body.MinimumScore = new(int32(score))
		}
	}
	_, err := call[rest.SiteSettingsAnswer](v, rest.Request{Operation: "edit-site", Path: v.siteUID(), Body: body})
	if refused, ok := refusal(err); ok && isAboutForm(refused.GetStatus()) {
		return v.editAgain("", err, func(view *siteForm) { view.Domain, view.Name, view.Policies = domain, name, typed })
	}
	if err != nil {
		return nil, err
	}
	return v.redirect(v.path("sites", v.param("uid")), "Saved."), nil
}

// saveConnection saves where articles are sent to, for which the credentials are typed again.
func saveConnection(v *visit) (*answer, error) {
	types, err := v.cmsTypes()
	if err != nil {
		return nil, err
	}
	chosen := cmsType(types, v.form("cms_type"))
	if chosen == nil {
		return v.redirectProblem(v.path("sites", v.param("uid"), "edit"), "Choose a type of CMS from the list."), nil
	}
	typed := v.connectionOf(chosen, true)
	body := rest.EditSiteRequest{CMSType: &chosen.CMSType, Connection: typed, NewSigningSecret: v.form("new_signing_secret") != ""}
	saved, err := call[rest.SiteSettingsAnswer](v, rest.Request{Operation: "edit-site", Path: v.siteUID(), Body: body})
	if refused, ok := refusal(err); ok && isAboutForm(refused.GetStatus()) {
		return v.editAgain(chosen.CMSType, err, func(view *siteForm) {
			view.Fields = connectionFields(view.Type, typed, nil)
		})
	}
	if err != nil {
		return nil, err
	}
	if saved.SigningSecret != "" {
		return v.showSiteSecret(saved), nil
	}
	return v.redirect(v.path("sites", saved.UID), "Saved."), nil
}

// isAboutForm reports whether somebody can mend what they have typed.
func isAboutForm(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusConflict
}

// editAgain shows the forms of a site with what was typed, and what is wrong with it.
func (v *visit) editAgain(chosen string, refused error, typed func(*siteForm)) (*answer, error) {
	view, err := v.siteForm(chosen)
	if err != nil {
		return nil, err
	}
	typed(&view)
	return v.page("siteedit.html", "Edit "+view.Site.Name, view.refusedBy(refused)).with(http.StatusUnprocessableEntity), nil
}

func deleteSite(v *visit) (*answer, error) {
	_, err := call[rest.NoRequest](v, rest.Request{Operation: "delete-site", Path: v.siteUID()})
	if err != nil {
		return nil, err
	}
	return v.redirect(v.path("sites"), "Deleted, with its credentials. Its articles are still here."), nil
}
