package browsertest

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// axe is axe-core 4.14.1, unchanged, under the Mozilla Public License 2.0 beside it.
//
//go:embed axe/axe.min.js
var axe string

// looks are the ways in which people see a page: each width and each colour scheme in one of them.
var looks = []struct {
	name, scheme string
	width        int64
}{{"light", "light", 1280}, {"phone-dark", "dark", 360}}

// narrowest is the width at which a page must not be scrolled sideways (WCAG 2.2, criterion 1.4.10).
const narrowest = 320

// screenshots is the folder that screenshots are kept in, by an absolute path. If it is empty, only those of failures are, in a
// temporary folder. A screenshot takes longer than everything else that Look does, and nothing is asserted of it.
var screenshots = os.Getenv("PRESSROOM_SCREENSHOTS")

// Look lets axe look for what keeps people out, and sees that nothing must be scrolled sideways.
func (w *Window) Look(name string) {
	GinkgoHelper()
	for _, l := range looks {
		w.Run(
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}),
			emulation.SetDeviceMetricsOverride(l.width, 900, 1, l.width < 500),
		)
		// A page that has just come has no layout yet.
		w.Until("document.documentElement.clientWidth > 0")
		w.Keep(name + "-" + l.name)
		Expect(w.Violations()).To(BeEmpty(), name+" in "+l.name)
		w.fits(name + " in " + l.name)
	}
	w.Run(emulation.SetDeviceMetricsOverride(narrowest, 900, 1, true))
	w.fits(name + " at its narrowest")
	w.Run(emulation.ClearDeviceMetricsOverride(), emulation.SetEmulatedMedia())
}

// fits sees that the page is not wider than the window.
func (w *Window) fits(what string) {
	GinkgoHelper()
	var overflow bool
	w.Evaluate(`document.documentElement.scrollWidth > document.documentElement.clientWidth`, &overflow)
	Expect(overflow).To(BeFalse(), what+" must be scrolled sideways")
}

// Keep keeps a screenshot of the whole page, if screenshots are kept.
func (w *Window) Keep(name string) {
	GinkgoHelper()
	if screenshots == "" {
		return
	}
	var shot []byte
	w.Run(chromedp.FullScreenshot(&shot, 100))
	keepFile(screenshots, name, shot)
}

// KeepView keeps a screenshot of what a person sees without scrolling, in a window of 1280 times 720, once all frames are loaded, if
// screenshots are kept.
func (w *Window) KeepView(name string) {
	GinkgoHelper()
	const width, height = 1280, 720
	w.Run(emulation.SetDeviceMetricsOverride(width, height, 1, false))
	w.Until(`document.readyState === "complete"`)
	if screenshots != "" {
		var shot []byte
		w.Run(chromedp.CaptureScreenshot(&shot))
		keepFile(screenshots, name, shot)
	}
	w.Run(emulation.ClearDeviceMetricsOverride())
}

// keepFailure keeps what the browser showed when a spec failed, if it still can, and says where.
func (w *Window) keepFailure() {
	var shot []byte
	step, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Run(step, chromedp.FullScreenshot(&shot, 100)); err != nil {
		AddReportEntry("no screenshot", err.Error())
		return
	}
	folder := screenshots
	if folder == "" {
		folder = filepath.Join(os.TempDir(), "pressroom-screenshots")
	}
	AddReportEntry("screenshot", keepFile(folder, "failed-"+strings.Join(strings.Fields(CurrentSpecReport().LeafNodeText), "-"), shot))
}

// keepFile writes a screenshot into a folder, and returns its path.
func keepFile(folder, name string, shot []byte) string {
	GinkgoHelper()
	path := filepath.Join(folder, name+".png")
	Expect(os.MkdirAll(folder, 0o755)).To(Succeed())
	Expect(os.WriteFile(path, shot, 0o644)).To(Succeed())
	return path
}

// Violation is a violation of a rule of axe.
type Violation struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

// Violations returns the violations that axe finds in the page.
func (w *Window) Violations() []Violation {
	GinkgoHelper()
	var result struct {
		Violations []Violation
		Passes     int
	}
	// It stays until the window shows another page.
	var there bool
	w.Evaluate(`typeof axe === "object"`, &there)
	if !there {
		w.Evaluate(axe+";0", nil)
	}
	// What is in a frame is a document of its own, which axe would have to send messages to.
	w.Await(`axe.run(document, {resultTypes: ["violations"], iframes: false}).`+
		`then(r => ({violations: r.violations, passes: r.passes.length}))`, &result)
	Expect(result.Passes).To(BeNumerically(">=", 10), "axe has looked at too few rules")
	return result.Violations
}
