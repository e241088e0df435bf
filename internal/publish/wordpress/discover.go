package wordpress

import (
	"context"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

// maxHomePage is how much of the home page is read, in bytes: the head of the page is in it.
const maxHomePage = 256 << 10

var (
	// linkHeader finds the address of the API in a value of the header Link.
	linkHeader = regexp.MustCompile(`<([^>]*)>\s*;[^,]*rel="?https://api\.w\.org/"?`)
	// linkElement finds it in the head of the page: some hosts drop the header.
	linkElement = regexp.MustCompile(`<link\s[^>]*rel=["']https://api\.w\.org/["'][^>]*>`)
	hrefOf      = regexp.MustCompile(`href=["']([^"']*)["']`)
)

// discover returns the address of the REST API, which the home page names. It is elsewhere on sites with plain permalinks, in a
// folder, or with another prefix; a request to a guessed address may be answered 200 by a page. It is sent no credentials.
func discover(ctx context.Context, client *cms.Client, home string) (*url.URL, error) {
	a, err := client.Do(ctx, cms.Request{Method: http.MethodGet, URL: home, MaxBytes: maxHomePage, Cut: true, Follow: true})
	if err != nil {
		return nil, err
	}
	if a.Status != http.StatusOK {
		return nil, homeFailure(a)
	}
	link := apiLink(a)
	if link == "" {
		return nil, cms.Fail(v1alpha1.ErrorNotFound, "url names no WordPress with a REST API: use its home page's address")
	}
	root, err := a.URL.Parse(link)
	if err != nil || !cms.SameHost(a.URL, root) {
		return nil, cms.Fail(v1alpha1.ErrorUnexpectedAnswer,
			"WordPress says that its address is another one: use that, or correct its settings")
	}
	return root, nil
}

func homeFailure(a cms.Answer) error {
	failure := cms.FailureOf(a, "the home page")
	switch failure.Class {
	case v1alpha1.ErrorRateLimited, v1alpha1.ErrorUnavailable:
		return failure
	case v1alpha1.ErrorNotFound:
		failure.Message += ": correct url"
	default:
		// The page is for everybody; who refuses it is not WordPress.
		failure.Class = v1alpha1.ErrorUnexpectedAnswer
		failure.Message += ": the web server or a firewall must let Pressroom in"
	}
	return failure
}

// apiLink returns the address of the API as the home page names it, or "".
func apiLink(a cms.Answer) string {
	for _, value := range a.Header.Values("Link") {
		if found := linkHeader.FindStringSubmatch(value); found != nil {
			return found[1]
		}
	}
	if href := hrefOf.FindSubmatch(linkElement.Find(a.Body)); href != nil {
		return html.UnescapeString(string(href[1]))
	}
	return ""
}

// at returns the address of a path below the API, such as wp/v2/posts.
func at(root *url.URL, path string, query url.Values) string {
	u := *root
	values := u.Query()
	if route := values.Get("rest_route"); route != "" {
		values.Set("rest_route", strings.TrimSuffix(route, "/")+"/"+path)
	} else {
		u = *u.JoinPath(path)
	}
	maps.Copy(values, query)
	u.RawQuery = values.Encode()
	return u.String()
}
