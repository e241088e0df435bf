//go:build e2e

package browser_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// onPhone makes the window that of a phone.
func (w *window) onPhone() {
	GinkgoHelper()
	w.Run(emulation.SetDeviceMetricsOverride(360, 740, 1, true))
}

// covered is how much of the window parts of the page cover that stay while somebody scrolls, from 0 to 1.
const covered = `[...document.querySelectorAll("main *, header")].filter(e => /fixed|sticky/.test(getComputedStyle(e).position) && e.checkVisibility())
	.map(e => e.getBoundingClientRect()).reduce((most, r) => Math.max(most, Math.min(r.bottom, innerHeight) - Math.max(r.top, 0)), 0) / innerHeight`

// ratio evaluates a number in the page.
func (w *window) ratio(script string) (is float64) {
	GinkgoHelper()
	w.Evaluate(script, &is)
	return is
}

var _ = Describe("The decision on a phone", func() {
	It("is one bar that leaves the screen to the text, and opens to less than 40 % of it", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", strings.Repeat("One more sentence that stands here.\n\n", 120))
		w := signedIn(t, t.In("articles"), "#a-"+uid)
		w.onPhone()
		w.goTo(t.In("articles", uid), "iframe")
		w.untilLoaded()
		Expect(w.ratio(covered)).To(BeNumerically("<", 0.15))
		Expect(w.Text(".bar")).To(And(HavePrefix("Approve and publish More"), Not(ContainSubstring("Reject"))))
		w.Look("article-phone")
		w.onPhone()
		w.Click(moreWays, "")
		w.See(".reject summary")
		Expect(w.Text(".bar")).To(And(ContainSubstring("Only approve"), ContainSubstring("Approve and schedule"), ContainSubstring("Reject…")))
		Expect(w.ratio(covered)).To(BeNumerically("<", 0.4))
		w.Look("article-phone-more")
		w.onPhone()
		w.Click(approveForm+" .primary", ".notice")
		becomePublished(t, uid)
	})

	It("has the same ways without scripts", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", "Open.")
		w := signedIn(t, t.In("articles", uid), "iframe")
		w.WithoutScripts()
		w.onPhone()
		w.goTo(t.In("articles", uid), approveForm)
		w.Click(moreWays, "")
		w.Click("button[value=only]", ".notice")
		w.becomes(t, uid, "approved")
	})
})

var _ = Describe("The page of an article, while the queue is worked through", func() {
	It("has its buttons at one place, however long titles and slugs are", func() {
		t := facades.NewTenant("Acme Outdoors")
		titles := []string{"Huts", strings.Repeat("A title that takes more than one line of the page ", 5), "Paths"}
		uids := make([]string, len(titles))
		for i, title := range titles {
			uids[i] = t.Written(title, "Open.")
		}
		w := signedIn(t, t.In("articles")+"?status=review&order=oldest", "#a-"+uids[0])
		w.Click("#a-"+uids[0]+" a", approveForm)
		places := map[string][]string{}
		for range uids {
			w.untilLoaded()
			for _, key := range []string{"n", "N", "e"} {
				var place string
				w.Evaluate(`(e => e === null ? "" : (r => [r.left, r.top].join())(e.getBoundingClientRect()))(document.querySelector("[data-key=`+key+`]"))`, &place)
				if place != "" {
					places[key] = append(places[key], place)
				}
			}
			var more bool
			w.Evaluate(`document.querySelector("[data-key=n]") !== null`, &more)
			if more {
				w.Click("[data-key=n]", approveForm)
			}
		}
		for key, want := range map[string]int{"n": 2, "N": 2, "e": 3} {
			Expect(places[key]).To(HaveLen(want), key)
			for _, place := range places[key] {
				Expect(place).To(Equal(places[key][0]), "the button %s stays", key)
			}
		}
	})

	It("is gone through by Tab in the order in which the decision is seen", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", t.InReview("trail shoes")), approveForm)
		w.Click(moreWays, "")
		var inOrder bool
		w.Evaluate(`(rects => rects.every((r, i) => i === 0 || r.top > rects[i - 1].top - 1 && (r.top > rects[i - 1].bottom - 1 || r.left >= rects[i - 1].left)))(
			[...document.querySelectorAll(".bar :is(button, summary, input:not([type=hidden]))")].filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect()))`, &inOrder)
		Expect(inOrder).To(BeTrue())
	})

	It("schedules at Enter in the field of a time, and publishes nothing at once", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		decide(t, uid, "approve", nil)
		w := signedIn(t, t.In("articles", uid), publishForm)
		w.Click(moreWays, "")
		w.Run(chromedp.SetValue("#at", "2099-12-01T09:00", chromedp.ByQuery))
		w.do("#at", "focus()")
		w.Press(kb.Enter, ".notice")
		Expect(w.Text(".notice")).To(HavePrefix("Goes out Tue 1 Dec 2099, 09:00 UTC"))
		Expect(status(t, uid, "publish_at")).To(Equal("2099-12-01T09:00:00.000Z"))
	})

	It("says for a time of another zone when that is here, and takes a zone by its city alone", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		w := signedIn(t, t.In("articles", uid), approveForm)
		w.Click(moreWays, "")
		w.Run(chromedp.SetValue("#at", "2099-12-01T09:00", chromedp.ByQuery), chromedp.SetValue("#schedule-zone", "Atlantis", chromedp.ByQuery))
		w.Click(scheduleForm+" .buttons button", "#at-problem")
		Expect(w.Text("#at-problem")).To(HavePrefix("There is no time zone “Atlantis”."))
		w.Look("article-no-zone")
		Expect(status(t, uid, "status")).To(Equal("review"))
		w.Run(chromedp.SetValue("#schedule-zone", "tokyo", chromedp.ByQuery))
		w.Click(scheduleForm+" .buttons button", ".notice")
		Expect(w.Text(".notice")).To(HavePrefix("Approved. Goes out Tue 1 Dec 2099, 09:00 Asia/Tokyo (00:00 UTC)"))
	})
})

var _ = Describe("The columns of the list", func() {
	It("break between words, at every width", func() {
		t := facades.NewTenant("Acme Outdoors")
		site := t.SiteObject()
		t.NewSite(t.Workspace, "hook")
		t.Written("Alpine huts", "Open.")
		w := signedIn(t, t.In("articles"), "h1")
		w.until(t.In("articles")+"?status=all", "[name=site]")
		w.breaksAtWords()
		site.Spec.DisplayName = "Acme Outdoor's Blog"
		Expect(facades.API.Update(GinkgoT().Context(), site)).To(Succeed())
		uid := t.Written("Trail running shoes: how to choose a pair that fits", "Open.")
		decide(t, t.InReview("trail shoes"), "approve", nil)
		w.until(t.In("articles")+"?status=all", "#a-"+uid)
		w.breaksAtWords()
	})
})

// breaksAtWords sees that no word of the table stands on two lines.
func (w *window) breaksAtWords() {
	GinkgoHelper()
	for _, width := range []int64{800, 1000, 1440, 1920} {
		w.Run(emulation.SetDeviceMetricsOverride(width, 900, 1, false))
		var broken []string
		w.Evaluate(brokenWords, &broken)
		Expect(broken).To(BeEmpty(), "at %d pixels", width)
	}
}

// brokenWords are the words of a table that stand on more than one line.
const brokenWords = `(() => {
	const broken = [];
	const walker = document.createTreeWalker(document.querySelector("tbody"), NodeFilter.SHOW_TEXT);
	for (let text = walker.nextNode(); text; text = walker.nextNode()) {
		if (text.parentElement.closest(".unseen, .phone")) continue;
		for (const word of text.data.matchAll(/[^\s.]+\.?/g)) {
			const range = document.createRange();
			range.setStart(text, word.index);
			range.setEnd(text, word.index + word[0].length);
			if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) broken.push(word[0]);
		}
	}
	return broken;
})()`

var _ = Describe("An article that is dragged to another day of the calendar", func() {
	It("is moved by the form that the drop leads to, and not before", func() {
		t := facades.NewTenant("Acme Outdoors")
		now := time.Now().UTC()
		at := time.Date(now.Year(), now.Month()+1, 12, 9, 30, 0, 0, time.UTC)
		planned, undated := t.InReview("trail shoes"), t.Written("Huts", "Open.")
		decide(t, planned, "publish", map[string]any{"publish_at": at.Format(time.RFC3339)})
		for _, uid := range []string{planned, undated} {
			decide(t, uid, "approve", nil)
		}
		day := at.AddDate(0, 0, 3).Format("2006-01-02")
		w := signedIn(t, t.In("calendar"), "h1")
		month := t.In("calendar") + "?month=" + at.Format("2006-01")
		w.until(month, "#tray .chip")
		w.untilLoaded()
		w.Look("calendar-tray")
		writes := w.Writes()
		w.drag("#d-"+at.Format("2006-01-02")+" .chip", "#d-"+day, "#at")
		w.See("[value='" + day + "T09:30']")
		Expect(w.Text("main")).To(ContainSubstring("Nothing is moved yet."))
		Expect(writes()).To(BeEmpty(), "a hand that slips moves nothing")
		Expect(status(t, planned, "publish_at")).To(HavePrefix(at.Format("2006-01-02T15:04")))
		w.Look("calendar-dropped")
		w.Click("main button.primary", ".notice")
		Expect(w.Text(".notice")).To(ContainSubstring("09:30 UTC"))
		Expect(status(t, planned, "publish_at")).To(HavePrefix(day + "T09:30"))

		w.until(month, "#tray .chip")
		w.untilLoaded()
		w.drag("#tray .chip", "#d-"+day, "#at")
		w.Click("main button.primary", ".notice")
		Expect(status(t, undated, "publish_at")).To(HavePrefix(day + "T09:00"))
	})

	It("stays where it is if it is dropped on a day that is over, or beside the calendar", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.InReview("trail shoes")
		decide(t, uid, "approve", nil)
		last := time.Now().UTC().AddDate(0, -1, 0)
		month := t.In("calendar") + "?month=" + last.Format("2006-01")
		w := signedIn(t, month, "h1")
		w.until(month, "#tray .chip")
		w.untilLoaded()
		for _, to := range []string{"#d-" + last.Format("2006-01") + "-10", ".head"} {
			w.Evaluate(dragging("#tray .chip", to), nil)
			Expect(w.Address()).To(HaveSuffix(month))
		}
		Expect(status(t, uid, "publish_at")).To(BeEmpty())
	})
})

// drag drags an element to another one, and waits until something is there to see on the page that this leads to.
func (w *window) drag(from, to, then string) {
	GinkgoHelper()
	w.Leave(chromedp.Evaluate(dragging(from, to), nil), then)
}

// dragging is a script that drags an element to another one.
func dragging(from, to string) string {
	return fmt.Sprintf(`(([from, to], dataTransfer) => {
		const send = (at, type) => at.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer}));
		if (!from.draggable) throw new Error("it cannot be dragged");
		send(from, "dragstart");
		// The browser drops nothing where the page does not take it.
		if (!send(to, "dragover")) send(to, "drop");
		send(from, "dragend");
	})([%q, %q].map(selector => document.querySelector(selector)), new DataTransfer()); 0`, from, to)
}

// keepWide is Look, and keeps screenshots of both widths in both schemes.
func (w *window) keepWide(name string) {
	GinkgoHelper()
	w.untilLoaded()
	w.Look("looks-" + name)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1440, 360} {
			w.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
				emulation.SetDeviceMetricsOverride(width, 900, 1, width < 500))
			w.fits()
			w.Keep(fmt.Sprintf("looks-%s-%d-%s", name, width, scheme))
		}
	}
	w.Run(emulation.ClearDeviceMetricsOverride(), emulation.SetEmulatedMedia())
}

var _ = Describe("Each main page", func() {
	It("stands at both widths, in both schemes and in three languages", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.NewSite(t.Workspace, "shop")
		w := signedIn(t, t.In("articles"), "h1")
		for _, text := range []struct{ language, title, body string }{
			{"de", "Hüttenübernachtungen im Hochgebirge: was sie kosten", "Die Hütten öffnen im Mai.\n\n## Preise\n\nEine Nacht kostet 40 Franken."},
			{"ar", "أحذية Salomon للجري في الجبال!", "النعل Vibram يثبت على الصخر.\n\n## القياس\n\nاترك مكانا للأصابع."},
			{"ja", "初心者のためのトレイルランニングシューズの選び方", "濡れた岩では柔らかいゴムが滑りにくい。\n\n## サイズ\n\nつま先に余裕を残す。"},
		} {
			speaks(t, text.language)
			uid := t.Written(text.title, text.body)
			planned := t.Written(text.title+" (2)", text.body)
			at := time.Now().UTC().AddDate(0, 0, 2)
			decide(t, planned, "publish", map[string]any{"publish_at": at.Format(time.RFC3339)})
			decide(t, planned, "approve", nil)
			w.until(t.In("articles", uid), "h1 bdi[lang="+text.language+"]")
			w.keepWide("article-" + text.language)
			w.goTo(t.In("articles", uid, "edit"), "#markdown")
			w.keepWide("edit-" + text.language)
			decide(t, t.Written(text.title+" (3)", text.body), "approve", nil)
		}
		for name, path := range map[string]string{
			"list": t.In("articles") + "?status=all", "calendar": t.In("calendar"), "sites": t.In("sites"),
		} {
			w.goTo(path, "h1")
			w.keepWide(name)
		}
	})
})
