package sites

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// settingsOf are the settings that the form of a site shows, and sends back.
func settingsOf(s *restsite.SiteAnswer) *restsite.Expected {
	return &restsite.Expected{
		Domain: &s.Domain, Name: &s.Name, ReviewPolicy: &s.ReviewPolicy, MinimumScore: &s.MinimumScore, DefaultStage: &s.DefaultStage,
		Updates: &s.Updates, Removal: &s.Removal,
		Voice: &restsite.ExpectedVoice{
			Tone: &s.Voice.Tone, Language: &s.Voice.Language, Audience: &s.Voice.Audience, AvoidWords: &s.Voice.AvoidWords,
			Guide: &s.Voice.Guide,
		},
	}
}

func jsonOf(e *restsite.Expected) string {
	data, _ := json.Marshal(e) //nolint:errchkjson // texts and numbers can be written
	return string(data)
}

// expectedOf returns the settings that a form was shown with.
func expectedOf(v *page.Visit) *restsite.Expected {
	e := &restsite.Expected{}
	if json.Unmarshal([]byte(v.Form("read")), e) != nil {
		return &restsite.Expected{}
	}
	return e
}

// changes are the settings that somebody has changed in the form: what others have changed meanwhile stays. The settings that were read are
// expected of those alone.
func changes(domain, name string, typed policyView, read *restsite.Expected, mayApprove bool) restsite.UpdateSiteRequest {
	voice := read.Voice
	if voice == nil {
		voice = &restsite.ExpectedVoice{}
	}
	body := restsite.UpdateSiteRequest{Expected: read, PolicyFields: restsite.PolicyFields{
		Name: changed(name, &read.Name), DefaultStage: changed(typed.Publishing, &read.DefaultStage),
		Updates: changed(typed.Updates, &read.Updates), Removal: changed(typed.Removal, &read.Removal),
		Voice: restsite.VoiceFields{
			Tone: changed(typed.Tone, &voice.Tone), Language: changed(typed.Language, &voice.Language),
			Audience: changed(typed.Audience, &voice.Audience), Guide: changed(typed.Guide, &voice.Guide),
		},
	}}
	if m := changed(domain, &read.Domain); m.Given {
		body.Domain = &domain
	}
	if words := page.Lines(typed.AvoidWords); voice.AvoidWords == nil || !slices.Equal(words, *voice.AvoidWords) {
		body.Voice.AvoidWords = patch.Of(words)
	} else {
		voice.AvoidWords = nil
	}
	score, err := strconv.ParseInt(typed.MinimumScore, 10, 32)
	if !mayApprove || err != nil {
		read.ReviewPolicy, read.MinimumScore = nil, nil
		return body
	}
	body.ReviewPolicy, body.MinimumScore = changed(typed.Review, &read.ReviewPolicy), changed(int32(score), &read.MinimumScore)
	return body
}

// changed returns the member of a request for a value that was typed. What is as it was read is not changed, and not expected either.
func changed[T comparable](typed T, read **T) (m patch.Member[T]) {
	if *read == nil || **read != typed {
		return patch.Of(typed)
	}
	*read = nil
	return m
}

// readPolicies are the policies that a form was shown with.
func readPolicies(e *restsite.Expected) policyView {
	voice := ptr.Deref(e.Voice, restsite.ExpectedVoice{})
	return policyView{
		Tone: ptr.Deref(voice.Tone, ""), Language: ptr.Deref(voice.Language, ""), Audience: ptr.Deref(voice.Audience, ""),
		AvoidWords: strings.Join(ptr.Deref(voice.AvoidWords, nil), "\n"), Guide: ptr.Deref(voice.Guide, ""),
		Review: ptr.Deref(e.ReviewPolicy, ""), MinimumScore: strconv.Itoa(int(ptr.Deref(e.MinimumScore, 0))),
		Publishing: ptr.Deref(e.DefaultStage, ""), Updates: ptr.Deref(e.Updates, ""), Removal: ptr.Deref(e.Removal, ""),
	}
}

// typed shows what somebody has changed in the form, and otherwise what the site has now: who sends the form again changes no more than
// that.
func (f *siteForm) typed(domain, name string, typed, read policyView) {
	f.Domain, f.Name = domain, name
	before, now := read.fields(), typed.fields()
	for name, shown := range f.Policies.fields() {
		if *now[name] != *before[name] {
			*shown = *now[name]
		}
	}
}
