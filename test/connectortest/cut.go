// Package connectortest tests connectors. Only tests import it.
package connectortest

import (
	"bytes"
	"errors"
	"io"
	"math"
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Client returns a client of package egress that sends by a transport of the test.
func Client(transport http.RoundTripper) *http.Client {
	client := egress.NewClient(egress.Policy{}, 0)
	client.Transport = transport
	return client
}

// Fault is where a request is cut off.
type Fault string

// The faults of a request.
const (
	// BeforeRequest: nothing reaches the CMS.
	BeforeRequest Fault = "before the request"
	// InRequest: the CMS gets a part of the body.
	InRequest Fault = "in the middle of the request"
	// InAnswer: the CMS did what was asked, and a part of its answer arrives.
	InAnswer Fault = "in the middle of the answer"
	// AfterRequest: the CMS did what was asked, and no answer arrives.
	AfterRequest Fault = "after the request"
)

var errCut = errors.New("the connection was cut off")

// cutter cuts off one request of an attempt, and all that follow it, as the death of the process does.
type cutter struct {
	to    http.RoundTripper
	at    int
	fault Fault
	// sent counts the requests.
	sent int
}

// RoundTrip implements http.RoundTripper.
func (c *cutter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.sent++
	if c.sent < c.at {
		return c.to.RoundTrip(r)
	}
	if c.sent > c.at || c.fault == BeforeRequest {
		return nil, errCut
	}
	if c.fault == InRequest && r.Body != nil {
		whole, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		half := r.Clone(r.Context())
		half.Body, half.ContentLength = io.NopCloser(bytes.NewReader(whole[:len(whole)/2])), int64(len(whole)/2)
		if answer, err := c.to.RoundTrip(half); err == nil {
			_ = answer.Body.Close()
		}
		return nil, errCut
	}
	answer, err := c.to.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	whole, err := io.ReadAll(answer.Body)
	if err != nil || c.fault != InAnswer {
		return nil, errCut
	}
	answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), failing{}))
	return answer, nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errCut }

// CMS is a CMS and an article for it.
type CMS struct {
	// Transport reaches the CMS.
	Transport http.RoundTripper
	// Attempt makes one attempt. The id is that of the post if an earlier attempt told it.
	Attempt func(transport http.RoundTripper, id string) publish.Outcome
	// Posts is how many posts of the article the CMS has.
	Posts func() int
}

// CutEachRequest cuts off each request of an attempt, in each way, and makes another attempt: there must be one post then, and none
// before unless the first attempt made it. Each case has a CMS of its own.
func CutEachRequest(t *testing.T, newCMS func(t *testing.T) CMS) {
	t.Helper()
	whole := newCMS(t)
	counter := &cutter{to: whole.Transport, at: math.MaxInt}
	if o := whole.Attempt(counter, ""); o.Outcome != v1alpha1.AttemptAccepted || whole.Posts() != 1 {
		t.Fatalf("an attempt that nothing cuts off: %+v, %d posts", o, whole.Posts())
	}
	for at := 1; at <= counter.sent; at++ {
		for _, fault := range []Fault{BeforeRequest, InRequest, InAnswer, AfterRequest} {
			cms := newCMS(t)
			first := cms.Attempt(&cutter{to: cms.Transport, at: at, fault: fault}, "")
			if first.Outcome == v1alpha1.AttemptAccepted || first.Final || cms.Posts() > 1 {
				t.Errorf("request %d of %d cut off %s: %+v, %d posts", at, counter.sent, fault, first, cms.Posts())
			}
			second := cms.Attempt(cms.Transport, first.ID)
			if second.Outcome != v1alpha1.AttemptAccepted || cms.Posts() != 1 {
				t.Errorf("the attempt after request %d of %d was cut off %s: %+v, %d posts", at, counter.sent, fault, second, cms.Posts())
			}
		}
	}
}
