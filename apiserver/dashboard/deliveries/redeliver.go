package deliveries

import (
	"slices"
	"strconv"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// maxRedelivered is how many articles of a site are redelivered at once.
const maxRedelivered = 100

// redeliverFailed redelivers the failed articles of a site, the newest first.
func redeliverFailed(v *page.Visit) (*page.Answer, error) {
	sites, err := v.Sites()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(sites, func(s restsite.Site) bool { return s.UID == v.Form("site") })
	if i < 0 {
		return v.NotFound(), nil
	}
	list, err := deliveriesIn(v, page.StateFailed, sites[i].UID, "", strconv.Itoa(maxRedelivered))
	if err != nil {
		return nil, err
	}
	back := deliveriesPath(v, page.StateFailed, sites[i].UID, "")
	if len(list.Data) == 0 {
		return v.RedirectProblem(back, "Nothing has failed any more."), nil
	}
	results := page.Results{Operation: "redeliver", Back: back, Left: list.HasMore}
	for part := range slices.Chunk(list.Data, page.MaxBulk) {
		if err := redeliverAll(v, part, &results); err != nil {
			return nil, err
		}
	}
	return v.RedirectResults(results)
}

// redeliverAll redelivers at most maxBulk articles, and adds what has become of each.
func redeliverAll(v *page.Visit, articles []restarticle.ArticleSummary, results *page.Results) error {
	body, uids := review.BulkRequest{Operation: "redeliver"}, make([]string, 0, len(articles))
	for _, a := range articles {
		uids = append(uids, a.UID)
		body.Items = append(body.Items, review.BulkItem{UID: a.UID})
	}
	done, err := page.Call[review.BulkAnswer](v, rest.Request{Operation: "bulk-articles", Header: v.Once(uids...), Body: body})
	if err != nil {
		return err
	}
	for i, r := range done.Data {
		result := page.Result{UID: r.UID, Title: page.TitleOf(articles[i]), Status: r.Status}
		if r.Done {
			results.Done = append(results.Done, result)
			continue
		}
		if r.Problem != nil {
			result.Problem = page.Sentence(r.Problem.Message)
		}
		results.Failed = append(results.Failed, result)
	}
	return nil
}
