package articles

import (
	"cmp"
	"html/template"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// listRow is an article in the list.
type listRow struct {
	UID, Title, Path string
	// Keyword is empty where the title says it.
	Keyword, PublishedURL string
	// Status is empty if the article has been deleted, and Mark is its badge.
	Status string
	Mark   page.Mark
	// Reason says why the article is in its status; empty if that says it all.
	Reason   string
	SiteName string
	// Score is empty while there is no text.
	Score string
	// TimeWord says what the time is of, for those who do not see the status beside it. Planned means that the status does not say that
	// the time is that of the publication.
	TimeWord string
	Planned  bool
	Time     template.HTML
	Progress rowProgress
	// Approvals are shown while the text waits for some of several; nil otherwise.
	Approvals *restarticle.ArticleApprovals
	// Decision is the last one, and By who made it; empty if there is none.
	Decision, By string
	// Digest of the text, for the value of the tick box.
	Digest string
	// Tick and Site are optional columns.
	Tick, Site bool
	// Gone means that the article is in the list no more: it was there when the page was loaded.
	Gone bool
}

// SiteParts are the parts of the site's name between which a line may break: after the dots of a domain.
func (r listRow) SiteParts() []string { return strings.SplitAfter(r.SiteName, ".") }

// rowProgress is how far the run of an article has come; the zero value if there is none.
type rowProgress struct {
	Attempt, Step, Steps int32
	// Next says how far the next attempt is away if this one has failed, and Begun how long ago this one began.
	Next, Begun template.HTML
}

// optionalColumns says which optional columns are shown.
type optionalColumns struct{ tick, site bool }

// rowOf returns an article as a row of the list.
func rowOf(v *page.Visit, a restarticle.ArticleSummary, siteNames map[string]string, columns optionalColumns) listRow {
	a.StatusMessage = v.Status(a)
	row := listRow{
		UID: a.UID, Title: page.TitleOf(a), Path: v.ArticlePath(a.UID), PublishedURL: a.PublishedURL,
		Status: a.Status, Mark: page.StatusMark(a),
		Reason: rowReason(a), SiteName: cmp.Or(siteNames[a.SiteUID], "a deleted site"), Digest: digestOf(a),
		Tick: columns.tick, Site: columns.site,
	}
	at := a.CreatedAt
	switch row.TimeWord = "made"; {
	case a.PublishedAt != nil:
		row.TimeWord, at = "published", *a.PublishedAt
	case a.PublishAt != nil:
		row.TimeWord, at = "to be published", *a.PublishAt
		row.Planned = a.Status != "scheduled"
	}
	row.Time = v.Short(at)
	if !strings.Contains(strings.ToLower(row.Title), strings.ToLower(a.TargetKeyword)) {
		row.Keyword = a.TargetKeyword
	}
	if a.SEOScore != nil {
		row.Score = strconv.Itoa(int(*a.SEOScore))
	}
	if a.Status == page.StatusReview && a.Approvals.Required > 1 && len(a.Approvals.Given) > 0 {
		row.Approvals, row.Reason = &a.Approvals, ""
	}
	if a.Review != nil {
		row.Decision, row.By = a.Review.Decision, a.Review.By
	}
	if p := a.Progress; p != nil {
		row.Progress = rowProgress{p.Attempt, p.Step, p.Steps, v.Ago(p.NextAttemptAt), v.Ago(p.StartedAt)}
	}
	return row
}

// rowReason says why an article is in its status, if that needs saying.
func rowReason(a restarticle.ArticleSummary) string {
	failed := a.Publication != nil && a.Publication.State == "failed"
	switch a.Status {
	case "published":
		switch {
		case failed:
			return "It is published. Sending it again failed: " + a.StatusMessage
		case page.IsLate(a) && a.Publication.Unpublish:
			return "Taking it back has not succeeded yet. It is tried again."
		case page.IsLate(a):
			return "It is published. What was sent since does not arrive yet. It is tried again."
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
