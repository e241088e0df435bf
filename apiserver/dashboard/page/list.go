package page

import (
	"fmt"
	"html/template"
	"net/url"
	"strconv"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/deliveryrecord"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// List is the list that an article was opened from.
type List struct {
	// Query is the query of the list's address: filter and order.
	Query url.Values
	// At is the place of the article in it, from 1; 0 if it was opened from no list.
	At int
}

// The parameters of an address, and the hidden fields of a form, that name a list and the place of an article in it. No field that people
// fill in has these names: a form may have both, and only the first field of a name is read.
const (
	listField  = "list"
	placeField = "place"
)

// ListOf returns the list that the address of a page, or its form, names. An article that was opened from no list is in the queue of
// review.
func ListOf(v *Visit) List {
	from, place := v.Query(listField), v.Query(placeField)
	if sent := v.request.PostForm; sent.Get(listField) != "" {
		from, place = sent.Get(listField), sent.Get(placeField)
	}
	query, err := url.ParseQuery(from)
	at, atErr := strconv.Atoi(place)
	if from == "" || err != nil || atErr != nil || at < 1 {
		return List{Query: url.Values{"status": {StatusReview}, "order": {"oldest"}}}
	}
	return List{query, at}
}

// From is the list as a parameter of an article's address.
func (l List) From() string { return l.Query.Encode() }

// Path is the path of an article of the list, with further parameters; next has its page open the next one after a decision.
func (l List) Path(v *Visit, uid string, next bool, pairs ...string) string {
	if l.At > 0 {
		pairs = append(pairs, listField, l.From(), placeField, strconv.Itoa(l.At))
	}
	if next {
		pairs = append(pairs, "next", "1")
	}
	if pairs == nil {
		return v.ArticlePath(uid)
	}
	return WithQuery(v.ArticlePath(uid), pairs...)
}

// Articles returns articles of the list, after one with an _id or before it.
func (l List) Articles(v *Visit, id string, before bool, limit int) (articlelist.ArticlePage, error) {
	found, err := Call(v, articlelist.List, l.input(id, before, limit))
	return found.Body, err
}

// Around returns what is around an article with an _id in the list, and has the counts for the page.
func (l List) Around(v *Visit, id string) (articlelist.Surroundings, error) {
	found, err := Call(v, articlelist.GetSurroundings, l.input(id, false, 0))
	if err == nil {
		v.keepCounts(v.Workspace, "", found.Body.Counts)
		v.keepCounts(v.Workspace, l.Query.Get("site"), found.Body.OfSite)
	}
	return found.Body, err
}

func (l List) input(id string, before bool, limit int) articlelist.ListInput {
	var statuses []articlelist.Status
	if status := l.Query.Get("status"); status != "" && status != AllStatuses {
		statuses = []articlelist.Status{articlelist.Status(status)}
	}
	order := ""
	if (l.Query.Get("order") == "oldest") != before {
		order = "oldest"
	}
	return articlelist.ListInput{
		OfSite: articlelist.OfSite{SiteUID: operation.SiteUID(l.Query.Get("site"))}, Limit: limit, Cursor: articlelist.Cursor(id),
		Status: statuses, Text: l.Query.Get("q"), Order: order,
	}
}

// Back is the address of the list, at an article.
func (l List) Back(v *Visit, uid string) string {
	if l.At == 0 {
		return ""
	}
	return v.Path("articles") + "?" + l.From() + "#a-" + uid
}

// Place says where the article is in the list, such as "3 of 30". How many a search finds is not counted.
func (l List) Place(v *Visit) string {
	counts, err := v.Counts(v.Workspace, l.Query.Get("site"))
	total := counts.ByStatus[l.Query.Get("status")]
	if err != nil || l.Query.Get("q") != "" || total < l.At {
		return strconv.Itoa(l.At)
	}
	return fmt.Sprintf("%d of %d", l.At, total)
}

// Whole reports whether the list is the whole queue of review.
func (l List) Whole() bool {
	return l.Query.Get("status") == StatusReview && l.Query.Get("q") == "" && l.Query.Get("site") == ""
}

// AttemptsView is the data of a table of attempts.
type AttemptsView struct {
	Label string
	// Of is how many attempts a delivery has at most.
	Of   int
	Rows []attemptRow
}

type attemptRow struct {
	deliveryrecord.DeliveryAttempt

	Started template.HTML
	Outcome Mark
	// Said is the message of the attempt as people read it.
	Said string
}

// Attempts returns a table of attempts.
func (l *Layout) Attempts(label string, all []deliveryrecord.DeliveryAttempt) AttemptsView {
	view := AttemptsView{Label: label, Of: MaxAttempts, Rows: make([]attemptRow, 0, len(all))}
	for _, a := range all {
		view.Rows = append(view.Rows, attemptRow{a, l.When(a.StartedAt), Words.Attempts[a.Outcome], l.Say(a.Message)})
	}
	return view
}

// The statuses of articles that decide what is offered.
const (
	StatusDraft      = "draft"
	StatusReview     = "review"
	StatusGenerating = "generating"
	StatusPublished  = "published"
	statusApproved   = "approved"
	StatusArchived   = "archived"
)

// MaxAttempts is how many attempts a delivery has at most (docs/reference/contract.md, Delivery).
const MaxAttempts = v1alpha1.MaxAttempts

// The states of a delivery in the REST API.
const (
	StateFailed     = "failed"
	StateRetrying   = "retry_scheduled"
	StateInProgress = "delivering"
	StateDelivered  = "delivered"
)

// Ended reports whether a delivery in a state can be begun again.
func Ended(state string) bool { return state == StateFailed || state == StateDelivered }

// MaxBulk is how many articles a bulk action may be about: those of two calls of bulk-articles.
const MaxBulk = 2 * maxItems

// maxItems is how many articles a call of bulk-articles may be about.
const maxItems = 50

// ListLimit is how many articles a page of the list has.
const ListLimit = 50

// AllStatuses stands for all of them in the list.
const AllStatuses = "all"
