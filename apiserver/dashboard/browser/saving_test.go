//go:build e2e

package browser_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/browsertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// abort ends a connection without an answer, as a server does that is killed.
func abort() { panic(http.ErrAbortHandler) }

// moments are those at which a server is killed while it saves: how it handles the requests that save a text, by their number from 0. What
// it does not handle is passed on.
var moments = map[string]func(n int, w http.ResponseWriter, q *http.Request, pass http.Handler) bool{
	"before the text is sent": func(n int, _ http.ResponseWriter, _ *http.Request, _ http.Handler) bool {
		return n == 0 && died()
	},
	"while the text is sent": func(n int, _ http.ResponseWriter, q *http.Request, _ http.Handler) bool {
		if n > 0 {
			return false
		}
		_, _ = q.Body.Read(make([]byte, 8))
		return died()
	},
	"before the text is stored, and for a while": func(n int, w http.ResponseWriter, _ *http.Request, _ http.Handler) bool {
		if n > 2 {
			return false
		}
		w.WriteHeader(http.StatusBadGateway)
		return true
	},
	"when it is about to end": func(n int, w http.ResponseWriter, _ *http.Request, _ http.Handler) bool {
		if n > 0 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	},
	"after the text is stored, before the answer": func(n int, _ http.ResponseWriter, q *http.Request, pass http.Handler) bool {
		if n > 0 {
			return false
		}
		pass.ServeHTTP(httptest.NewRecorder(), q)
		return died()
	},
	"after the first line of the answer": func(n int, w http.ResponseWriter, q *http.Request, pass http.Handler) bool {
		return n == 0 && partly(w, q, pass, 0)
	},
	"in the middle of the answer": func(n int, w http.ResponseWriter, q *http.Request, pass http.Handler) bool {
		return n == 0 && partly(w, q, pass, 40)
	},
	"after the text is stored twice over": func(n int, _ http.ResponseWriter, q *http.Request, pass http.Handler) bool {
		if n > 1 {
			return false
		}
		pass.ServeHTTP(httptest.NewRecorder(), q)
		return died()
	},
	"after it was stored, and away for a while then": func(n int, w http.ResponseWriter, q *http.Request, pass http.Handler) bool {
		if n == 0 {
			pass.ServeHTTP(httptest.NewRecorder(), q)
		}
		if n > 2 {
			return false
		}
		w.WriteHeader(http.StatusBadGateway)
		return true
	},
	"never": func(int, http.ResponseWriter, *http.Request, http.Handler) bool { return false },
}

func died() bool {
	abort()
	return true
}

// partly answers with the beginning of an answer.
func partly(w http.ResponseWriter, q *http.Request, pass http.Handler, bytes int) bool {
	got := httptest.NewRecorder()
	q.Header.Del("Accept-Encoding")
	pass.ServeHTTP(got, q)
	maps.Copy(w.Header(), got.Header())
	w.Header().Set("Content-Length", "100000")
	w.WriteHeader(got.Code)
	_, _ = w.Write(got.Body.Bytes()[:min(bytes, got.Body.Len())])
	w.(http.Flusher).Flush()
	return died()
}

// killed has a replica be killed at a moment, and returns a function that has it work again.
func killed(r *dashboardtest.Replica, at func(int, http.ResponseWriter, *http.Request, http.Handler) bool) {
	var mu sync.Mutex
	count := 0
	meddle := func(w http.ResponseWriter, q *http.Request, pass http.Handler) {
		n := -1
		if q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/edit") {
			mu.Lock()
			n, count = count, count+1
			mu.Unlock()
		}
		if n < 0 || !at(n, w, q, pass) {
			pass.ServeHTTP(w, q)
		}
	}
	r.Meddle.Store(&meddle)
}

var _ = Describe("Saving", func() {
	It("loses no word and saves no text twice, whenever the server is killed", func() {
		t := facades.NewTenant("Acme Outdoors")
		replica := facades.StartReplica()
		DeferCleanup(func() { replica.Stop() })
		w := &window{Window: browsertest.Open()}
		w.arrive(replica.URL+"/app", t.Key, "h1")
		for moment, at := range moments {
			By(moment)
			uid := t.Written("Huts", "# The huts\n\nOpen.")
			edit := replica.URL + t.In("articles", uid, "edit")
			Eventually(func() bool {
				w.Visit(edit, "h1")
				var there bool
				w.Evaluate(`document.getElementById("markdown") !== null`, &there)
				return there
			}).Should(BeTrue())
			killed(replica, at)
			w.Run(chromedp.Focus("#markdown", chromedp.ByQuery))
			w.Type("Warm. ")
			w.Run(chromedp.KeyEvent("s", chromedp.KeyModifiers(input.ModifierCtrl)))
			w.Until(`document.getElementById("saved").textContent.startsWith("Saving")` +
				` || document.getElementById("saved").textContent.startsWith("Not saved") || document.getElementById("saved").textContent.startsWith("Saved.")`)
			Eventually(func() string {
				t.Reconcile(uid)
				return w.Text("#saved")
			}).Should(HavePrefix("Saved."), moment)
			replica.Meddle.Store(nil)
			Eventually(func() string { return status(t, uid, "content_markdown") }).Should(ContainSubstring("Warm."))
			list := t.Ask(http.MethodGet, "/v1/api/blogs/"+uid+"/revisions", nil)
			Expect(strings.Count(list.Raw, `"number":`)).To(Equal(2), "%s: %s", moment, list.Raw)
			By(moment + ", and saves the next change")
			w.Type("Dry. ")
			w.Click(".editor .primary", "")
			Eventually(func() string {
				t.Reconcile(uid)
				return status(t, uid, "content_markdown")
			}).Should(ContainSubstring("Dry."))
			w.Until(`Object.keys(localStorage).length === 0`)
		}
	})

	It("keeps the text on the browser while the server is away, for the person who typed it alone", func() {
		t := facades.NewTenant("Acme Outdoors")
		replica := facades.StartReplica()
		DeferCleanup(func() { replica.Stop() })
		uid := t.Written("Huts", "Open.")
		w := &window{Window: browsertest.Open()}
		edit := replica.URL + t.In("articles", uid, "edit")
		w.arrive(edit, t.Key, "#markdown")
		killed(replica, func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) bool {
			w.WriteHeader(http.StatusBadGateway)
			return true
		})
		w.Run(chromedp.Focus("#markdown", chromedp.ByQuery))
		w.Type("Warm. ")
		w.Click(".editor .primary", "")
		w.Until(`document.getElementById("saved").textContent.startsWith("Not saved: the server does not answer.")`)
		w.Agree()
		w.Look("edit-away")
		By("a new tab has it")
		tab := &window{Window: w.OpenAgain()}
		tab.See(".warning")
		tab.Click(".warning button", "")
		tab.Until(`document.getElementById("markdown").value === "Warm. Open."`)
		replica.Meddle.Store(nil)
		By("another person has it not")
		w.Run(network.ClearBrowserCookies())
		w.arrive(edit, t.NewKey("Petra", v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove), "#markdown")
		w.untilLoaded()
		Expect(w.Text("main")).NotTo(ContainSubstring("This browser has a text"))
		w.Run(network.ClearBrowserCookies())
		w.arrive(edit, t.Key, ".warning")
		By("nobody has it after signing out")
		w.Click(".account summary", "")
		w.Click("form[action='/oauth/sign-out'] button", "h1")
		w.Until(`Object.keys(localStorage).length === 0`)
	})
})
