package articles

import (
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

func TestARowSaysNothingTwice(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 11, 30, 16, 30, 0, 0, time.UTC))
	v := &page.Visit{Workspace: "acme", Zone: time.UTC, Deps: &page.Deps{Clock: clock}}
	made, planned, published := "2026-11-28T17:15:00Z", "2026-12-01T09:00:00Z", "2026-11-29T09:00:00Z"
	for _, tt := range []struct {
		name          string
		article       restarticle.ArticleSummary
		keyword, when string
		planned       bool
	}{
		{
			"the keyword is in the title",
			restarticle.ArticleSummary{Title: "Trail Shoes: how to choose", TargetKeyword: "trail shoes", Status: "review", CreatedAt: made},
			"", "28 Nov", false,
		},
		{
			"the keyword is another one",
			restarticle.ArticleSummary{Title: "Trail running shoes", TargetKeyword: "trail shoes", Status: "review", CreatedAt: made},
			"trail shoes", "28 Nov", false,
		},
		{
			"the keyword is all that is known",
			restarticle.ArticleSummary{TargetKeyword: "trail shoes", Status: "generating", CreatedAt: "2026-11-30T16:00:00Z"},
			"", "16:00", false,
		},
		{
			"its status says that the time is that of the publication",
			restarticle.ArticleSummary{Title: "Huts", Status: "scheduled", CreatedAt: made, PublishAt: &planned},
			"", "tomorrow, 09:00", false,
		},
		{
			"its status does not say so",
			restarticle.ArticleSummary{Title: "Huts", Status: "review", CreatedAt: made, PublishAt: &planned},
			"", "tomorrow, 09:00", true,
		},
		{
			"it is published",
			restarticle.ArticleSummary{Title: "Huts", Status: "published", CreatedAt: made, PublishAt: &planned, PublishedAt: &published},
			"", "yesterday", false,
		},
	} {
		row := rowOf(v, tt.article, nil, optionalColumns{})
		if row.Keyword != tt.keyword || row.Planned != tt.planned || !strings.Contains(string(row.Time), ">"+tt.when+"<") {
			t.Errorf("%s: got %q, %s, planned: %v", tt.name, row.Keyword, row.Time, row.Planned)
		}
	}
}
