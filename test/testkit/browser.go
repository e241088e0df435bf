package testkit

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/pressroom-dev/pressroom/test/htmlform"
)

// Browser is a browser in memory: it keeps cookies and sends forms. It follows no links and runs no scripts by itself.
type Browser struct {
	http.Handler

	T       testing.TB
	Cookies map[string]string
}

// NewBrowser returns a browser without cookies for the pages of a handler.
func NewBrowser(tb testing.TB, h http.Handler) *Browser {
	tb.Helper()
	return &Browser{Handler: h, T: tb, Cookies: map[string]string{}}
}

// Get asks for a page.
func (b *Browser) Get(path string) *httptest.ResponseRecorder {
	b.T.Helper()
	return b.Do(httptest.NewRequestWithContext(b.T.Context(), http.MethodGet, path, nil))
}

// Post sends a form, as a browser does that has loaded it from the same origin.
func (b *Browser) Post(path string, form url.Values) *httptest.ResponseRecorder {
	b.T.Helper()
	q := httptest.NewRequestWithContext(b.T.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.Do(q)
}

// Fill returns what the form of a page that is sent to action sends, once the given fields are filled in (htmlform.Form.Set).
func (b *Browser) Fill(page *httptest.ResponseRecorder, action string, fields url.Values) url.Values {
	b.T.Helper()
	form := htmlform.Of(document(b.T, page).Find("form[action='" + action + "']").First())
	for name, values := range fields {
		if err := form.Set(name, values...); err != nil {
			b.T.Fatalf("the form for %s: %v: %s", action, err, Main(page))
		}
	}
	return form.Values()
}

// Submit sends the form of a page, as Fill fills it in.
func (b *Browser) Submit(page *httptest.ResponseRecorder, action string, fields url.Values) *httptest.ResponseRecorder {
	b.T.Helper()
	return b.Post(action, b.Fill(page, action, fields))
}

func document(tb testing.TB, page *httptest.ResponseRecorder) *goquery.Document {
	tb.Helper()
	found, err := goquery.NewDocumentFromReader(strings.NewReader(page.Body.String()))
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// Do sends a request with the cookies, and takes those of the answer. Every cookie must be sealed off, and none may grow too large. No two
// fields of a form may have one name.
func (b *Browser) Do(q *http.Request) *httptest.ResponseRecorder {
	b.T.Helper()
	for name, value := range b.Cookies {
		q.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	// Proxies take lines of 8 KB.
	if size := len(q.Header.Get("Cookie")); size > 7000 {
		b.T.Errorf("the browser has to send %d bytes of cookies", size)
	}
	answer := httptest.NewRecorder()
	b.ServeHTTP(answer, q)
	for _, c := range answer.Result().Cookies() {
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
			c.Domain != "" || c.MaxAge == 0 || len(c.Name)+len(c.Value) > 4000 {
			b.T.Errorf("a cookie that is not as it must be: %s", c.Raw)
		}
		if c.MaxAge < 0 {
			delete(b.Cookies, c.Name)
		} else {
			b.Cookies[c.Name] = c.Value
		}
	}
	document(b.T, answer).Find("form").Each(func(_ int, form *goquery.Selection) {
		if repeated := htmlform.Of(form).Repeated(); len(repeated) > 0 {
			b.T.Errorf("the form for %s has several fields %v", form.AttrOr("action", ""), repeated)
		}
	})
	return answer
}

// Problem follows an answer back to the page at path, by GET, and returns what that page finds wrong with the form.
func (b *Browser) Problem(answer *httptest.ResponseRecorder, path string) string {
	b.T.Helper()
	if answer.Code != http.StatusSeeOther || answer.Header().Get("Location") != path {
		b.T.Errorf("got %d to %q, want 303 to %q", answer.Code, answer.Header().Get("Location"), path)
		return ""
	}
	page := b.Get(path)
	m := regexp.MustCompile(`role="alert" id="problem">([^<]*)<`).FindStringSubmatch(page.Body.String())
	if page.Code != http.StatusOK || m == nil {
		b.T.Errorf("the page (%d) names no problem: %s", page.Code, Main(page))
		return ""
	}
	return html.UnescapeString(m[1])
}

// Hidden returns the value of a hidden field of a page.
func (b *Browser) Hidden(page *httptest.ResponseRecorder, name string) string {
	b.T.Helper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(page.Body.String())
	if m == nil {
		b.T.Fatalf("the page (%d) has no field %s: %s", page.Code, name, Main(page))
	}
	return html.UnescapeString(m[1])
}

// Main returns the main part of a page.
func Main(page *httptest.ResponseRecorder) string {
	_, body, _ := strings.Cut(page.Body.String(), "<main>")
	return body
}
