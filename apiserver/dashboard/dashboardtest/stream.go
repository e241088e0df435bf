package dashboardtest

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Update is a message of live updates.
type Update struct {
	Parts []string `json:"parts"`
	Added int      `json:"added"`
}

// Part returns the element with an id; empty if it is not in the message.
func (u Update) Part(id string) string {
	for _, part := range u.Parts {
		if strings.Contains(part, ` id="`+id+`"`) {
			return part
		}
	}
	return ""
}

// LiveRequest is the request for the live updates of a page, as its script sends it.
func (p *Person) LiveRequest(page *Page) *http.Request {
	GinkgoHelper()
	address := page.Find("body").AttrOr("data-live", "")
	rows := page.Find("[data-row]").Map(func(_ int, row *goquery.Selection) string {
		return "&row=" + url.QueryEscape(row.AttrOr("id", ""))
	})
	address += strings.Join(rows, "")
	ctx, cancel := context.WithCancel(context.Background())
	DeferCleanup(cancel)
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Base+address, nil)
	Expect(err).NotTo(HaveOccurred())
	return q
}

// Live opens the live updates of a page until the spec ends. The channel is closed when the stream ends.
func (p *Person) Live(page *Page) <-chan Update {
	GinkgoHelper()
	answer, err := p.client.Do(p.LiveRequest(page)) //nolint:bodyclose // closed when the spec ends
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(answer.Body.Close)
	Expect(answer.StatusCode).To(Equal(http.StatusOK))
	Expect(answer.Header.Get("Content-Type")).To(Equal("text/event-stream"))
	updates := make(chan Update, 100)
	go func() {
		defer close(updates)
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			var u Update
			if ok && json.Unmarshal([]byte(data), &u) == nil {
				updates <- u
			}
		}
	}()
	return updates
}
