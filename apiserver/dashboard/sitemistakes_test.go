package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A form of a site with a mistake", func() {
	It("says at the score what must be if it is no number, saves nothing, and keeps what was typed", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		uid := connected(t, p)
		edit := p.Get(t.In("sites", uid, "edit"))
		for _, score := range []string{"seventy", "70.5", ""} {
			refused := p.Submit(edit, "form[action$='/edit']", url.Values{
				"name": {"Newer"}, "voice.tone": {"dry"}, "voice.avoid_words": {"unleash\r\ngame-changer"}, "review_policy": {"automatic"}, "minimum_score": {score},
			})
			Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity), score)
			Expect(refused.Text("main > .problem[role=alert]")).To(Equal("Nothing has been done yet: see below what must be."))
			Expect(refused.Text("#minimum-problem")).To(Equal("Must be a whole number."))
			Expect(refused.Find("#minimum").AttrOr("value", "")).To(Equal(score))
			Expect(refused.Find("#name").AttrOr("value", "")).To(Equal("Newer"))
			Expect(refused.Find("[id='voice.tone']").AttrOr("value", "")).To(Equal("dry"))
			Expect(refused.Find("#avoid").Text()).To(ContainSubstring("game-changer"))
			Expect(refused.Find("#review option[selected]").AttrOr("value", "")).To(Equal("automatic"))
			Expect(p.Get(t.In("sites", uid)).Text("main")).To(And(ContainSubstring("By a reviewer"), Not(ContainSubstring("Newer"))))
			edit = refused
		}
		saved := p.Submit(edit, "form[action$='/edit']", url.Values{"minimum_score": {"70"}})
		Expect(saved.Text(".notice")).To(Equal("Saved."))
		Expect(saved.Text("main")).To(And(ContainSubstring("Newer"), ContainSubstring("from a score of 70"), ContainSubstring("game-changer")))
	})

	It("says at the score what must be if it is too high", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		edit := p.Get(t.In("sites", connected(t, p), "edit"))
		for _, score := range []string{"101", "99999999999999999999"} {
			refused := p.Submit(edit, "form[action$='/edit']", url.Values{"minimum_score": {score}})
			Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity), score)
			Expect(refused.Text("#minimum-problem")).To(ContainSubstring("100"))
			Expect(refused.Find("#minimum").AttrOr("value", "")).To(Equal(score))
		}
	})

	It("still tells somebody who corrects it what others have changed meanwhile", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		edit, form := t.In("sites", connected(t, p), "edit"), "form[action$='/edit']"
		stale := p.Get(edit)
		p.Submit(p.Get(edit), form, url.Values{"voice.tone": {"calm"}, "name": {"Theirs"}})
		wrong := p.Submit(stale, form, url.Values{"voice.tone": {"dry"}, "minimum_score": {"many"}})
		Expect(wrong.Text("#minimum-problem")).To(Equal("Must be a whole number."))
		Expect(wrong.Find("#name").AttrOr("value", "")).To(Equal("Theirs"), "nobody else has typed one")
		refused := p.Submit(wrong, form, url.Values{"minimum_score": {"50"}})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(refused.Text("[id='voice.tone-problem']")).To(Equal(`Is "calm" now.`))
		saved := p.Submit(refused, form, nil)
		Expect(saved.Text("main")).To(And(ContainSubstring("dry"), ContainSubstring("Theirs")))
	})

	It("still refuses a connection that others have changed meanwhile", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		uid := connected(t, p)
		edit, form := t.In("sites", uid, "edit"), "form[action$='/connection']"
		stale := p.Get(edit)
		p.Submit(p.Get(edit), form, url.Values{"connection.url": {"https://new.example.com/other"}})
		wrong := p.Submit(stale, form, url.Values{"connection.url": {"https://new.example.com/" + strings.Repeat("x", 3000)}})
		Expect(wrong.Text("[id='connection.url-problem']")).To(ContainSubstring("2048"))
		refused := p.Submit(wrong, form, url.Values{"connection.url": {"https://new.example.com/mine"}})
		Expect(refused.Text("[id='connection.url-problem']")).To(ContainSubstring("https://new.example.com/other"))
		to, _ := siteSecret(t, uid)
		Expect(to).To(Equal("https://new.example.com/other"))
	})
})
