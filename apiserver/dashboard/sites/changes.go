package sites

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// settings of a site, by the names of the fields of its form. These are members of the body of update-site: a dot stands before a member of
// the voice.
type settings map[string]string

// Two of them are no texts in the body.
const (
	minimumScore = "minimum_score"
	avoidWords   = "voice.avoid_words"
)

func settingsOf(s *restsite.SiteAnswer) settings {
	return settings{
		"domain": s.Domain, "name": s.Name, "review_policy": s.ReviewPolicy, minimumScore: strconv.Itoa(int(s.MinimumScore)),
		"default_stage": s.DefaultStage, "updates": s.Updates, "removal": s.Removal, "voice.tone": s.Voice.Tone,
		"voice.language": s.Voice.Language, "voice.audience": s.Voice.Audience, "voice.guide": s.Voice.Guide,
		avoidWords: strings.Join(s.Voice.AvoidWords, "\n"),
	}
}

// sentSettings returns the settings as they were typed, and those that the form was shown with.
func sentSettings(v *page.Visit) (typed, read settings) {
	typed = settings{}
	for name := range settingsOf(&restsite.SiteAnswer{}) {
		typed[name] = v.Form(name)
	}
	typed[avoidWords] = strings.Join(page.Lines(typed[avoidWords]), "\n")
	if json.Unmarshal([]byte(v.Form("read")), &read) != nil {
		read = nil
	}
	return typed, read
}

func jsonOf(read any) string {
	data, _ := json.Marshal(read) //nolint:errchkjson // texts and numbers can be written
	return string(data)
}

// changes is the body of update-site for the settings that somebody has changed in the form: what others have changed meanwhile stays. The
// settings that were read are expected of those alone.
func changes(typed, read settings, mayApprove bool) map[string]any {
	_, err := strconv.Atoi(typed[minimumScore])
	body, expected := map[string]any{}, map[string]any{}
	for name, value := range typed {
		was, known := read[name]
		approves := name == minimumScore || name == "review_policy"
		if known && was == value || approves && (!mayApprove || err != nil) {
			continue
		}
		put(body, name, value)
		if known {
			put(expected, name, was)
		}
	}
	body["expected"] = expected
	return body
}

// put adds a setting to a body.
func put(body map[string]any, name, text string) {
	var value any = text
	switch name {
	case minimumScore:
		// One that is too large for the body is refused as one that is too large for a score.
		n, _ := strconv.Atoi(text)
		value = max(math.MinInt32, min(n, math.MaxInt32))
	case avoidWords:
		value = page.Lines(text)
	}
	if member, ok := strings.CutPrefix(name, "voice."); ok {
		voice, _ := body["voice"].(map[string]any)
		if voice == nil {
			voice = map[string]any{}
			body["voice"] = voice
		}
		body, name = voice, member
	}
	body[name] = value
}

// typed shows what somebody has changed in the form, and otherwise what the site has now: who sends the form again changes no more than
// that.
func (f *siteForm) typed(typed, read settings) {
	f.Domain, f.Name = typed["domain"], typed["name"]
	for name, value := range typed {
		if value != read[name] {
			f.Settings[name] = value
		}
	}
}
