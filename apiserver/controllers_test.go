package apiserver_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// runController runs a new controller process at a time until nothing is due for an article. Its model answers every run with
// someText and an error, which may be nil.
func (t *tenant) runController(name string, now time.Time, modelError error) *v1alpha1.Article {
	GinkgoHelper()
	return controllertest.RunArticle(ctx, api, client.ObjectKey{Namespace: t.Workspace, Name: name},
		controllertest.Run{Now: now, Text: someText, ModelError: modelError})
}

// reconcile runs the controller until nothing is due for an article.
func (t *tenant) reconcile(name string) *v1alpha1.Article {
	GinkgoHelper()
	return t.runController(name, time.Now(), nil)
}

// failRun ends an article's run without a revision.
func (t *tenant) failRun(name string) {
	GinkgoHelper()
	t.runController(name, time.Now(), &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"})
}

// deliveredAt is when articles are published.
var deliveredAt = time.Date(2026, 11, 20, 9, 0, 0, 7_000_000, time.UTC)

// deliver has the controller send an approved article to its site, which gets a receiver that answers with a status.
func (t *tenant) deliver(name string, status int) {
	GinkgoHelper()
	slug := t.article(name).Status.Slug
	receiver := testkit.NewReceiver()
	receiver.AnswersPost(status, "https://blog.example.com/"+slug)
	t.Deliver(receiver.URL)
	t.publishNow(name)
}

// publishNow has the controller publish an approved article.
func (t *tenant) publishNow(name string) {
	GinkgoHelper()
	t.runController(name, deliveredAt, nil)
}

// published is the name of an article that is approved and that its site has accepted.
func (t *tenant) published(r *replica) string {
	GinkgoHelper()
	name := t.approved(r)
	t.deliver(name, http.StatusOK)
	return name
}

// pulled is the name of an article that is approved and that its site may pull.
func (t *tenant) pulled(r *replica) string {
	GinkgoHelper()
	name := t.approved(r)
	t.publishNow(name)
	return name
}

// approved is the name of an article that is approved and is to be published.
func (t *tenant) approved(r *replica) string {
	GinkgoHelper()
	name := t.inReview(r)
	Expect(r.ask(t, "POST", "/v1/api/blogs/"+name+"/approve", nil)).To(havingStatus(200, "approved"))
	Expect(r.ask(t, "POST", "/v1/api/blogs/"+name+"/publish", nil)).To(havingStatus(200, "approved"))
	return name
}

// inReview is the name of a generated article that waits in review.
func (t *tenant) inReview(r *replica) string {
	GinkgoHelper()
	got := r.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes"))
	Expect(got.Status).To(Equal(202), got.Raw)
	t.reconcile(got.Text("blog_uid"))
	return got.Text("blog_uid")
}
