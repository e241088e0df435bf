package articlelist_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestCountsAreThoseOfTheLists(t *testing.T) {
	api := operationtest.New(t)
	api.Published()
	api.Article(nil)
	api.InDelivery(1, v1alpha1.CycleFailed, 4, 500)
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/counts"}), `{"success":true,"all":3,
		"by_status":{"draft":0,"generating":2,"review":0,"approved":0,"rejected":0,"scheduled":0,"published":1,"failed":0,"archived":0},
		"by_publication":{"delivering":0,"retry_scheduled":0,"delivered":0,"failed":1,"cancelled":0}}`)
	var of articlelist.ArticleCounts
	api.Into(operationtest.Request{Path: "/v1/api/blogs/counts?site_uid=" + operationtest.OtherSiteUID}, &of)
	if of.All != 0 {
		t.Errorf("%d articles of a site that has none", of.All)
	}
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/counts?site_uid=acme"}), "site_uid")
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/counts", Workspace: operationtest.OtherWorkspace}), http.StatusNotFound, "NOT_FOUND")
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/counts", Key: operationtest.ScopelessKey}), http.StatusForbidden, "INSUFFICIENT_SCOPE")
}
