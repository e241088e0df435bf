package article

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Claim is a claim of a text that its brief does not support.
type Claim struct {
	Class    string `json:"class" enum:"figure,name,quotation,address,study" doc:"What it is."`
	Result   string `json:"result" enum:"unsupported,wrong_source,other_context" doc:"What the brief says of it."`
	Section  *int   `json:"section" minimum:"1" doc:"Number of its section in the body, which begins at a heading of the first two levels: 1 is what stands before the first one. Null if it is not in the body."`
	Words    string `json:"words" doc:"Words of the claim." example:"42 percent"`
	Sentence string `json:"sentence" doc:"The sentence that they stand in, or a part of it with an ellipsis."`
}

// Counts reports whether the gate counts the claim: hints do not count.
func (c Claim) Counts() bool { return c.Result != otherContext }

// otherContext is the result of a hint.
const otherContext = "other_context"

// TextBrief is the brief that a text was checked against.
type TextBrief struct {
	Name   string  `json:"name" doc:"Name of the brief." example:"trail-2026"`
	UID    *string `json:"uid" format:"uuid" doc:"Null if there is no brief of this name any more."`
	Digest string  `json:"digest" doc:"Names what the brief said then. If get-brief has another one, the brief has changed since."`
}

// Grounding is what a text rests on.
type Grounding struct {
	Brief  *TextBrief `json:"brief" doc:"Brief that the text was checked against; null if there was none: then no claims were looked for."`
	Claims []Claim    `json:"claims" maxItems:"60" doc:"Claims that the brief does not support, in the order of the text."`
}

// presentGrounding returns what a text rests on; nothing if it is nil.
func presentGrounding(core *operation.Core, workspace string, t *Text) Grounding {
	out := Grounding{Claims: []Claim{}}
	if t == nil || t.brief == nil {
		return out
	}
	out.Brief = &TextBrief{Name: t.brief.Name, Digest: t.brief.Digest}
	if core.Index.HasBrief(workspace, t.brief.Name) {
		out.Brief.UID = new(identity.UID(identity.KindBrief, workspace, t.brief.Name))
	}
	for _, line := range t.claims {
		if claim, err := ground.ParseLine(line); err == nil {
			out.Claims = append(out.Claims, presentClaim(claim))
		}
	}
	return out
}

func presentClaim(c ground.Claim) Claim {
	out := Claim{
		Class: strings.ToLower(string(c.Class)), Result: strings.ReplaceAll(string(c.Result), "-", "_"),
		Words: c.Words, Sentence: c.Sentence,
	}
	if c.Section >= 0 {
		out.Section = new(c.Section + 1)
	}
	return out
}

// unsupported returns how many claims of a text its brief does not support; nil without a brief. A text has at most 60 of them, and the
// status of the article says how many there are.
func unsupported(a *v1alpha1.Article, t *Text) *int32 {
	if t == nil || t.brief == nil {
		return nil
	}
	if r := a.Status.Revision; r != nil && r.Digest == t.Digest && r.UnsupportedClaims != nil {
		return new(*r.UnsupportedClaims)
	}
	n := int32(0)
	for _, line := range t.claims {
		if claim, err := ground.ParseLine(line); err == nil && claim.Counts() {
			n++
		}
	}
	return &n
}

// Evidence is what the brief of a text says of the claims that it supports.
type Evidence struct {
	// State is one of the states below; empty if the text was checked against no brief.
	State string
	// Supported are the claims that stand in the brief, in the order of the text, and More is how many others there are.
	Supported []Support
	More      int
}

// The states of evidence.
const (
	// EvidenceCurrent means that the brief is still what the text was checked against.
	EvidenceCurrent = "current"
	// EvidenceChanged means that the brief has changed since, EvidenceDeleted that it is deleted, and EvidenceUnknown that it cannot be
	// read at the moment.
	EvidenceChanged = "changed"
	EvidenceDeleted = "deleted"
	EvidenceUnknown = "unknown"
)

// Support is a claim with the passage that supports it.
type Support struct {
	Claim

	// Source is the title of the source, and URL its address; both are empty for a fact, and the URL of a source may be.
	Source, URL string
	Passage     string
}

// maxSupports bounds the supported claims that a page shows.
const maxSupports = 100

// evidence reads the brief of a text, and looks its claims up in it, if it is still the one that the text was checked against.
func (s *Articles) evidence(ctx context.Context, c *operation.Call, t *Text) (Evidence, error) {
	if t == nil || t.brief == nil {
		return Evidence{}, nil
	}
	b := &v1alpha1.Brief{}
	switch err := s.Client.Get(ctx, client.ObjectKey{Namespace: c.Workspace, Name: t.brief.Name}, b); {
	case apierrors.IsNotFound(err):
		return Evidence{State: EvidenceDeleted}, nil
	case err != nil:
		// The page shows the rest.
		return Evidence{State: EvidenceUnknown}, nil
	case brief.Digest(b.Spec) != t.brief.Digest:
		return Evidence{State: EvidenceChanged}, nil
	}
	end, err := c.Turn(ctx)
	if err != nil {
		return Evidence{}, err
	}
	defer end()
	return supports(t.Document, brief.Material(b.Spec), t.claims), nil
}

// supports returns the claims of a document that its material supports. It leaves out those of the lines: the text had citations when it
// was checked, which readers do not see.
func supports(d content.Document, m ground.Material, lines []string) Evidence {
	isRecorded := func(c ground.Claim) bool {
		for _, c.Result = range []ground.Result{ground.Unsupported, ground.WrongSource, ground.OtherContext} {
			if slices.Contains(lines, c.Line()) {
				return true
			}
		}
		return false
	}
	sources := map[string]ground.Source{}
	for _, source := range m.Sources {
		sources[source.Name] = source
	}
	out := Evidence{State: EvidenceCurrent}
	for _, claim := range ground.Check(d, m, nil) {
		if claim.Result != ground.Supported || claim.Passage == "" || isRecorded(claim) {
			continue
		}
		if len(out.Supported) == maxSupports {
			out.More++
			continue
		}
		source := sources[claim.Source]
		out.Supported = append(out.Supported, Support{
			Claim: presentClaim(claim), Source: source.Title, URL: source.URL, Passage: claim.Passage,
		})
	}
	return out
}
