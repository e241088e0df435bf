package article_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	. "github.com/onsi/gomega/gstruct"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

var _ = Describe("A site of a CMS", func() {
	var (
		t *tenant
		b *fakewordpress.Blog
	)

	BeforeEach(func() {
		t, b = newTenant(), fakewordpress.New()
		DeferCleanup(b.Close)
		t.createCredentials(b.Password)
		t.CreateSite(t.isWordPress(b.URL))
		t.Sites.CheckURL = func(string) error { return nil }
	})

	connected := func() string {
		GinkgoHelper()
		return ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionConnected)
	}
	approved := func(name string) client.ObjectKey {
		GinkgoHelper()
		return t.CreateArticle(name, WithText("Shoes", "Grip is all."), ToBePublished, ApprovedInManifest)
	}

	It("is tested by itself, once for each change of its connection", func() {
		var requests atomic.Int32
		b.Intercept(func(http.ResponseWriter, *http.Request) bool {
			requests.Add(1)
			return false
		})
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/ReceiverAccepted"))
		Expect(t.GetSite().Status.ConnectionTest).To(PointTo(And(
			HaveField("Message", "WordPress accepts the credentials, and the user may publish"))))
		tested := requests.Load()
		t.Restart()
		t.Sites.CheckURL = func(string) error { return nil }
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.DisplayName = "Acme" })
		t.ReconcileSiteUntilStable()
		Expect(requests.Load()).To(Equal(tested), "nothing of the connection has changed")
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS.WordPress.Categories = []string{"recipes"} })
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("False/NotFound"))
		Expect(b.Posts()).To(BeEmpty())
	})

	It("waits for its credentials before it is tested", func() {
		Expect(api.Delete(t.Ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "wordpress"}})).To(Succeed())
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("False/SecretNotFound"))
		Expect(t.GetSite().Status.ConnectionTest).To(BeNil())
		t.createCredentials(b.Password)
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("True/ReceiverAccepted"))
	})

	It("gets no credentials that are for another address, and those of its own", func() {
		var requests atomic.Int32
		b.Intercept(func(http.ResponseWriter, *http.Request) bool {
			requests.Add(1)
			return false
		})
		annotate := func(address string) {
			secret := &corev1.Secret{}
			Expect(api.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: "wordpress"}, secret)).To(Succeed())
			secret.Annotations = map[string]string{v1alpha1.AddressAnnotation: address}
			Expect(api.Update(t.Ctx, secret)).To(Succeed())
		}
		annotate("https://other.example")
		key := approved("shoes")
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/InvalidSecret"))
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("False/InvalidSecret"))
		Expect(requests.Load()).To(BeZero())
		annotate(b.URL)
		t.Clock.Step(30 * time.Second)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
	})

	It("gets an article as a post, which a redelivery updates", func() {
		key := approved("shoes")
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(a.Status.Publication.Post).To(And(HaveField("ExternalID", "1"), HaveField("URL", b.URL+"/shoes/"), HaveField("Slug", "")))
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Publication.Attempts).To(HaveLen(2))
		Expect(b.Posts()).To(HaveLen(1))
	})

	It("gives an article another slug than that of a post of other people, which stays as it is", func() {
		b.Add(fakewordpress.Post{Slug: "shoes", Status: "publish", Title: "Ours"})
		b.Add(fakewordpress.Post{Slug: "shoes-2", Status: "draft", Title: "Ours, too"})
		before := b.Posts()
		key := approved("shoes")
		for range 3 {
			t.ReconcileUntilStable(key)
			t.Clock.Step(10 * time.Minute)
		}
		a := t.GetArticle(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(a.Status.Slug).To(Equal("shoes-3"))
		Expect(a.Status.Publication.Post).To(And(HaveField("URL", b.URL+"/shoes-3/"), HaveField("ContentHash", HaveLen(16))))
		Expect(a.Status.Publication.Cycle.ConflictURL).To(BeEmpty())
		Expect(b.Posts()[:2]).To(Equal(before))
		Expect(t.slugsOfPosts()).To(ConsistOf("shoes-3"), "the claims of slugs that others have are given back")
	})

	It("ends with the address of the post that has the slug which the author asks for, until the author or the site changes", func() {
		b.Add(fakewordpress.Post{Slug: "shoes", Status: "publish", Title: "Ours"})
		before := b.Posts()
		key := t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), ToBePublished, ApprovedInManifest, func(a *v1alpha1.Article) {
			a.Spec.Content.Slug = "shoes"
		})
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/SlugTaken"))
		Expect(a.Status.Publication).To(PointTo(And(HaveField("Cycle.ConflictURL", b.URL+"/shoes/"), HaveField("Attempts", HaveLen(1)))))
		Expect(b.Posts()).To(Equal(before))

		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content.Slug = "our-shoes" })
		a = t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(a.Status.Publication.Post.URL).To(Equal(b.URL + "/our-shoes/"))
		Expect(b.Posts()[0]).To(Equal(before[0]))
	})

	It("adopts posts of other people once the site says so", func() {
		b.Add(fakewordpress.Post{Slug: "shoes", Status: "publish", Title: "Ours"})
		key := t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), ToBePublished, ApprovedInManifest, func(a *v1alpha1.Article) {
			a.Spec.Content.Slug = "shoes"
		})
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("False/SlugTaken"))
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Publishing.ExistingPosts = v1alpha1.ExistingPostsAdopt })
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(b.Posts()).To(ConsistOf(HaveField("Title", "Shoes")))
	})

	It("keeps what somebody has changed in the CMS, until somebody says overwrite", func() {
		key := approved("shoes")
		t.ReconcileUntilStable(key)
		b.Edit(1, func(p *fakewordpress.Post) { p.Content = "Better." })
		ask := func(annotation, nonce string) *v1alpha1.Article {
			GinkgoHelper()
			t.EditArticle(key, func(a *v1alpha1.Article) { metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, nonce) })
			return t.ReconcileUntilStable(key)
		}
		a := ask(v1alpha1.RedeliverAnnotation, "again")
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/ChangedAtSite"))
		Expect(a.Status.Publication.Cycle.ConflictURL).To(Equal(b.URL + "/shoes/"))
		Expect(b.Posts()).To(ConsistOf(HaveField("Content", "Better.")))
		a = ask(v1alpha1.OverwriteAnnotation, "yes")
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(a.Status.Publication.Cycle.ConflictURL).To(BeEmpty())
		Expect(b.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("Grip is all."))))
	})

	It("shows a slug that the CMS has changed", func() {
		b.Change(func() { b.Hidden = []string{"shoes"} })
		a := t.ReconcileUntilStable(approved("shoes"))
		Expect(a.Status.Slug).To(Equal("shoes"))
		Expect(a.Status.Publication.Post).To(And(HaveField("Slug", "shoes-2"), HaveField("URL", b.URL+"/shoes-2/")))
	})

	It("reads rotated credentials at the next attempt, and starts again when the connection changes", func() {
		rightful := b.Password
		b.Change(func() { b.Password = "qrst uvwx yzab cdef" })
		key := approved("shoes")
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/WrongCredentials"))
		Expect(a.Status.Publication.Attempts).To(HaveLen(1), "it is final")
		t.Clock.Step(24 * time.Hour)
		Expect(t.ReconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(1))
		t.rotate(b.Password)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))

		b.Change(func() { b.Password = rightful })
		other := approved("boots")
		Expect(Reason(t.ReconcileUntilStable(other), v1alpha1.ConditionPublished)).To(Equal("False/WrongCredentials"))
		t.rotate(b.Password)
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS.FAQ = v1alpha1.FAQOmit })
		Expect(Reason(t.ReconcileUntilStable(other), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
	})

	It("shows nothing secret, whatever the CMS answers", func() {
		b.Intercept(func(rw http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") != "" {
				fmt.Fprintf(rw, "%v %s %s", r.Header, b.Password, strings.ReplaceAll(b.Password, " ", ""))
				return true
			}
			return false
		})
		a := t.ReconcileUntilStable(approved("shoes"))
		t.ReconcileSiteUntilStable()
		Expect(connected()).To(Equal("False/UnexpectedAnswer"))
		site, err := yaml.Marshal(t.GetSite())
		Expect(err).NotTo(HaveOccurred())
		article, err := yaml.Marshal(a)
		Expect(err).NotTo(HaveOccurred())
		shown := []string{string(site), string(article)}
		for len(t.Events.Events) > 0 {
			shown = append(shown, <-t.Events.Events)
		}
		seen := strings.Join(shown, "\n")
		r := &http.Request{Header: http.Header{}}
		r.SetBasicAuth(b.Username, b.Password)
		for _, secret := range []string{b.Password, strings.ReplaceAll(b.Password, " ", ""), strings.TrimPrefix(r.Header.Get("Authorization"), "Basic ")} {
			Expect(seen).NotTo(ContainSubstring(secret))
		}
		Expect(seen).To(ContainSubstring("[redacted]"))
	})

	// The controller ends while the CMS works on the request: before it is done, and after it.
	DescribeTable("has one post and a true status wherever the controller ends", func(nth int, done bool) {
		held, proceed := make(chan struct{}), make(chan struct{})
		var count atomic.Int32
		b.Intercept(func(rw http.ResponseWriter, r *http.Request) bool {
			if int(count.Add(1)) != nth {
				return false
			}
			if done {
				b.Serve(rw, r)
			}
			close(held)
			<-proceed
			return true
		})
		key := approved("shoes")
		for t.Publication.Engine.Calls.Len() == 0 {
			t.Reconcile(key)
		}
		<-held
		old := t.Process
		t.Restart()
		b.Intercept(nil)
		close(proceed)
		Eventually(old.Notified).Should(Receive())
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Publication.Attempts[0].Outcome).To(Equal(v1alpha1.AttemptUnknown))
		t.Clock.Step(time.Hour)
		a = t.ReconcileUntilStable(key)
		posts := b.Posts()
		Expect(posts).To(HaveLen(1))
		Expect(posts[0]).To(And(HaveField("Slug", "shoes"), HaveField("Status", "publish")))
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(a.Status.Publication.Post).To(And(HaveField("ExternalID", strconv.FormatInt(posts[0].ID, 10)), HaveField("URL", posts[0].Link)))
	},
		Entry("creating the post", 5, false), Entry("having created it", 5, true),
	)

	It("gets no text over the post of another article with the title, after an attempt that has made none", func() {
		b.Intercept(func(rw http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPost {
				rw.WriteHeader(http.StatusServiceUnavailable)
			}
			return r.Method == http.MethodPost
		})
		publish := func(name, text string) *v1alpha1.Article {
			return t.ReconcileUntilStable(t.CreateArticle(name, WithText("Shoes", text), ToBePublished, ApprovedInManifest))
		}
		first := client.ObjectKeyFromObject(publish("first", "One."))
		b.Intercept(nil)
		Expect(publish("second", "Two.").Status.Slug).To(Equal("shoes-2"))
		t.Clock.Step(time.Hour)
		Expect(Reason(t.ReconcileUntilStable(first), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(b.Posts()).To(ConsistOf(
			And(HaveField("Slug", "shoes-2"), HaveField("Content", ContainSubstring("Two."))),
			And(HaveField("Slug", "shoes"), HaveField("Content", ContainSubstring("One.")))))
	})
})

// slugsOfPosts returns the slugs that Posts of the workspace claim.
func (t *tenant) slugsOfPosts() []string {
	GinkgoHelper()
	var list v1alpha1.PostList
	Expect(api.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
	slugs := []string{}
	for i := range list.Items {
		slugs = append(slugs, list.Items[i].Spec.Slug)
	}
	return slugs
}

// isWordPress connects the site acme to a blog.
func (t *tenant) isWordPress(url string) func(*v1alpha1.Site) {
	return func(s *v1alpha1.Site) {
		s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{
			URL: url, CredentialsSecretRef: v1alpha1.LocalReference{Name: "wordpress"},
		}}
	}
}

func (t *tenant) createCredentials(password string) {
	GinkgoHelper()
	Expect(api.Create(t.Ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "wordpress"},
		StringData: map[string]string{"username": "author", "password": password},
	})).To(Succeed())
}

func (t *tenant) rotate(password string) {
	GinkgoHelper()
	secret := &corev1.Secret{}
	Expect(api.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: "wordpress"}, secret)).To(Succeed())
	secret.Data["password"] = []byte(password)
	Expect(api.Update(t.Ctx, secret)).To(Succeed())
}
