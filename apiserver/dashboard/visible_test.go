package dashboard_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

// machineWords finds what programs say: times of RFC 3339, names of values and of events in the REST API, and of reasons in conditions.
var machineWords = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}|\b[a-z]+(_[a-z]+)+\b|\b(blog|site|subscription)\.[a-z]+\b|\b[A-Z][a-z]+([A-Z][a-z]+)+\b`)

// otherNames have the form of the name of an event, and are none.
var otherNames = []string{"blog.example"}

// unverbatim are the parts of a page that show bytes as they are: a request, an answer, code, and what only scripts read.
const unverbatim = "pre, code, script, style, textarea, template, [hidden], section[aria-labelledby=request-title]"

// visibleWords returns the words of programs that a page shows.
func visibleWords(page *pagetest.Page) []string {
	body := page.Find("body").Clone()
	body.Find(unverbatim).Remove()
	var found []string
	for _, word := range machineWords.FindAllString(body.Text(), -1) {
		_, isReason := conditions.Reasons[word]
		if slices.Contains(otherNames, word) || unicode.IsUpper(rune(word[0])) && !isReason {
			continue
		}
		found = append(found, word)
	}
	return found
}

// runs are what an article without a text waits for.
var runs = []v1alpha1.GenerationRun{
	{State: v1alpha1.RunRunning, Number: 1, Attempt: 2, Step: 3, Steps: 6, StartTime: v1alpha1.NewMicroTime(operationtest.Began)},
	{
		State: v1alpha1.RunRetryScheduled, Number: 1, Attempt: 3, Reason: v1alpha1.ReasonInvalidAnswer,
		Message:         "the model's answer could not be used after a repair turn: the answer has no JSON object with titles",
		NextAttemptTime: &v1alpha1.MicroTime{Time: operationtest.Began.Add(time.Minute)},
	},
	{State: v1alpha1.RunFailed, Number: 1, Attempt: 3, Reason: v1alpha1.ReasonBackendRejected, Message: "the endpoint refused the API key with 401"},
}

// everyState has articles in many states, a site that fails, and events that were sent; it returns the paths of what has pages of its own.
func everyState(p *pagetest.Person) (articles []string, subscription string) {
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{}
	failed := func(kind, reason, message string) metav1.Condition {
		return metav1.Condition{
			Type: kind, Status: metav1.ConditionFalse, Reason: reason, Message: message, LastTransitionTime: metav1.NewTime(operationtest.Began),
		}
	}
	const late = "attempt 2 of 4 failed (the other side does not speak TLS); the next one is due at 2026-11-28T17:46:53Z"
	for n, run := range runs {
		a := p.API.Article(func(a *v1alpha1.Article) {
			operationtest.Aged(a, n+20)
			run.RequestHash = lifecycle.RequestHash(a.Spec.Generate)
			a.Status.Run = &run
			a.Status.Conditions = []metav1.Condition{
				failed(v1alpha1.ConditionGenerated, v1alpha1.ReasonRetryScheduled, "attempt 3 failed (InvalidAnswer: x); the next one is due at 2026-11-28T17:46:53Z"),
				failed(v1alpha1.ConditionReady, v1alpha1.ReasonRetryScheduled, "attempt 3 failed (InvalidAnswer: x)"),
			}
		})
		articles = append(articles, a.Name)
	}
	for n, state := range []v1alpha1.CycleState{v1alpha1.CycleRetryScheduled, v1alpha1.CycleFailed, v1alpha1.CycleInProgress} {
		a := p.API.InDelivery(n+1, state, 2, 503)
		a.Status.Conditions = []metav1.Condition{
			failed(v1alpha1.ConditionPublished, v1alpha1.ReasonRetryScheduled, late), failed(v1alpha1.ConditionReady, v1alpha1.ReasonDeliveryFailed, late),
		}
		a.Status.Transitions = []v1alpha1.ArticleTransition{{
			Type: v1alpha1.EventFailed, RevisionNumber: 1, Time: v1alpha1.NewMicroTime(operationtest.Began), Message: "ReceiverRejected: " + late,
		}}
		p.API.Indexed(a)
		articles = append(articles, a.Name)
	}
	articles = append(articles, p.API.Published().Name, p.API.WithPost().Name)
	p.API.SiteWith(func(s *v1alpha1.Site) {
		operationtest.WordPress(s)
		s.Status.Conditions = []metav1.Condition{
			failed(v1alpha1.ConditionConnected, v1alpha1.ReasonConnectionFailed, "the other side does not speak TLS"),
			failed(v1alpha1.ConditionDelivering, v1alpha1.ReasonReceiverRejected, late),
		}
	})
	s := &v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{Namespace: operationtest.Workspace, Name: operationtest.AnyUID, CreationTimestamp: metav1.NewTime(operationtest.Began)},
		Spec:       v1alpha1.EventSubscriptionSpec{URL: "https://hooks.example.com/pressroom", Events: []v1alpha1.EventSelector{"ReadyForReview", "Failed", "SiteFailing"}},
	}
	s.Status.FailingSince = &v1alpha1.MicroTime{Time: operationtest.Began}
	s.Status.Conditions = []metav1.Condition{{
		Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonValid,
		Message: "the receiver has failed since 2026-11-28T17:46:43Z; after 5 days the subscription is suspended",
	}}
	p.API.Objects.Add(s)
	for i, kind := range []v1alpha1.ArticleEventType{v1alpha1.EventReadyForReview, v1alpha1.EventTest} {
		d := &v1alpha1.EventDelivery{Spec: v1alpha1.EventDeliverySpec{
			SubscriptionRef: v1alpha1.LocalReference{Name: s.Name}, Type: kind, Time: v1alpha1.NewMicroTime(operationtest.Began), Body: "{}",
		}}
		d.Namespace, d.Name = operationtest.Workspace, "0198f0a1-0000-7000-8000-00000000bbb"+string(rune('0'+i))
		d.Status.Cycle = &v1alpha1.DeliveryCycle{Number: 1, State: v1alpha1.CycleRetryScheduled, Reason: v1alpha1.ReasonReceiverRejected}
		d.Status.Conditions = []metav1.Condition{failed(v1alpha1.ConditionDelivered, v1alpha1.ReasonRetryScheduled, late)}
		p.API.Objects.Add(d)
	}
	return articles, s.Name
}

// Every page of the dashboard, with what goes wrong on it.
func TestNoPageShowsTimesOrNamesOfPrograms(t *testing.T) {
	p := pagetest.SignIn(t)
	articles, subscription := everyState(p)
	paths := map[string]bool{}
	for _, r := range dashboard.Routes() {
		if r.Method != http.MethodGet {
			continue
		}
		path := strings.Replace(r.Path, ":workspace", operationtest.Workspace, 1)
		path = strings.Replace(strings.Replace(path, "sites/:uid", "sites/"+operationtest.SiteUID, 1), "events/:uid", "events/"+subscription, 1)
		if !strings.Contains(path, "/:uid") {
			paths[path] = true
			continue
		}
		for _, uid := range articles {
			paths[strings.Replace(path, ":uid", uid, 1)] = true
		}
	}
	for _, more := range []string{
		"articles?status=all", "deliveries?state=retry_scheduled", "deliveries?state=failed", "deliveries?state=delivering", "events/new?format=slack",
		"sites/new?type=wordpress", "sites/new?type=headless", "sites/new?type=shopify", "sites/new?type=webflow",
		"articles/" + articles[6] + "/confirm?do=archive", "articles/" + articles[7] + "/confirm?do=discard",
		"articles/new/generate?articles=" + strings.Join(articles, "+"), "calendar?month=2026-11",
	} {
		paths[pagetest.In(more)] = true
	}
	shown := 0
	for path := range paths {
		page := p.Get(path)
		if page.Status == http.StatusOK && page.Find("main").Length() == 1 {
			shown++
		}
		for _, word := range visibleWords(page) {
			t.Errorf("%s: shows %q", path, word)
		}
	}
	if shown < 50 {
		t.Errorf("%d pages of %d were shown", shown, len(paths))
	}
}

// What the search for words looks for is found if it is there.
func TestTimesAndNamesOfProgramsAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		"since 2026-11-28T17:46:43Z": true, "blog.ready_for_review": true, "blog.published": true, "retry_scheduled": true,
		"(ConnectionFailed)": true, "WordPress and GitHub": false, "Since 28 Nov 2026, 17:46 UTC": false, "well-known": false,
	} {
		if got := machineWords.FindAllString(text, -1); (len(got) > 0 && got[0] != "WordPress") != want {
			t.Errorf("%q: found %q", text, got)
		}
	}
}
