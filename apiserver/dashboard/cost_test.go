package dashboard_test

import (
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// recordOperations returns a function that returns which operations each page has called since it was last called. Both are named by their
// methods and routes.
func recordOperations() func() map[string][]string {
	recorder, before := tracetest.NewSpanRecorder(), otel.GetTracerProvider()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)))
	DeferCleanup(func() { otel.SetTracerProvider(before) })
	seen := 0
	return func() map[string][]string {
		pages, called := map[trace.SpanID]string{}, map[string][]string{}
		// A span that has started before is the parent of those that follow.
		started := recorder.Started()
		for i, span := range started {
			method, route, _ := strings.Cut(span.Name(), " ")
			switch {
			case strings.HasPrefix(route, "/app/"):
				pages[span.SpanContext().SpanID()] = span.Name()
				if i >= seen {
					called[span.Name()] = append(called[span.Name()], []string{}...)
				}
			case i >= seen && pages[span.Parent().SpanID()] != "":
				page := pages[span.Parent().SpanID()]
				called[page] = append(called[page], method+" "+strings.TrimPrefix(route, "/v1/api"))
			}
		}
		seen = len(started)
		return called
	}
}

var _ = Describe("A page", func() {
	It("calls the operations for what it shows, and each once", func() {
		const (
			list, article, approval = "GET /app/w/:workspace/articles", "GET /app/w/:workspace/articles/:uid", "POST /app/w/:workspace/articles/:uid/approve"
			calendar, site          = "GET /app/w/:workspace/calendar", "GET /app/w/:workspace/sites/:uid"
		)
		t := facades.NewTenant("Acme")
		uids := []string{t.InReview("trail shoes"), t.InReview("alpine shoes"), t.InReview("road hats")}
		p := t.SignIn()
		operations := recordOperations()
		wantAtMost := func(most map[string]int) {
			GinkgoHelper()
			called := operations()
			for page, n := range most {
				GinkgoWriter.Printf("%s: %d %q\n", page, len(called[page]), called[page])
				Expect(called).To(HaveKey(page))
				Expect(len(called[page])).To(BeNumerically("<=", n), "%s calls %q", page, called[page])
			}
		}

		opened := p.Get(t.In("articles") + "?status=review")
		wantAtMost(map[string]int{list: 3})
		p.Get(t.In("articles") + "?status=review&site=" + t.SiteUID)
		wantAtMost(map[string]int{list: 4})
		page := p.Get(opened.Find("#a-"+uids[1]+" a").AttrOr("href", ""))
		wantAtMost(map[string]int{article: 4})
		p.Submit(page, approveForm, url.Values{"then": {"publish"}, "next": {"1"}})
		wantAtMost(map[string]int{approval: 3, article: 4})
		// The last one of the list leads on to its beginning.
		page = p.Get(p.Get(t.In("articles")+"?status=review").Find("#a-"+uids[0]+" a").AttrOr("href", ""))
		operations()
		p.Submit(page, approveForm, url.Values{"then": {"publish"}, "next": {"1"}})
		wantAtMost(map[string]int{approval: 3, article: 4})
		p.Get(t.In("articles", uids[0]))
		wantAtMost(map[string]int{article: 4})
		p.Get(t.In("calendar"))
		wantAtMost(map[string]int{calendar: 4})
		p.Get(t.In("sites", t.SiteUID))
		wantAtMost(map[string]int{site: 3})
	})
})
