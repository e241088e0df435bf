package browsertest

import (
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Watch sees that no page of the window violates a Content-Security-Policy or opens a dialog, but for the one that asks before a page is
// left, until the spec ends. Documents below a path
// that ends with one of the given names may do so: they have a policy that is meant to refuse.
func (w *Window) Watch(except ...string) {
	GinkgoHelper()
	var mu sync.Mutex
	var happened []string
	note := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		happened = append(happened, text)
	}
	chromedp.ListenTarget(w.ctx, func(event any) {
		switch event := event.(type) {
		case *log.EventEntryAdded:
			if event.Entry.Source == log.SourceSecurity && !below(event.Entry.URL, except) {
				note(event.Entry.Text + " at " + event.Entry.URL)
			}
		case *page.EventJavascriptDialogOpening:
			if event.Type != page.DialogTypeBeforeunload {
				note("a dialog: " + event.Message)
			}
		}
	})
	DeferCleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		Expect(happened).To(BeEmpty())
	})
}

func below(address string, names []string) bool {
	path, _, _ := strings.Cut(address, "?")
	for _, name := range names {
		if strings.HasSuffix(path, "/"+name) {
			return true
		}
	}
	return false
}
