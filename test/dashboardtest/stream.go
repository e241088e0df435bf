package dashboardtest

import (
	"bufio"
	"context"
	"net/http"
	"strings"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Updated is the page as its script fetches it when something may have changed.
func (p *Person) Updated(page *Page) *Page {
	GinkgoHelper()
	q, err := http.NewRequest(http.MethodGet, p.Base+page.URL.RequestURI(), nil)
	Expect(err).NotTo(HaveOccurred())
	rows := page.Find("[data-row][id^='a-']").Map(func(_ int, row *goquery.Selection) string {
		return strings.TrimPrefix(row.AttrOr("id", ""), "a-")
	})
	q.Header.Set("Pressroom-Update", strings.Join(rows, " "))
	return p.Do(q)
}

// LiveRequest is the request for the live updates of a page, as its script sends it.
func (p *Person) LiveRequest(page *Page) *http.Request {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(context.Background())
	DeferCleanup(cancel)
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Base+page.Find("body").AttrOr("data-live", ""), nil)
	Expect(err).NotTo(HaveOccurred())
	return q
}

// Live opens the stream of a page's live updates until the spec ends. The channel receives for each change that is signalled, and is closed
// when the stream ends.
func (p *Person) Live(page *Page) <-chan struct{} {
	GinkgoHelper()
	answer, err := p.client.Do(p.LiveRequest(page)) //nolint:bodyclose // closed when the spec ends
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(answer.Body.Close)
	Expect(answer.StatusCode).To(Equal(http.StatusOK))
	Expect(answer.Header.Get("Content-Type")).To(Equal("text/event-stream"))
	changed := make(chan struct{}, 100)
	go func() {
		defer close(changed)
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "data:") {
				changed <- struct{}{}
			}
		}
	}()
	return changed
}
