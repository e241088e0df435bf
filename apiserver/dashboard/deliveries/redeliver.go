package deliveries

import (
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// redeliverFailed redelivers the failed articles of a site, the newest first.
func redeliverFailed(v *page.Visit, of struct{ Site string }) (*page.Answer, error) {
	sites, err := v.Sites()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(sites, func(s restsite.Site) bool { return s.UID == of.Site })
	if i < 0 {
		return v.NotFound(), nil
	}
	list, err := deliveriesIn(v, page.StateFailed, sites[i].UID, "", page.MaxBulk)
	if err != nil {
		return nil, err
	}
	back := deliveriesPath(v, page.StateFailed, sites[i].UID, "")
	if len(list.Data) == 0 {
		return v.RedirectProblem(back, "Nothing has failed any more."), nil
	}
	results := page.Results{Operation: string(lifecycle.ActionRedeliver), Back: back, Left: list.HasMore}
	body, titles := review.BulkRequest{Operation: string(lifecycle.ActionRedeliver)}, map[string]string{}
	for _, a := range list.Data {
		body.Items, titles[a.UID] = append(body.Items, review.BulkItem{UID: a.UID}), page.TitleOf(a)
	}
	if _, err := results.Bulk(v, body, titles); err != nil {
		return nil, err
	}
	return v.RedirectResults(results)
}
