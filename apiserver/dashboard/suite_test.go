// These specs use the pages as people do, on two replicas and a real kube-apiserver. What a page shows is tested in its own package. A
// file is named after what its specs are about:
//
//   - account: apps of the account
//   - approvals: several people who must approve
//   - article: the page of an article
//   - batch: what became of the lines of a form that generates
//   - bulk: one action on many articles
//   - bulkmany: the same with more than a request takes
//   - bulkresults: what a bulk action says in the end
//   - calendar: the calendar
//   - commands: the menu of an article
//   - cost: how many operations a page calls
//   - deliveries: the list of deliveries
//   - deliverylog: the deliveries of an article
//   - drafts: drafts
//   - edit: the editor while others edit
//   - editors: who else edits, and changes that are merged
//   - eventsubscriptions: event subscriptions
//   - frame: what all pages have
//   - image: featured images
//   - kept: what was typed while a session ends
//   - list: the list of articles
//   - make: generating and writing articles
//   - manage: sites and API keys
//   - once: forms that charge, sent twice
//   - pinnedimage: the file of a featured image
//   - queue: going from article to article
//   - replicas: two people at two replicas
//   - review: deciding on an article
//   - reachable: a site that nobody can reach
//   - routes: each route, by everybody who may not use it
//   - sessions: when a session ends
//   - share: links for people without an account
//   - signout: signing out
//   - sitemistakes: mistakes in the form of a site
//   - sites: the list of sites
//   - sitestale: forms that are not new
//   - story: what happened to an article
//   - text: the text of an article, and the editor
//   - addresses: the address of each form, when somebody opens it
//   - textwords: the words of a text wherever it is shown
//   - visible: what every page says
package dashboard_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

func TestDashboard(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(30 * time.Second)
	RunSpecs(t, "Dashboard")
}

// facades are two replicas.
var facades *dashboardtest.Facades

var _ = BeforeSuite(func() { facades = dashboardtest.Start(2) })
