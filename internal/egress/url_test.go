package egress_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/internal/egress"
)

// forbiddenURLs can be recognized by their text alone.
var forbiddenURLs = map[string][]string{
	"scheme": {
		"", "example.com", "//example.com/", "/hook", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/",
		"javascript:alert(1)", "data:text/plain,x", "unix:///run/docker.sock", "http:example.com", "https:/example.com", "ws://example.com",
	},
	"no host": {"http://", "https:///hook", "http://:80/", "http://./", "http://../", "http://a..b/", "http://.example.com/"},
	"user information": {
		"http://user@example.com/", "http://user:secret@example.com/", "http://@example.com/", "http://:@example.com/",
		"http://example.com@127.0.0.1/", "http://127.0.0.1#@example.com/", "http://127.0.0.1\\@example.com/",
	},
	"port": {"http://example.com:0/", "http://example.com:65536/", "http://example.com:-1/", "http://example.com:http/"},
	"name": {
		"http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://localhost:8088/", "http://api.localhost/",
		"http://localhost.localdomain/", "http://kubernetes/", "http://kubernetes.default.svc/", "http://kubernetes.default.svc./",
		"https://kubernetes.default.svc.cluster.local/", "http://api.acme.SVC.Cluster.Local./", "http://printer.local/",
		"http://metadata.google.internal/", "http://metadata.google.internal./", "http://x.internal/", "http://internal/",
		"http://router.home.arpa/", "http://svc/", "http://ｌｏｃａｌｈｏｓｔ/", "http://localhost%E3%80%82/", "http://x。internal/",
		"http://%EF%BD%8C%EF%BD%8F%EF%BD%83%EF%BD%81%EF%BD%8C%EF%BD%88%EF%BD%8F%EF%BD%93%EF%BD%94/",
	},
	"malformed name": {
		"http://%6c%6fcalhost/", "http://local%00host/", "http://exa mple.com/", "http://example.com\n/", "http://exa$mple.com/",
		"http://example,com/", "http://xn--localhost-/", "http://xn--a.example.com/", "http://example..com/",
		"http://" + strings.Repeat("a", 64) + ".com/", "http://" + strings.Repeat("a.", 127) + "com/", "http://*.example.com/",
	},
	"address": {
		"http://127.0.0.1/", "http://127.0.0.1:8088/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://0.0.0.0/",
		"http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
		"http://[::1%25lo]/", "http://[fe80::1%25eth0]/", "http://[2606:4700:4700::1111%25eth0]/", "http://[64:ff9b::7f00:1]/",
		"http://[2002:7f00:1::]/", "http://[fd00:ec2::254]/", "http://168.63.129.16/", "http://１２７.０.０.１/", "http://127。0。0。1/",
	},
	"address in an unusual writing": {
		"http://0177.0.0.1/", "http://0x7f.0.0.1/", "http://0x7f000001/", "http://2130706433/", "http://127.1/", "http://127.0.1/",
		"http://017700000001/", "http://127.0.0.1./", "http://127.0.0.01/", "http://127.0.0.0x1/", "http://0x/", "http://1.2.3.4.5/",
		"http://256.256.256.256/", "http://[127.0.0.1]/", "http://::1/", "http://[::1/", "http://①②⑦.⓪.⓪.①/", "http://example.com.0X7F/",
	},
	"length": {"http://example.com/" + strings.Repeat("a", 2048)},
}

func TestCheckURLRefusesWhatIsNotPublic(t *testing.T) {
	for kind, urls := range forbiddenURLs {
		for _, raw := range urls {
			if err := (egress.Policy{}).CheckURL(raw); !errors.Is(err, egress.ErrBlocked) {
				t.Errorf("%s: CheckURL(%q) = %v, want ErrBlocked", kind, raw, err)
			}
		}
	}
}

func TestCheckURLTakesPublicURLs(t *testing.T) {
	for _, raw := range []string{
		"http://example.com", "https://example.com/", "HTTPS://EXAMPLE.COM./hook", "https://example.com:8443/hook?token=x#part",
		"https://sub.domain.example.co.uk/a%20b", "https://bücher.example/", "https://xn--bcher-kva.example/", "https://例え.テスト/",
		"https://my_shop.example.com/", "https://r3---sn-4g5e6nez.example.com/", "http://8.8.8.8/", "https://[2606:4700:4700::1111]:8443/",
		"https://localhost.example.com/", "https://internal.example.com/", "https://svc.example.com/", "https://notlocalhost.dev/",
		"https://1password.com/", "https://example.com:/", "https://0x7f.example.com/",
	} {
		if err := (egress.Policy{}).CheckURL(raw); err != nil {
			t.Errorf("CheckURL(%q) = %v, want it to pass", raw, err)
		}
	}
}

func TestCheckURLUnderADevelopmentPolicy(t *testing.T) {
	p := egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	for _, raw := range []string{
		"http://127.0.0.1:8088/", "http://localhost:8088/hook", "http://receiver:8088/", "http://receiver.acme.svc.cluster.local/",
		"https://example.com/",
	} {
		if err := p.CheckURL(raw); err != nil {
			t.Errorf("CheckURL(%q) = %v, want it to pass", raw, err)
		}
	}
	for _, raw := range []string{
		"http://10.0.0.1/", "http://[::1]/", "http://169.254.169.254/", "http://user@localhost/", "ftp://localhost/", "http://2130706433/",
		"http://[::ffff:127.0.0.1]/",
	} {
		if err := p.CheckURL(raw); !errors.Is(err, egress.ErrBlocked) {
			t.Errorf("CheckURL(%q) = %v, want ErrBlocked", raw, err)
		}
	}
}

func TestTheReasonToBlockRepeatsNothingOfTheURL(t *testing.T) {
	for _, raw := range []string{"http://user:s3cret@example.com/", "http://10.11.12.13/s3cret", "http://exa mple.com/s3cret", "s3cret"} {
		err := egress.Policy{}.CheckURL(raw)
		if err == nil || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "10.11.12.13") {
			t.Errorf("CheckURL(%q) says %v", raw, err)
		}
	}
}

func TestAServerHasOneNameHoweverItIsSpelled(t *testing.T) {
	for raw, want := range map[string]string{
		"https://acme.example/hook":          "acme.example:443",
		"HTTPS://user@ACME.example:443/hook": "acme.example:443",
		"https://acme.example./other":        "acme.example:443",
		"http://acme.example":                "acme.example:80",
		"http://acme.example:8080/?q":        "acme.example:8080",
		"https://acme.example:0443/hook":     "acme.example:443",
		"https://acme.example:/hook":         "acme.example:443",
		"http://acme.example:00080":          "acme.example:80",
		"https://bücher.example/":            "xn--bcher-kva.example:443",
		"https://BÜCHER.example./":           "xn--bcher-kva.example:443",
		"https://b%C3%BCcher.example/":       "xn--bcher-kva.example:443",
		"https://XN--Bcher-kva.example":      "xn--bcher-kva.example:443",
		"https://ａｃｍｅ。example/":              "acme.example:443",
		"http://[2001:DB8::1]/hook":          "[2001:db8::1]:80",
		"http://[2001:db8:0:0:0:0:0:1]":      "[2001:db8::1]:80",
		"http://[2001:0db8::0.0.0.1]:080":    "[2001:db8::1]:80",
		"http://no host/":                    "http://no host/",
		"http://a..b/":                       "a..b:80",
		"http://%zz":                         "http://%zz",
	} {
		if got := egress.Host(raw); got != want {
			t.Errorf("Host(%q) = %q, want %q", raw, got, want)
		}
	}
}
