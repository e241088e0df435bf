package apiserver_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

const subscriptions = "/v1/api/event-subscriptions"

func subscribing(events ...string) map[string]any {
	return map[string]any{"url": "https://example.com/hook", "events": events}
}

var _ = Describe("Event subscriptions over REST", func() {
	It("are made with a secret that is shown once, listed, read, rotated and deleted", func() {
		t := newTenant(shared)
		body := subscribing("blog.ready_for_review", "blog.published")
		body["site_uid"] = t.SiteUID
		made := shared.ask(t, "POST", subscriptions, body)
		Expect(made.Status).To(Equal(201), made.Raw)
		Expect(made.Body["events"]).To(Equal([]any{"blog.ready_for_review", "blog.published"}))
		Expect(made.Text("site_uid")).To(Equal(t.SiteUID))
		uid := made.Text("uid")
		s := t.subscription(uid)
		Expect(t.secret(s.Spec.SigningSecretRef)).To(Equal(made.Text("secret")))
		_, err := eventhook.ParseSecret(made.Text("secret"))
		Expect(err).NotTo(HaveOccurred())

		for _, path := range []string{subscriptions, subscriptions + "/" + uid} {
			got := shared.ask(t, "GET", path, nil)
			Expect(got.Status).To(Equal(200))
			Expect(got.Raw).To(And(ContainSubstring(uid), Not(ContainSubstring("whsec_"))))
		}

		rotated := shared.ask(t, "POST", subscriptions+"/"+uid+"/rotate-secret", nil)
		Expect(rotated.Status).To(Equal(200), rotated.Raw)
		s = t.subscription(uid)
		Expect(t.secret(s.Spec.SigningSecretRef)).To(Equal(rotated.Text("secret")))
		Expect(t.secret(*s.Spec.PreviousSigningSecretRef)).To(Equal(made.Text("secret")))
		Expect(rotated.Text("secret")).NotTo(Equal(made.Text("secret")))

		Expect(shared.ask(t, "DELETE", subscriptions+"/"+uid, nil).Status).To(Equal(204))
		Expect(shared.ask(t, "GET", subscriptions+"/"+uid, nil)).To(failing(404, "NOT_FOUND"))
	})

	It("refuse what the CRD refuses, naming the field", func() {
		got := shared.ask(newTenant(shared), "POST", subscriptions, map[string]any{"url": "ftp://example.com/x", "events": []string{"*"}})
		Expect(got).To(failing(400, "VALIDATION_ERROR"), got.Raw)
		Expect(got.Fields()).To(Equal([]string{"url"}), got.Raw)
	})

	It("start workflows of GitHub with a token that is stored for its URL, and that no answer shows", func() {
		t := newTenant(shared)
		const url, token = "https://api.github.com/repos/acme/blog-content/dispatches", "github_pat_11AAAAAAA0example"
		body := map[string]any{"url": url, "events": []string{"blog.ready_for_review"}, "format": "github", "token": token}
		made := shared.ask(t, "POST", subscriptions, body)
		Expect(made.Status).To(Equal(201), made.Raw)
		path := subscriptions + "/" + made.Text("uid")
		first := *t.subscription(made.Text("uid")).Spec.TokenSecretRef
		Expect(t.secret(first)).To(Equal(token))

		moved := map[string]any{"url": "https://api.github.com/repos/acme/other/dispatches"}
		refused := shared.ask(t, "PATCH", path, moved)
		Expect(refused).To(failing(400, "VALIDATION_ERROR"), refused.Raw)
		Expect(refused.Fields()).To(Equal([]string{"token"}))
		moved["token"] = token + "2"
		changed := shared.ask(t, "PATCH", path, moved)
		Expect(changed.Status).To(Equal(200), changed.Raw)
		second := *t.subscription(made.Text("uid")).Spec.TokenSecretRef
		Expect(t.secret(second)).To(Equal(token + "2"))
		Expect(api.Get(ctx, client.ObjectKey{Namespace: t.Workspace, Name: first.Name}, &corev1.Secret{})).To(Satisfy(apierrors.IsNotFound))

		body["url"] = "https://api.github.com/repos/acme/blog-content/issues"
		wrong := shared.ask(t, "POST", subscriptions, body)
		Expect(wrong.Fields()).To(Equal([]string{"url"}), wrong.Raw)
		read := shared.ask(t, "GET", path, nil)
		Expect(read.Text("url")).To(Equal(moved["url"]))
		for _, answer := range []string{made.Raw, refused.Raw, changed.Raw, wrong.Raw, read.Raw, shared.ask(t, "GET", subscriptions, nil).Raw} {
			Expect(answer).NotTo(ContainSubstring(token))
		}
	})

	It("are another tenant's business, and need the scope write to change", func() {
		t, other := newTenant(shared), newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		Expect(shared.ask(other, "GET", subscriptions+"/"+uid, nil)).To(failing(404, "NOT_FOUND"))
		Expect(shared.ask(other, "DELETE", subscriptions+"/"+uid, nil)).To(failing(404, "NOT_FOUND"))
		reader := t.with(t.newKey(v1alpha1.ScopeRead))
		Expect(shared.ask(reader, "DELETE", subscriptions+"/"+uid, nil)).To(failing(403, "INSUFFICIENT_SCOPE"))
	})

	It("are found by uid whatever name kubectl gave them, and leave the secrets of manifests to those", func() {
		t := newTenant(shared)
		s := &v1alpha1.EventSubscription{
			TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "EventSubscription"},
			ObjectMeta: metav1.ObjectMeta{Namespace: t.Workspace, Name: "newsroom"},
			Spec: v1alpha1.EventSubscriptionSpec{
				URL: "https://example.com/hook", Events: []v1alpha1.EventSelector{v1alpha1.SelectAll},
				SigningSecretRef: v1alpha1.SecretKeyReference{Name: "mine", Key: "secret"},
			},
		}
		Expect(api.Patch(ctx, s, client.Apply, client.FieldOwner("kubectl"))).To(Succeed()) //nolint:staticcheck // as kubectl does
		uid := identity.UID(identity.KindEventSubscription, t.Workspace, "newsroom")
		Expect(shared.ask(t, "GET", subscriptions+"/"+uid, nil).Body["events"]).To(Equal([]any{"*"}))
		Expect(shared.ask(t, "POST", subscriptions+"/"+uid+"/rotate-secret", nil)).To(failing(409, "CONFLICT"))
	})

	It("list what was delivered, newest first, and send it again once it has ended", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		older := t.delivery(uid, "2026-11-20T09:00:00.500000Z")
		newer := t.delivery(uid, "2026-11-20T10:00:00.000000Z")
		path := subscriptions + "/" + uid + "/deliveries"
		got := shared.ask(t, "GET", path, nil)
		Expect(got.Status).To(Equal(200), got.Raw)
		list := got.Body["data"].([]any)
		Expect(list).To(HaveLen(2))
		Expect(list[0].(map[string]any)["uid"]).To(Equal(newer.Name))
		Expect(list[1]).To(And(HaveKeyWithValue("occurred_at", "2026-11-20T09:00:00.500Z"), HaveKeyWithValue("status", "pending")))
		Expect(shared.ask(t, "GET", path+"?limit=1", nil).Body["data"]).To(HaveLen(1))
		again := path + "/" + older.Name + "/redeliver"
		Expect(shared.ask(t, "POST", again, nil)).To(failing(409, "CONFLICT"), "it has not ended")

		ended := v1alpha1.NewMicroTime(time.Now())
		older.Status.FinishTime = &ended
		older.Status.Cycle = &v1alpha1.DeliveryCycle{
			Number: 1, State: v1alpha1.CycleFailed, Reason: v1alpha1.ReasonExhausted,
		}
		older.Status.Attempts = []v1alpha1.DeliveryAttempt{{
			ID: older.Name, Cycle: 1, Number: 1, StartTime: ended, AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptConnectionFailed, ErrorClass: v1alpha1.ErrorTLS, Message: "refused",
			},
		}}
		older.Status.LastAnswer = &v1alpha1.ReceiverAnswer{AttemptID: older.Name, HTTPStatus: 503, Snippet: "down"}
		Expect(api.Status().Update(ctx, older)).To(Succeed())
		sent := shared.ask(t, "POST", again, nil)
		Expect(sent.Status).To(Equal(200), sent.Raw)
		Expect(sent.Raw).To(And(ContainSubstring(`"outcome":"connection_failed","error_class":"tls"`),
			ContainSubstring(`"cycle":1,"number":1`), ContainSubstring(`"last_answer":{"http_status":503,"snippet":"down"}`)))
		Expect(shared.ask(t, "POST", again, nil)).To(failing(409, "CONFLICT"), "it is asked for already")
		Expect(shared.ask(t, "POST", path+"/0198f0a1-0000-7000-8000-000000000009/redeliver", nil)).To(failing(404, "NOT_FOUND"))
	})
})

var _ = Describe("An event subscription", func() {
	It("can be changed in part, which is refused if a manifest has it", func() {
		t := newTenant(shared)
		made := shared.ask(t, "POST", subscriptions, subscribing("*"))
		path := subscriptions + "/" + made.Text("uid")
		got := shared.ask(t, "PATCH", path, map[string]any{"events": []string{"blog.failed"}, "site_uid": t.SiteUID})
		Expect(got.Status).To(Equal(200), got.Raw)
		Expect(got.Body).To(And(HaveKeyWithValue("events", []any{"blog.failed"}), HaveKeyWithValue("site_uid", t.SiteUID),
			HaveKeyWithValue("url", made.Text("url")), HaveKeyWithValue("last_test", BeNil())))
		Expect(shared.ask(t, "PATCH", path, `{"site_uid":null,"url":"https://example.com/other"}`).Body).To(And(
			HaveKeyWithValue("site_uid", BeNil()), HaveKeyWithValue("url", "https://example.com/other"), HaveKeyWithValue("events", []any{"blog.failed"})))
		version := t.subscription(made.Text("uid")).ResourceVersion
		Expect(shared.ask(t, "PATCH", path, `{"url":"https://example.com/other"}`).Status).To(Equal(200))
		Expect(t.subscription(made.Text("uid")).ResourceVersion).To(Equal(version), "what changes nothing writes nothing")

		Expect(shared.ask(t, "PATCH", path, `{"url":"ftp://x","events":["*"]}`).Fields()).To(Equal([]string{"url"}))
		Expect(shared.ask(t, "PATCH", path, `{"events":["*","blog.failed"],"site_uid":"x"}`).Fields()).To(Equal([]string{"events", "site_uid"}))
		Expect(shared.ask(t.with(t.newKey(v1alpha1.ScopeRead)), "PATCH", path, "{}")).To(failing(403, "INSUFFICIENT_SCOPE"))

		s := t.subscription(made.Text("uid"))
		applied := &v1alpha1.EventSubscription{Spec: s.Spec}
		applied.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("EventSubscription"))
		applied.Namespace, applied.Name = s.Namespace, s.Name
		Expect(api.Patch(ctx, applied, client.Apply, client.FieldOwner("flux"), client.ForceOwnership)).To(Succeed()) //nolint:staticcheck // as Flux does
		refused := shared.ask(t, "PATCH", path, `{"url":"https://example.com/third"}`)
		Expect(refused).To(failing(409, "CONFLICT"))
		Expect(refused.Raw).To(ContainSubstring("flux"))
	})

	It("is not resumed by this API if an operator has suspended it", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		s := t.subscription(uid)
		s.Spec.Suspend = true
		Expect(api.Update(ctx, s)).To(Succeed())
		Expect(shared.ask(t, "GET", subscriptions+"/"+uid, nil).Body).To(And(HaveKeyWithValue("status", "suspended"), HaveKeyWithValue("disabled", true)))
		Expect(shared.ask(t, "POST", subscriptions+"/"+uid+"/test", nil)).To(failing(409, "CONFLICT"))
		for _, body := range []string{`{"disabled":false}`, `{"disabled":null}`} {
			got := shared.ask(t, "PATCH", subscriptions+"/"+uid, body)
			Expect(got).To(failing(409, "CONFLICT"), body)
			Expect(got.Body["error"]).To(HaveKeyWithValue("reason", "suspended"))
		}
		Expect(shared.ask(t, "PATCH", subscriptions+"/"+uid, `{"disabled":true,"events":["blog.failed"]}`).Status).To(Equal(200))
		Expect(t.subscription(uid).Spec.Suspend).To(BeTrue())
	})

	It("is disabled and enabled", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		for _, c := range []struct {
			body       string
			want       bool
			wantStatus string
		}{
			{`{"disabled":true}`, true, "suspended"}, {`{"url":"https://example.com/other"}`, true, "suspended"}, {`{"disabled":false}`, false, "active"},
			{`{"disabled":true}`, true, "suspended"}, {`{"disabled":null}`, false, "active"},
		} {
			got := shared.ask(t, "PATCH", subscriptions+"/"+uid, c.body)
			Expect(got.Body).To(And(HaveKeyWithValue("disabled", c.want), HaveKeyWithValue("status", c.wantStatus)), c.body)
			Expect(t.subscription(uid).Spec.Suspend).To(Equal(c.want), c.body)
		}
	})

	It("is changed and deleted by those who have read it last", func() {
		t := newTenant(shared)
		path := subscriptions + "/" + shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		read := shared.ask(t, "GET", path, nil).Header.Get("ETag")
		patched := shared.ask(t, "PATCH", path, `{"events":["blog.failed"]}`, "If-Match", read)
		Expect(patched.Status).To(Equal(200), patched.Raw)
		Expect(shared.ask(t, "PATCH", path, `{"events":["*"]}`, "If-Match", read)).To(failing(412, "PRECONDITION_FAILED"))
		Expect(shared.ask(t, "DELETE", path, nil, "If-Match", read)).To(failing(412, "PRECONDITION_FAILED"))
		Expect(shared.ask(t, "GET", path, nil).Body["events"]).To(Equal([]any{"blog.failed"}))
		Expect(shared.ask(t, "GET", path, nil, "If-None-Match", patched.Header.Get("ETag")).Status).To(Equal(304))
		Expect(shared.ask(t, "DELETE", path, nil, "If-Match", patched.Header.Get("ETag")).Status).To(Equal(204))
	})

	It("is resumed and tested by a nonce", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		path := subscriptions + "/" + uid
		Expect(shared.ask(t, "PATCH", path, `{"disabled":false}`).Status).To(Equal(200))
		Expect(t.subscription(uid).Annotations).NotTo(HaveKey(v1alpha1.ResumeAnnotation), "it is not suspended")
		s := t.subscription(uid)
		s.Status.Suspension = &v1alpha1.Suspension{Time: v1alpha1.NewMicroTime(time.Now()), Generation: s.Generation}
		Expect(api.Status().Update(ctx, s)).To(Succeed())
		Expect(shared.ask(t, "POST", path+"/test", nil)).To(failing(409, "CONFLICT"), "nothing is sent while it is suspended")
		Expect(shared.ask(t, "PATCH", path, `{"disabled":false}`).Status).To(Equal(200))
		s = t.subscription(uid)
		Expect(s.Annotations[v1alpha1.ResumeAnnotation]).NotTo(BeEmpty())
		s.Status.Suspension = nil
		Expect(api.Status().Update(ctx, s)).To(Succeed())

		started := shared.ask(t, "POST", path+"/test", nil)
		Expect(started.Status).To(Equal(202), started.Raw)
		s = t.subscription(uid)
		Expect(s.Annotations[v1alpha1.TestEventAnnotation]).To(Equal(started.Text("nonce")))
		Expect(shared.ask(t, "POST", path+"/test", nil)).To(failing(409, "CONFLICT"), "one is being sent")
		s.Status.HandledRequests = []v1alpha1.HandledRequest{{Name: "test-event", Nonce: started.Text("nonce")}}
		s.Status.Test = &v1alpha1.SubscriptionTest{
			Time: v1alpha1.NewMicroTime(time.Now()), Dispatch: v1alpha1.DispatchDone, Delivery: identity.EventID(uid, "", "Test", "x", s.CreationTimestamp.Time),
		}
		Expect(api.Status().Update(ctx, s)).To(Succeed())
		Expect(shared.ask(t, "GET", path, nil).Body["last_test"]).To(And(
			HaveKeyWithValue("nonce", started.Text("nonce")), HaveKeyWithValue("delivery_uid", s.Status.Test.Delivery)))
		Expect(shared.ask(t, "POST", path+"/test", nil).Status).To(Equal(202))
	})

	It("is tested once, and sends an event again once, under a key", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		path := subscriptions + "/" + uid
		first := shared.ask(t, "POST", path+"/test", nil, "Idempotency-Key", "t")
		Expect(first.Status).To(Equal(202), first.Raw)
		again := shared.ask(t, "POST", path+"/test", nil, "Idempotency-Key", "t")
		Expect(again.Status).To(Equal(202), again.Raw)
		Expect(again.Body).To(Equal(first.Body))
		Expect(again.Header.Get("Idempotent-Replayed")).To(Equal("true"))

		d := t.delivery(uid, "2026-11-20T09:00:00.000000Z")
		t.failed(d)
		redeliver := path + "/deliveries/" + d.Name + "/redeliver"
		for range 2 {
			got := shared.ask(t, "POST", redeliver, nil, "Idempotency-Key", "d")
			Expect(got.Status).To(Equal(200), got.Raw)
			Expect(got.Text("uid")).To(Equal(d.Name))
		}
		Expect(shared.ask(t, "POST", redeliver, nil, "Idempotency-Key", "t").Raw).To(ContainSubstring("idempotency_key_reused"))
	})

	It("sends the events of an outage again, those that failed, once under a key", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		path := subscriptions + "/" + uid
		before, pending := t.delivery(uid, "2026-11-20T08:59:59.999000Z"), t.delivery(uid, "2026-11-20T09:00:01.000000Z")
		first, last := t.delivery(uid, "2026-11-20T09:00:00.000000Z"), t.delivery(uid, "2026-11-20T10:00:00.000000Z")
		for _, d := range []*v1alpha1.EventDelivery{before, first, last} {
			t.failed(d)
		}
		asked := func(d *v1alpha1.EventDelivery) string {
			t.Get(d.Name, d)
			return d.Annotations[v1alpha1.RedeliverAnnotation]
		}
		since := map[string]any{"since": "2026-11-20T09:00:00Z", "until": "2026-11-20T10:00:00Z"}
		for range 2 {
			got := shared.ask(t, "POST", path+"/recover", since, "Idempotency-Key", "r")
			Expect(got.Status).To(Equal(200), got.Raw)
			Expect(got.Body).To(And(HaveKeyWithValue("redelivered", float64(1)), HaveKeyWithValue("until", BeNil())), "others: %s", got.Raw)
		}
		Expect([]string{asked(before), asked(pending), asked(last)}).To(HaveEach(BeEmpty()))
		Expect(asked(first)).NotTo(BeEmpty())
		delete(since, "until")
		Expect(shared.ask(t, "POST", path+"/recover", since).Body).To(HaveKeyWithValue("redelivered", float64(1)), "the first is being sent")
		Expect(asked(last)).NotTo(BeEmpty())
		since["until"] = since["since"]
		Expect(shared.ask(t, "POST", path+"/recover", since).Fields()).To(Equal([]string{"until"}))
	})

	It("sends no more than 100 events again at once, and says from where to go on", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		for i := range 101 {
			t.failed(t.delivery(uid, fmt.Sprintf("2026-11-20T09:%02d:%02d.000000Z", i/60, i%60)))
		}
		since := map[string]any{"since": "2026-11-20T08:00:00Z"}
		got := shared.ask(t, "POST", subscriptions+"/"+uid+"/recover", since)
		Expect(got.Body).To(And(HaveKeyWithValue("redelivered", float64(100)), HaveKeyWithValue("until", "2026-11-20T09:00:01.001Z")), got.Raw)
		since["until"] = got.Text("until")
		Expect(shared.ask(t, "POST", subscriptions+"/"+uid+"/recover", since).Body).To(And(
			HaveKeyWithValue("redelivered", float64(1)), HaveKeyWithValue("until", BeNil())))
	})

	It("lists the deliveries with a status", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		var failed []any
		for i := range 6 {
			d := t.delivery(uid, fmt.Sprintf("2026-11-20T09:00:0%d.000000Z", i))
			if i%2 == 0 {
				t.failed(d)
				failed = append([]any{d.Name}, failed...)
			}
		}
		path, got := subscriptions+"/"+uid+"/deliveries?limit=2&status=", []any{}
		for cursor, more := "", true; more; {
			answer := shared.ask(t, "GET", path+"failed,retry_scheduled"+cursor, nil)
			Expect(answer.Status).To(Equal(200), answer.Raw)
			for _, d := range answer.Body["data"].([]any) {
				got = append(got, d.(map[string]any)["uid"])
			}
			if more, _ = answer.Body["hasMore"].(bool); more {
				cursor = "&cursor=" + url.QueryEscape(answer.Text("nextCursor"))
			}
		}
		Expect(got).To(Equal(failed))
		Expect(shared.ask(t, "GET", path+"lost", nil).Fields()).To(Equal([]string{"status"}))
	})

	It("lists its deliveries in pages, whatever comes and goes meanwhile", func() {
		t := newTenant(shared)
		uid := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		other := shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		var want []any
		for i := range 7 {
			at := fmt.Sprintf("2026-11-20T09:00:0%d.000000Z", i)
			t.delivery(other, at)
			want = append([]any{t.delivery(uid, at).Name}, want...)
		}
		path := subscriptions + "/" + uid + "/deliveries"
		var got []any
		query := "?limit=3"
		for page := range 3 {
			answer := shared.ask(t, "GET", path+query, nil)
			Expect(answer.Status).To(Equal(200), answer.Raw)
			for _, d := range answer.Body["data"].([]any) {
				got = append(got, d.(map[string]any)["uid"])
			}
			Expect(answer.Body["hasMore"]).To(Equal(page < 2))
			t.delivery(uid, fmt.Sprintf("2026-11-20T09:00:1%d.000000Z", page))
			if page < 2 {
				query = "?limit=3&cursor=" + url.QueryEscape(answer.Text("nextCursor"))
			}
		}
		Expect(got).To(Equal(want))
		Expect(shared.ask(t, "GET", path+"/"+want[0].(string), nil).Text("event")).To(Equal("blog.published"))
		Expect(shared.ask(t, "GET", subscriptions+"/"+other+"/deliveries/"+want[0].(string), nil)).To(failing(404, "NOT_FOUND"))
	})

	It("waits for no state that somebody has made up in a cursor", func() {
		t := newTenant(shared)
		path := subscriptions + "/" + shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid") + "/deliveries?limit=1&cursor="
		for cursor, want := range map[string]int{
			`{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":"x\u0000"}`:                  200,
			`{"v":"meta.k8s.io/v1","rv":1,"start":"x\u0000"}`:                                    200,
			`{"v":"meta.k8s.io/v1","rv":1,"RV":9223372036854775807,"start":"x\u0000"}`:           200,
			`{"v":"meta.k8s.io/v1","rv":99999999999999999999,"start":"x\u0000"}`:                 400,
			`{"v":"meta.k8s.io/v1","RV":9223372036854775807,"start":"x\u0000"}`:                  200,
			`{"v":"meta.k8s.io/v1","rv":null,"rV":9223372036854775807,"start":"x\u0000"}`:        200,
			`{"v":"meta.k8s.io/v1","start":"x\u0000"}`:                                           400,
			`{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":""}`:                         400,
			`{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":"../` + t.Workspace + `/x"}`: 400,
			`{"v":"meta.k8s.io/v2","rv":9223372036854775807,"start":"x\u0000"}`:                  400,
			`junk`: 400,
		} {
			answer := shared.ask(t, "GET", path+base64.RawURLEncoding.EncodeToString([]byte(cursor)), nil)
			Expect(answer.Status).To(Equal(want), "%s: %s", cursor, answer.Raw)
			if want == 400 {
				Expect(answer.Fields()).To(Equal([]string{"cursor"}), cursor)
			}
		}
		Expect(shared.ask(t, "GET", path+"junk", nil).Fields()).To(Equal([]string{"cursor"}))
	})
})

func (t *tenant) subscription(name string) *v1alpha1.EventSubscription {
	GinkgoHelper()
	s := &v1alpha1.EventSubscription{}
	t.Get(name, s)
	return s
}

func (t *tenant) secret(ref v1alpha1.SecretKeyReference) string {
	GinkgoHelper()
	secret := &corev1.Secret{}
	t.Get(ref.Name, secret)
	Expect(secret.OwnerReferences).To(ConsistOf(HaveField("Kind", "EventSubscription")))
	return string(secret.Data[ref.Key])
}

// failed has a delivery end in failure.
func (t *tenant) failed(d *v1alpha1.EventDelivery) {
	GinkgoHelper()
	d.Status.FinishTime = new(v1alpha1.NewMicroTime(time.Now()))
	d.Status.Cycle = &v1alpha1.DeliveryCycle{Number: 1, State: v1alpha1.CycleFailed, Reason: v1alpha1.ReasonExhausted}
	Expect(api.Status().Update(ctx, d)).To(Succeed())
}

// delivery makes what the controllers would.
func (t *tenant) delivery(subscription, at string) *v1alpha1.EventDelivery {
	GinkgoHelper()
	d := &v1alpha1.EventDelivery{Spec: v1alpha1.EventDeliverySpec{
		SubscriptionRef: v1alpha1.LocalReference{Name: subscription}, ArticleRef: v1alpha1.LocalReference{Name: "shoes"},
		Type: v1alpha1.EventPublished, Body: "{}",
	}}
	Expect(json.Unmarshal([]byte(strconv.Quote(at)), &d.Spec.Time)).To(Succeed())
	d.Namespace, d.Name = t.Workspace, identity.EventID(subscription, "shoes", "Published", at, d.Spec.Time.Time)
	Expect(api.Create(ctx, d)).To(Succeed())
	return d
}
