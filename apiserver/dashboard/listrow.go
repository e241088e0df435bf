package dashboard

import (
	"cmp"
	"html/template"
	"net/url"
	"strconv"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// listRow is an article in the list: all that its fragment is made of.
type listRow struct {
	UID, Title, Path string
	// Keyword is empty where the title says it.
	Keyword, PublishedURL string
	// Status is empty if the article has been deleted.
	Status string
	// Reason says why the article is in its status; empty if that says it all.
	Reason   string
	SiteName string
	// Score is empty while there is no text.
	Score string
	// Time is shown after TimeWord; empty if there is none.
	TimeWord string
	Time     rowTime
	Progress rowProgress
	// Decision is the last one, by somebody; empty if there is none.
	Decision, By string
	// Digest of the text, for the value of the tick box.
	Digest string
	// Tick and Site are the columns that not every list has.
	Tick, Site bool
	// Gone means that the article is in the list no more: it was there when the page was loaded.
	Gone bool
}

// rowTime is a time, in RFC 3339, in a zone of this name; ago says how far it is from now.
type rowTime struct{ at, zone, ago string }

// HTML shows the time.
func (t rowTime) HTML() template.HTML {
	at, ok := timeOf(t.at)
	if !ok {
		return ""
	}
	return timeHTML(at, location(t.zone), t.ago)
}

// rowProgress is how far the run of an article has come; the zero value if there is none.
type rowProgress struct {
	Attempt, Step, Steps int32
	// Next says how far the next attempt is away if this one has failed, and Begun how long ago this one began.
	Next, Begun string
}

// rowsOf is what the rows of a list have in common: the path of the list, and whether it has the columns that not every list has.
type rowsOf struct {
	path       string
	tick, site bool
}

// row returns an article as a row of the list.
func (v *visit) row(a rest.ArticleSummary, siteNames map[string]string, list rowsOf) listRow {
	a.StatusMessage = plainMessage(a.StatusMessage, v.zone())
	row := listRow{
		UID: a.UID, Title: titleOf(a), Path: list.path + "/" + url.PathEscape(a.UID), PublishedURL: a.PublishedURL, Status: a.Status,
		Reason: rowReason(a), SiteName: cmp.Or(siteNames[a.SiteUID], "a deleted site"), Digest: a.RevisionDigest,
		Tick: list.tick, Site: list.site,
	}
	if a.Status == statusReview {
		row.Path += "?next=1"
	}
	at := a.CreatedAt
	switch row.TimeWord = "made"; {
	case a.PublishedAt != nil:
		row.TimeWord, at = "published", *a.PublishedAt
	case a.PublishAt != nil:
		row.TimeWord, at = "to be published", *a.PublishAt
	}
	row.Time = rowTime{at, v.settings.Zone, v.ago(at)}
	if a.TargetKeyword != row.Title {
		row.Keyword = a.TargetKeyword
	}
	if a.SEOScore != nil {
		row.Score = strconv.Itoa(int(*a.SEOScore))
	}
	if a.Review != nil {
		row.Decision, row.By = a.Review.Decision, a.Review.By
	}
	if p := a.Progress; p != nil {
		row.Progress = rowProgress{p.Attempt, p.Step, p.Steps, v.ago(p.NextAttemptAt), v.ago(p.StartedAt)}
	}
	return row
}

// rowsHTML returns the HTML of rows.
func (d *Dashboard) rowsHTML(rows []listRow) ([]template.HTML, error) {
	out := make([]template.HTML, 0, len(rows))
	for _, row := range rows {
		text, err := fragmentOf(d, "articles-row", row)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// rowReason says why an article is in its status, if that needs saying.
func rowReason(a rest.ArticleSummary) string {
	failed := a.Publication != nil && a.Publication.State == "failed"
	switch a.Status {
	case "published":
		if failed {
			return "It is published. Sending it again failed: " + a.StatusMessage
		}
		return ""
	case "review":
		if a.Reasons.Approved == "awaiting_review" {
			return ""
		}
	case "rejected":
		if a.Review != nil {
			return a.Review.Note
		}
	case "draft", "archived", "scheduled":
		return ""
	}
	return a.StatusMessage
}
