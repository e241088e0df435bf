package oauth_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const formType = "application/x-www-form-urlencoded"

// encoded is a form of members.
func encoded(members map[string]string) string {
	form := url.Values{}
	for name, value := range members {
		form.Set(name, value)
	}
	return form.Encode()
}

var _ = Describe("A hostile request", func() {
	// Each gets an error of OAuth that is the client's fault, and leaves the code valid.
	DescribeTable("gets a plain error, and harms nothing",
		func(want int, code string, ask func(r *replica, a registered, right map[string]string) testkit.Answer) {
			r, a := replicas[2], newClient()
			right := a.exchange(a.consent(r, ""))
			expectRefused(ask(r, a, right), want, code)
			Expect(r.authenticate(a.token(r, right["code"]))).To(Succeed())
		},
		Entry("a null byte in the client", 401, "invalid_client", suffixed("client_id", "\x00")),
		Entry("a null byte in the secret", 401, "invalid_client", suffixed("client_secret", "\x00")),
		Entry("a null byte in the code", 400, "invalid_grant", suffixed("code", "\x00")),
		Entry("a null byte in the redirect URI", 400, "invalid_grant", suffixed("redirect_uri", "\x00")),
		Entry("a null byte in the grant type", 400, "unsupported_grant_type", suffixed("grant_type", "\x00")),
		Entry("a line break in the code", 400, "invalid_grant", suffixed("code", "\r\nx: y")),
		Entry("a grant type in capitals", 400, "unsupported_grant_type", changed("grant_type", "AUTHORIZATION_CODE")),
		Entry("a client id without its prefix", 401, "invalid_client", func(r *replica, a registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "client_id", a.Name))
		}),
		Entry("a code for a secret", 401, "invalid_client", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "client_secret", right["code"]))
		}),
		Entry("a secret for a code", 400, "invalid_grant", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return r.postForm(oauth.TokenPath, with(right, "code", right["client_secret"]))
		}),
		Entry("the secret under another type", 401, "invalid_client", retypedAs("client_secret", credential.APIKey)),
		Entry("the code under another type", 400, "invalid_grant", retypedAs("code", credential.AccessToken)),
		Entry("an assertion's type", 401, "invalid_client", changed("client_assertion_type", "x")),
		Entry("an assertion beside Basic", 401, "invalid_client", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			header := basicHeader(right["client_id"], right["client_secret"])
			got := r.postForm(oauth.TokenPath, with(right, "client_secret", "", "client_assertion", "x"), "Authorization", header)
			Expect(got.Header.Get("WWW-Authenticate")).To(HavePrefix("Basic "))
			return got
		}),
		Entry("a wrong secret and another grant type: who asks comes first", 401, "invalid_client",
			changed("client_secret", newSecret(), "grant_type", "password")),
		Entry("names in other letters in JSON", 401, "invalid_client", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return r.postJSON(oauth.TokenPath, with(right, "client_secret", "", "Client_Secret", right["client_secret"]))
		}),
		Entry("a member twice in JSON, once escaped", 400, "invalid_request", rawBody("application/json", `{"code":"a","c\u006fde":"a"}`)),
		Entry("a member twice in JSON that means nothing here", 400, "invalid_request", rawBody("application/json", `{"a":1,"a":2}`)),
		Entry("a parameter twice that means nothing here", 400, "invalid_request", rawBody(formType, "a=1&a=2")),
		Entry("a parameter twice, once empty", 400, "invalid_request", rawBody(formType, "code=&code=a")),
		Entry("parameters split by semicolons", 400, "invalid_request", rawBody(formType, "code=a;client_id=b")),
		Entry("arrays for values", 400, "invalid_request", rawBody("application/json", `{"code":["a"]}`)),
		Entry("JSON that is nested without end", 400, "invalid_request", rawBody("application/json", `{"a":`+strings.Repeat("[", 12000))),
		Entry("JSON that is no UTF-8", 400, "invalid_request", rawBody("application/json", "{\"a\":\"\xff\"}")),
		Entry("JSON that closes with another bracket", 400, "invalid_request", rawBody("application/json", `{"a":1]`)),
		Entry("JSON with a comma too many", 400, "invalid_request", rawBody("application/json", `{"a":1,}`)),
		Entry("JSON with a byte order mark", 400, "invalid_request", rawBody("application/json", "\ufeff{}")),
		Entry("JSON of more than 16 KiB", 400, "invalid_request", rawBody("application/json", `{"a":"`+strings.Repeat("a", 16<<10)+`"}`)),
		Entry("JSON in UTF-16", 400, "invalid_request", rawBody("application/json; charset=utf-16", "\xfe\xff\x00{\x00}")),
		Entry("JSON that says it is in another charset", 400, "invalid_request", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			body, err := json.Marshal(right)
			Expect(err).NotTo(HaveOccurred())
			return post(r.url+oauth.TokenPath, "application/json; charset=iso-8859-1", string(body))
		}),
		Entry("a form that says it is in another charset", 400, "invalid_request", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return post(r.url+oauth.TokenPath, formType+"; charset=utf-16", encoded(right))
		}),
		Entry("null instead of an object", 400, "invalid_request", rawBody("application/json", `null`)),
		Entry("nothing as JSON", 400, "invalid_request", rawBody("application/json", "")),
		Entry("nothing as a form", 401, "invalid_client", rawBody(formType, "")),
		Entry("JSON that says it is a form", 401, "invalid_client", rawBody(formType, `{"client_id":"a"}`)),
		Entry("a form that says it is JSON", 400, "invalid_request", rawBody("application/json", "code=a")),
		Entry("no type of body", 400, "invalid_request", rawBody("", "code=a")),
		Entry("two types of body in one", 400, "invalid_request", rawBody("application/json, "+formType, "{}")),
		Entry("another form", 400, "invalid_request", rawBody("multipart/form-data; boundary=x", "--x--")),
		Entry("a type that begins like JSON", 400, "invalid_request", rawBody("application/jsonp", "{}")),
		Entry("two types of body", 400, "invalid_request", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			return post(r.url+oauth.TokenPath, formType, encoded(right), "Content-Type", "application/json")
		}),
		Entry("a compressed body", 400, "invalid_request", func(r *replica, _ registered, right map[string]string) testkit.Answer {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, err := w.Write([]byte(encoded(right)))
			Expect(err).NotTo(HaveOccurred())
			Expect(w.Close()).To(Succeed())
			return post(r.url+oauth.TokenPath, formType, b.String(), "Content-Encoding", "gzip")
		}),
		Entry("an empty Authorization", 401, "invalid_client", authorized("")),
		Entry("Basic without anything", 401, "invalid_client", authorized("Basic")),
		Entry("Basic that is no base64", 401, "invalid_client", authorized("Basic !!!")),
		Entry("Basic without a colon", 401, "invalid_client", authorized("Basic YWJj")),
		Entry("Basic of nobody", 401, "invalid_client", authorized("Basic Og==")),
		Entry("Basic with a broken escape in the client", 401, "invalid_client", authorized(basicHeader("%zz", "x"))),
		Entry("an API key's header", 401, "invalid_client", func(r *replica, a registered, right map[string]string) testkit.Answer {
			return post(r.url+oauth.TokenPath, formType, encoded(with(right, "client_secret", "")), "x-api-key", a.secret)
		}),
	)

	DescribeTable("by another method names POST", func(path string) {
		for _, method := range []string{"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} {
			q, err := http.NewRequestWithContext(context.Background(), method, replicas[0].url+path, http.NoBody)
			Expect(err).NotTo(HaveOccurred())
			q.Header.Set("Content-Type", formType)
			got := testkit.Send(http.DefaultClient, q)
			Expect(got.Header.Get("Allow")).To(Equal("POST"), method)
			if method == "HEAD" {
				Expect(got.Status).To(Equal(405))
				continue
			}
			expectRefused(got, 405, "invalid_request")
		}
	},
		Entry("for a token", oauth.TokenPath), Entry("to revoke", oauth.RevokePath), Entry("to introspect", oauth.IntrospectPath),
	)

	DescribeTable("whose body does not end as it should is answered anyway", func(rest string) {
		connection, err := net.Dial("tcp", strings.TrimPrefix(replicas[0].url, "http://"))
		Expect(err).NotTo(HaveOccurred())
		defer connection.Close()
		_, err = io.WriteString(connection, "POST "+oauth.TokenPath+" HTTP/1.1\r\nHost: a\r\nContent-Type: "+formType+"\r\n"+rest)
		Expect(err).NotTo(HaveOccurred())
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		Expect(err).NotTo(HaveOccurred())
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(response.StatusCode).To(Equal(http.StatusBadRequest))
		Expect(string(body)).To(ContainSubstring("invalid_request"))
	},
		Entry("for it goes on", "Content-Length: 1099511627776\r\n\r\ncode="+strings.Repeat("a", 16<<10)),
		Entry("for a chunk is broken", "Transfer-Encoding: chunked\r\n\r\n6\r\ncode=a\r\nzz\r\n"),
	)
})

var _ = Describe("An unusual request that is right", func() {
	DescribeTable("gets its token", func(send func(address, form string, right map[string]string) testkit.Answer) {
		a := newClient()
		right := a.exchange(a.consent(replicas[0], ""))
		got := send(replicas[0].url+oauth.TokenPath, encoded(right), right)
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
	},
		Entry("in chunks of unknown number", func(address, form string, _ map[string]string) testkit.Answer {
			// A reader of no known length.
			body := io.MultiReader(strings.NewReader(form[:10]), strings.NewReader(form[10:]))
			q, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, body)
			Expect(err).NotTo(HaveOccurred())
			q.Header.Set("Content-Type", formType)
			return testkit.Send(http.DefaultClient, q)
		}),
		Entry("with a type in other letters, and a charset", func(address, form string, _ map[string]string) testkit.Answer {
			return post(address, "Application/X-WWW-Form-URLEncoded; Charset=UTF-8", form)
		}),
		Entry("with parameters that mean nothing here", func(address, form string, _ map[string]string) testkit.Answer {
			return post(address, formType, form+"&audience=x&resource=")
		}),
		Entry("of exactly 16 KiB", func(address, form string, _ map[string]string) testkit.Answer {
			return post(address, formType, form+"&a="+strings.Repeat("a", 16<<10-len(form)-3))
		}),
		Entry("with its client in the body beside the header", func(address, _ string, right map[string]string) testkit.Answer {
			return post(address, formType, encoded(with(right, "client_secret", "")),
				"Authorization", basicHeader(right["client_id"], right["client_secret"]))
		}),
	)
})

// expectRefused checks an error as RFC 6749, section 5.2, has it.
func expectRefused(got testkit.Answer, status int, code string) {
	GinkgoHelper()
	Expect(got.Status).To(Equal(status), got.Raw)
	Expect(got.Header.Get("Content-Type")).To(Equal("application/json"))
	Expect(got.Header.Get("Cache-Control")).To(Equal("no-store"))
	Expect(got.Body).To(HaveLen(2))
	Expect(got.Body).To(HaveKeyWithValue("error", code))
	if status == http.StatusUnauthorized {
		Expect(got.Header.Get("WWW-Authenticate")).To(HavePrefix("Basic "), "a 401 says how to authenticate")
	}
	Expect(got.Body).To(HaveKeyWithValue("error_description", MatchRegexp(`^[ !#-\[\]-~]+$`)))
}

// suffixed asks with something after a value.
func suffixed(name, suffix string) func(*replica, registered, map[string]string) testkit.Answer {
	return func(r *replica, _ registered, right map[string]string) testkit.Answer {
		return r.postForm(oauth.TokenPath, with(right, name, right[name]+suffix))
	}
}

// retypedAs asks with a credential that says it is for something else.
func retypedAs(name string, t credential.Type) func(*replica, registered, map[string]string) testkit.Answer {
	return func(r *replica, _ registered, right map[string]string) testkit.Answer {
		return r.postForm(oauth.TokenPath, with(right, name, retyped(right[name], t)))
	}
}

// authorized asks with a header Authorization instead of the secret, and expects the challenge of RFC 6749.
func authorized(header string) func(*replica, registered, map[string]string) testkit.Answer {
	return func(r *replica, _ registered, right map[string]string) testkit.Answer {
		got := r.postForm(oauth.TokenPath, with(right, "client_secret", "", "client_id", ""), "Authorization", header)
		Expect(got.Header.Get("WWW-Authenticate")).To(Equal(`Basic realm="pressroom", charset="UTF-8"`))
		return got
	}
}
