package moneywalk_test

import "encoding/json"

// posts are what the receiver was sent.
type posts struct{ w *walk }

// sent checks that a request is written ahead, and that nothing is sent that was published.
func (p posts) sent(body []byte) {
	var post struct {
		Slug string `json:"slug"`
	}
	if err := json.Unmarshal(body, &post); err != nil {
		p.w.failf("the receiver was sent %q", body)
	}
	p.w.counts["requests to the receiver"]++
	others := 0
	for _, a := range p.w.store.articles() {
		switch {
		case a.Status.Slug != post.Slug:
		case openAttempt(a) != "":
			return
		default:
			others++
		}
	}
	// There is none if it has just been deleted.
	if others > 0 {
		p.w.failf("%s was sent, and no attempt is in status", post.Slug)
	}
}
