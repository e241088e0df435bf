package page

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"html/template"
	"io"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
)

// Results are what has become of articles with which something was done at once. The address of the page that shows them carries them,
// sealed for the session: a form that charges or sends is answered by a redirect, and loading the results again sends nothing.
type Results struct {
	// Operation is the one of bulk-articles.
	Operation string   `json:"operation"`
	Done      []Result `json:"done"`
	Failed    []Result `json:"failed"`
	// Back is the path of the list that the form was sent from, and Left says that more articles there could not be tried.
	Back string `json:"back"`
	// Zone is the one in which the person chose times; empty if they chose none.
	Zone string `json:"zone,omitempty"`
	Left bool   `json:"left,omitempty"`
}

// Result is what has become of an article. Status is empty of one that is deleted, and Problem of one with which it was done.
type Result struct {
	UID     string `json:"uid"`
	Title   string `json:"title,omitempty"`
	Status  string `json:"status,omitempty"`
	Problem string `json:"problem,omitempty"`
	// Reason says why the article is in its status now, Mark is that status as a badge, and Due is when it is to be published.
	Reason string        `json:"-"`
	Mark   Mark          `json:"-"`
	Due    template.HTML `json:"-"`
}

// Bulk does an operation of bulk-articles with articles, in as many calls as it takes. It returns those with which it was done, which are
// the results' Done, and adds the others to Failed. titles are those of the articles by uid.
func (r *Results) Bulk(v *Visit, body review.BulkRequest, titles map[string]string) ([]review.BulkItem, error) {
	items, began := body.Items, len(r.Done)+len(r.Failed) > 0
	var done []review.BulkItem
	r.Done = nil
	for part := range slices.Chunk(items, maxItems) {
		body.Items = part
		answer, err := Call(v, review.Bulk, review.BulkInput{Idempotent: v.Once(body.Operation, part[0].UID), Body: body})
		got := answer.Body
		if err != nil && !began {
			return nil, err
		}
		began = true
		for i, item := range part {
			result := Result{UID: item.UID, Title: titles[item.UID]}
			switch {
			case err != nil:
				result.Problem = ProblemOf(err)
			case got.Data[i].Done:
				result.Status = got.Data[i].Status
				done, r.Done = append(done, item), append(r.Done, result)
				continue
			case got.Data[i].Problem.Reason == problem.ReasonTextChanged:
				// Digests say nothing to people.
				result.Problem = "Its text has changed since you saw the list. Read it again."
			default:
				result.Problem = Sentence(got.Data[i].Problem.Message)
			}
			r.Failed = append(r.Failed, result)
		}
	}
	return done, nil
}

// MaxAddress is how long an address may be, in bytes: proxies take those of 8 KB.
const MaxAddress = 7600

const (
	purposeResults = "app results"
	// fieldResults is the parameter with results.
	fieldResults = "results"
	// maxResults is how long the parameter is with titles.
	maxResults = 7000
	// maxInflated bounds results that are read.
	maxInflated = 1 << 20
)

// RedirectResults leads to the page with results.
func (v *Visit) RedirectResults(r Results) (*Answer, error) {
	sealed, err := v.Seal(purposeResults, r)
	if err == nil && len(sealed) > maxResults {
		for _, results := range [][]Result{r.Done, r.Failed} {
			for i := range results {
				results[i].Title = ""
			}
		}
		sealed, err = v.Seal(purposeResults, r)
	}
	if err != nil {
		return nil, err
	}
	return v.Redirect(WithQuery(v.Path("articles", "bulk"), fieldResults, sealed), ""), nil
}

// Seal returns a value as a parameter of an address that this session alone can open, for an hour. It must have a JSON form.
func (v *Visit) Seal(purpose string, value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err = w.Write(text); err == nil {
		err = w.Close()
	}
	if err != nil {
		return "", err
	}
	return v.Deps.Frame.SealTicket(purpose, v.Person.SessionID, small.String())
}

// Open reads what Seal has put into a parameter of the page's address, and reports whether it could.
func (v *Visit) Open(purpose, parameter string, into any) bool {
	t, err := v.Deps.Frame.OpenTicket(purpose, v.Query(parameter))
	if err != nil || t.Session != v.Person.SessionID {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(t.Subject)), maxInflated))
	return err == nil && json.Unmarshal(text, into) == nil
}

// Results returns the results that the page's address carries, and false if it has none of this session.
func (v *Visit) Results() (r Results, ok bool) {
	ok = v.Open(purposeResults, fieldResults, &r)
	return r, ok
}
