package dashboard

import (
	"slices"
	"strconv"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// maxRedelivered is how many articles of a site are redelivered at once.
const maxRedelivered = 100

// redeliveredView is what has become of each article that was to be redelivered.
type redeliveredView struct {
	SiteName string
	Done     int
	Results  []redelivered
	// Left is how many failed articles of the site have not been tried.
	Left bool
	Back string
}

type redelivered struct {
	UID, Title, Problem string
}

// redeliverFailed redelivers the failed articles of a site, the newest first.
func redeliverFailed(v *visit) (*answer, error) {
	sites, err := v.sites()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(sites, func(s rest.Site) bool { return s.UID == v.form("site") })
	if i < 0 {
		return v.notFound(), nil
	}
	page, err := v.deliveriesIn(stateFailed, sites[i].UID, "", strconv.Itoa(maxRedelivered))
	if err != nil {
		return nil, err
	}
	back := deliveriesPath(v, stateFailed, sites[i].UID, "")
	if len(page.Data) == 0 {
		return v.redirectProblem(back, "Nothing has failed any more."), nil
	}
	view := redeliveredView{SiteName: sites[i].Name, Left: page.HasMore, Back: back}
	for part := range slices.Chunk(page.Data, maxBulk) {
		if err := v.redeliverAll(part, &view); err != nil {
			return nil, err
		}
	}
	return v.page("redelivered.html", "Redelivered", view), nil
}

// redeliverAll redelivers at most maxBulk articles, and adds what has become of each.
func (v *visit) redeliverAll(articles []rest.ArticleSummary, view *redeliveredView) error {
	body := rest.BulkRequest{Operation: "redeliver"}
	for _, a := range articles {
		body.Items = append(body.Items, rest.BulkItem{UID: a.UID})
	}
	done, err := call[rest.BulkAnswer](v, rest.Request{Operation: "bulk-articles", Body: body})
	if err != nil {
		return err
	}
	view.Done += done.Done
	for i, result := range done.Data {
		one := redelivered{UID: result.UID, Title: titleOf(articles[i])}
		if result.Problem != nil {
			one.Problem = sentence(result.Problem.Message)
		}
		view.Results = append(view.Results, one)
	}
	return nil
}
