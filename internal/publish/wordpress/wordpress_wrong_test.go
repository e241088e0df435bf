package wordpress_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/wordpress"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// setup is a wrong one.
type setup struct {
	name   string
	change func(*fakewordpress.Blog, *publish.Target)
	want   v1alpha1.ErrorClass
	// final is false for what may pass by itself.
	final    bool
	sentence string
}

// answers has the blog answer all requests like this.
func answers(f http.HandlerFunc) func(*fakewordpress.Blog, *publish.Target) {
	return func(b *fakewordpress.Blog, _ *publish.Target) {
		b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
			f(w, r)
			return true
		})
	}
}

// apiAnswers has the API answer like this.
func apiAnswers(f func(http.ResponseWriter, *http.Request, *fakewordpress.Blog)) func(*fakewordpress.Blog, *publish.Target) {
	return func(b *fakewordpress.Blog, _ *publish.Target) {
		b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") == "" {
				return false
			}
			f(w, r, b)
			return true
		})
	}
}

func connection(change func(*v1alpha1.WordPressConnection)) func(*fakewordpress.Blog, *publish.Target) {
	return func(_ *fakewordpress.Blog, t *publish.Target) { change(t.Site.Spec.CMS.WordPress) }
}

// repeats answers with what was sent, as debugging pages do.
func repeats(w http.ResponseWriter, r *http.Request, b *fakewordpress.Blog) {
	fmt.Fprintf(w, "%v %s %s", r.Header, b.Password, basicOf(b))
}

var wrongSetups = []setup{
	{"a host that does not exist", connection(func(w *v1alpha1.WordPressConnection) { w.URL = "http://acme.invalid" }),
		v1alpha1.ErrorNameLookup, false, "the host's name"},
	{"a path without WordPress", answers(http.NotFound), v1alpha1.ErrorNotFound, true, "the home page answered 404 Not Found: correct url"},
	{"a site that is no WordPress", answers(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html></html>") }),
		v1alpha1.ErrorNotFound, true, "url names no WordPress with a REST API: use its home page's address"},
	{"http", func(_ *fakewordpress.Blog, t *publish.Target) { t.PlainHTTP = false },
		v1alpha1.ErrorAddressBlocked, true, "nothing was sent: the URL must be https, because credentials go with the request"},
	{"https where there is none", func(b *fakewordpress.Blog, t *publish.Target) {
		t.Site.Spec.CMS.WordPress.URL = "https" + b.URL[len("http"):]
	},
		v1alpha1.ErrorTLS, false, "the other side does not speak TLS"},
	{"a password", func(b *fakewordpress.Blog, _ *publish.Target) {
		b.Change(func() { b.Password = "qrst uvwx yzab cdef" })
	},
		v1alpha1.ErrorWrongCredentials, true, "WordPress does not accept the username and application password in the Secret"},
	{"a right", func(b *fakewordpress.Blog, _ *publish.Target) {
		b.Change(func() { delete(b.Capabilities, "publish_posts") })
	},
		v1alpha1.ErrorMissingPermission, true, "the WordPress user needs the permission publish_posts: give it the role Author"},
	{"a post type", connection(func(w *v1alpha1.WordPressConnection) { w.PostType = "recipe" }),
		v1alpha1.ErrorNotFound, true, "WordPress has no post type recipe in its REST API: correct postType"},
	{"a category", connection(func(w *v1alpha1.WordPressConnection) { w.Categories = []string{"recipes"} }),
		v1alpha1.ErrorNotFound, true, "WordPress lacks one of the categories of the Site: create it, or correct its slug"},
	{"throttled", apiAnswers(func(w http.ResponseWriter, r *http.Request, b *fakewordpress.Blog) {
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusTooManyRequests)
		repeats(w, r, b)
	}), v1alpha1.ErrorRateLimited, false, "WordPress answered 429 Too Many Requests"},
	{"a redirect to another host", answers(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://www.acme.example/", http.StatusMovedPermanently)
	}),
		v1alpha1.ErrorUnexpectedAnswer, false, "it redirects to another address: use the address that it redirects to"},
	{"an API at another host", answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", `<https://www.acme.example/wp-json/>; rel="https://api.w.org/"`)
	}), v1alpha1.ErrorUnexpectedAnswer, false, "WordPress says that its address is another one: use that, or correct its settings"},
	{"a page instead of JSON", apiAnswers(repeats),
		v1alpha1.ErrorUnexpectedAnswer, false, "a page came instead of JSON (status 200): a plugin or a firewall answered in its place"},
	{"a private address", func(b *fakewordpress.Blog, t *publish.Target) {
		t.Site.Spec.CMS.WordPress.URL, t.HTTP = "https"+b.URL[len("http"):], egress.NewClient(egress.Policy{}, 0)
	}, v1alpha1.ErrorAddressBlocked, true, "blocked: the address is not public"},
	{"a header that the web server drops", apiAnswers(func(w http.ResponseWriter, _ *http.Request, _ *fakewordpress.Blog) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"code":"rest_not_logged_in","message":"You are not currently logged in.","data":{"status":401}}`)
	}), v1alpha1.ErrorWrongCredentials, true, "not logged in: check username and application password, and that the web server passes them on"},
	{"maintenance", answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }),
		v1alpha1.ErrorUnavailable, false, "the home page answered 503 Service Unavailable"},
}

// Each wrong set-up has its own sentence, the same for a test and for an attempt to publish, and nothing secret in what is reported.
func TestEachWrongSetupHasItsSentence(t *testing.T) {
	said := map[string]string{}
	for _, tt := range wrongSetups {
		t.Run(tt.name, func(t *testing.T) {
			b := newBlog(t)
			to := siteOf(b)
			tt.change(b, &to)
			tested := wordpress.New().Test(t.Context(), to, "n")
			published := send(t, to, article())
			for _, o := range []publish.Outcome{tested, published} {
				if o.ErrorClass != tt.want || o.Final != tt.final || !strings.HasPrefix(o.Message, tt.sentence) {
					t.Errorf("%s (final: %t): %q, want %s: %q", o.ErrorClass, o.Final, o.Message, tt.want, tt.sentence)
				}
				if hasSecret(b, o) {
					t.Errorf("a secret is in %+v", o)
				}
				if len(o.Message) > v1alpha1.MaxAttemptMessageBytes {
					t.Errorf("%d bytes: %s", len(o.Message), o.Message)
				}
			}
			if len(b.Posts()) > 0 {
				t.Errorf("posts: %+v", b.Posts())
			}
			if other, twice := said[published.Message]; twice {
				t.Errorf("%s has the same sentence: %s", other, published.Message)
			}
			said[published.Message] = tt.name
			if tt.name == "throttled" && published.RetryAfter != 2*time.Minute {
				t.Errorf("Retry-After: %s", published.RetryAfter)
			}
		})
	}
}

// The credentials go to the host of the Site alone.
func TestCredentialsAreNotSentToAnotherHost(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was sent %v", r.URL, r.Header) }))
	defer other.Close()
	b := newBlog(t)
	b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") == "" {
			return false
		}
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
		return true
	})
	if o := send(t, siteOf(b), article()); o.ErrorClass != v1alpha1.ErrorUnexpectedAnswer || o.Final {
		t.Errorf("%+v", o)
	}
}

// Some hosts drop the header Link; the page names the API too.
func TestTheAPIIsFoundByTheHeadOfThePage(t *testing.T) {
	b := newBlog(t)
	b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/" {
			return false
		}
		fmt.Fprintf(w, "<html><head><link rel='https://api.w.org/' href='%s/wp-json/' /></head></html>", b.URL)
		return true
	})
	expectOnePost(t, b, send(t, siteOf(b), article()))
}

func TestAFieldThatWordPressRefusesIsNamed(t *testing.T) {
	b := newBlog(t)
	b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"code":"rest_invalid_param","message":"Invalid parameter(s): excerpt","data":{"status":400,"params":{"excerpt":"no"}}}`)
		return true
	})
	o := send(t, siteOf(b), article())
	if o.ErrorClass != v1alpha1.ErrorInvalidContent || !o.Final || o.Message != "WordPress does not accept the field excerpt" {
		t.Errorf("%+v", o)
	}
}
