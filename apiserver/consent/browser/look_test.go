package browser_test

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/internal/testenv"
)

// axe is axe-core 4.14.1, unchanged, under the Mozilla Public License 2.0 beside it.
//
//go:embed testdata/axe/axe.min.js
var axe string

// looks are the ways in which people see a page.
var looks = []struct {
	name, scheme string
	width        int64
}{{"light", "light", 1000}, {"dark", "dark", 1000}, {"phone", "light", 360}, {"phone-dark", "dark", 360}}

// look keeps screenshots of the page in bin/screenshots, and lets axe look for what keeps people out.
func (w *window) look(name string) {
	GinkgoHelper()
	for _, l := range looks {
		w.run(
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}),
			emulation.SetDeviceMetricsOverride(l.width, 900, 1, l.width < 500),
		)
		w.keep(name + "-" + l.name)
		Expect(w.violations()).To(BeEmpty(), name+" in "+l.name)
		var overflow bool
		w.evaluate(`document.documentElement.scrollWidth > document.documentElement.clientWidth`, &overflow)
		Expect(overflow).To(BeFalse(), name+" in "+l.name+" must be scrolled sideways")
	}
	w.run(emulation.ClearDeviceMetricsOverride(), emulation.SetEmulatedMedia())
}

// keep keeps a screenshot.
func (w *window) keep(name string) {
	GinkgoHelper()
	var shot []byte
	w.run(chromedp.FullScreenshot(&shot, 100))
	keepFile(name+".png", shot)
}

// keepFailure keeps what the browser showed when a spec failed, if it still can.
func (w *window) keepFailure() {
	var shot []byte
	step, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Run(step, chromedp.FullScreenshot(&shot, 100)); err != nil {
		AddReportEntry("no screenshot", err.Error())
		return
	}
	keepFile("failed-"+strings.Join(strings.Fields(CurrentSpecReport().LeafNodeText), "-")+".png", shot)
}

func keepFile(name string, content []byte) {
	GinkgoHelper()
	folder := filepath.Join(testenv.Root(), "bin", "screenshots")
	Expect(os.MkdirAll(folder, 0o755)).To(Succeed())
	Expect(os.WriteFile(filepath.Join(folder, name), content, 0o644)).To(Succeed())
}

// violation is what axe finds wrong.
type violation struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

func (w *window) violations() []violation {
	GinkgoHelper()
	var result struct {
		Violations []violation
		Passes     int
	}
	w.run(
		chromedp.Evaluate(axe+";0", nil),
		chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]}).then(r => ({violations: r.violations, passes: r.passes.length}))`, &result,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
	)
	Expect(result.Passes).To(BeNumerically(">=", 10), "axe has looked at too few rules")
	return result.Violations
}
