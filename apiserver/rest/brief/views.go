package brief

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/brief"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// BriefSummary is a brief in a list.
type BriefSummary struct {
	ID           string   `json:"_id" doc:"Internal record id." example:"0198f0a1b2c3d4e5f6a7b8c9"`
	UID          string   `json:"uid" format:"uuid" doc:"Used as brief_uid."`
	Name         string   `json:"name" doc:"Name, by which people and manifests know it; the uid if it was created without one." example:"trail-2026"`
	Instructions string   `json:"instructions" doc:"What texts are for and what they must have; empty if there are none."`
	FactCount    int      `json:"fact_count" minimum:"0" maximum:"50" doc:"How many facts it has."`
	SourceTitles []string `json:"source_titles" maxItems:"10" doc:"Titles of its sources."`
	Digest       string   `json:"digest" doc:"Names what it says now. A text names the one that it was checked against."`
	CreatedAt    string   `json:"created_at" format:"date-time" doc:"When it was created."`
}

// Brief is a brief with its texts.
type Brief struct {
	BriefSummary
	Facts   []string      `json:"facts" maxItems:"50" doc:"What texts may state without a citation."`
	Sources []BriefSource `json:"sources" maxItems:"10" doc:"What texts may cite."`
}

// BriefSource is a source of a brief in an answer.
type BriefSource struct {
	Name  string `json:"name" doc:"By which a model cites it. It is in no published text." example:"survey"`
	Title string `json:"title" doc:"Title of the source." example:"Trail survey 2025"`
	URL   string `json:"url" doc:"That citations lead to; empty if there is none." example:"https://example.org/survey"`
	Text  string `json:"text" doc:"Text of the source."`
}

// BriefAnswer is one brief as an answer.
type BriefAnswer struct {
	operation.Envelope
	Brief
}

// BriefPage is the answer of list-briefs.
type BriefPage struct {
	operation.Envelope
	Data []BriefSummary `json:"data" maxItems:"20" doc:"What the answer is about."`
	operation.Page
}

// Output is a brief as an answer, with its entity tag.
type Output struct {
	ETag string `header:"ETag" doc:"Names this state of the brief, for If-Match."`
	Body BriefAnswer
}

// LogEntry names the brief for the log.
func (out *Output) LogEntry() operation.LogEntry {
	return operation.LogEntry{Object: out.Body.UID}
}

// answer returns a brief as an answer, with its entity tag.
func answer(b *v1alpha1.Brief) (*Output, error) {
	out := BriefAnswer{Envelope: operation.Succeeded, Brief: present(b)}
	tag, err := operation.Tag(operation.Written(b), out)
	return &Output{ETag: tag, Body: out}, err
}

func summarise(b *v1alpha1.Brief) BriefSummary {
	uid := identity.UID(identity.KindBrief, b.Namespace, b.Name)
	out := BriefSummary{
		ID: identity.RecordID(uid, b.CreationTimestamp.Time), UID: uid, Name: b.Name, Instructions: b.Spec.Instructions,
		FactCount: len(b.Spec.Facts), SourceTitles: []string{}, Digest: brief.Digest(b.Spec),
		CreatedAt: operation.Milliseconds(b.CreationTimestamp.Time),
	}
	for _, s := range b.Spec.Sources {
		out.SourceTitles = append(out.SourceTitles, s.Title)
	}
	return out
}

func present(b *v1alpha1.Brief) Brief {
	out := Brief{BriefSummary: summarise(b), Facts: append([]string{}, b.Spec.Facts...), Sources: []BriefSource{}}
	for _, s := range b.Spec.Sources {
		out.Sources = append(out.Sources, BriefSource(s))
	}
	return out
}
