package articlelist_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestListsAreSearchedOrderedAndFilteredByPublication(t *testing.T) {
	api := operationtest.New(t)
	titled := func(n int, title, keyword string) string {
		return api.Article(func(a *v1alpha1.Article) {
			operationtest.Aged(a, n)
			a.Spec.Content, a.Spec.Generate.Keyword = &v1alpha1.ArticleContent{Title: title}, keyword
		}).Name
	}
	shoes, boots := titled(1, "Trail Shoes", "running"), titled(2, "Boots", "trail boots")
	failed := api.InDelivery(3, v1alpha1.CycleFailed, 4, 500).Name
	retried := api.InDelivery(4, v1alpha1.CycleRetryScheduled, 1, 503).Name
	for query, want := range map[string][]string{
		"q=TRAIL":                              {retried, failed, boots, shoes},
		"q=trail+shoes":                        {retried, failed, shoes},
		"q=boots":                              {boots},
		"q=boots&status=published":             {},
		"":                                     {retried, failed, boots, shoes},
		"order=oldest":                         {shoes, boots, failed, retried},
		"order=newest&limit=1":                 {retried},
		"order=oldest&limit=1":                 {shoes},
		"publication=failed":                   {failed},
		"publication=retry_scheduled":          {retried},
		"publication=delivered":                {},
		"publication=failed&status=generating": {failed},
		"publication=failed&site_uid=" + operationtest.SiteUID:             {failed},
		"status=generating&site_uid=" + operationtest.SiteUID:              {retried, failed, boots, shoes},
		"site_uid=" + operationtest.OtherSiteUID:                           {},
		"status=failed&site_uid=" + strings.ToUpper(operationtest.SiteUID): {},
		"publication=failed&q=nothing":                                     {},
		"order=oldest&q=trail&limit=2":                                     {shoes, boots},
		"publication=failed&q=trail&order=oldest":                          {failed},
	} {
		if got := api.UIDs(query); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", query, got, want)
		}
	}
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?order=title"}), "order")
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?publication=retrying"}), "publication")
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?q=" + strings.Repeat("x", 201)}), "q")
	since := "published_since=2026-11-20T09:00:00Z"
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?q=x&order=oldest&publication=failed&" + since}), "order", "publication", "q")
}

func TestACursorGoesOnInEitherOrder(t *testing.T) {
	api := operationtest.New(t)
	var want []string
	for n := range 5 {
		want = append(want, api.Article(func(a *v1alpha1.Article) { operationtest.Aged(a, n) }).Name)
	}
	for _, order := range []string{"oldest", "newest"} {
		var got []string
		cursor := ""
		for {
			var page articlelist.ArticlePage
			api.Into(operationtest.Request{Path: "/v1/api/blogs?limit=2&q=trail&order=" + order + cursor}, &page)
			for _, a := range page.Data {
				got = append(got, a.UID)
			}
			if !page.HasMore {
				break
			}
			cursor = "&cursor=" + *page.NextCursor
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", order, got, want)
		}
		slices.Reverse(want)
	}
}
