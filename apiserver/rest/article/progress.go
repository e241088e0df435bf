package article

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// GenerationProgress is how far a run of the generator has come.
type GenerationProgress struct {
	Step          int32   `json:"step" minimum:"0" doc:"Step that the attempt is in, from 1, written at most once a minute; 0 while none is known."`
	Steps         int32   `json:"steps" minimum:"0" doc:"Steps that the attempt has; 0 while it is not known."`
	Attempt       int32   `json:"attempt" minimum:"1" doc:"Attempt of the run, from 1."`
	StartedAt     string  `json:"attempted_at" format:"date-time" doc:"When the attempt began."`
	NextAttemptAt *string `json:"next_attempt_at" format:"date-time" doc:"When the next attempt is due if the last one failed; null while one is in progress."`
}

// ArticlePublication is the last delivery cycle of an article.
type ArticlePublication struct {
	State         string  `json:"state" enum:"delivering,retry_scheduled,delivered,failed,cancelled" doc:"Of the last delivery. A redelivery that fails leaves the article published."`
	Reason        string  `json:"reason" doc:"Why it waits or has failed, such as timeout or exhausted; empty if there is nothing to say." example:"server_error"`
	Attempts      int32   `json:"attempt_count" minimum:"0" maximum:"4" doc:"Attempts of this delivery, of at most 4."`
	HTTPStatus    *int32  `json:"http_status" doc:"Of the last attempt; null if there was no answer."`
	NextAttemptAt *string `json:"next_attempt_at" format:"date-time" doc:"When the next attempt is due; null if none is."`
	Unpublish     bool    `json:"unpublish" doc:"Whether the delivery takes the post back in place of sending it."`

	ConflictURL string           `json:"conflict_url" doc:"Address of the post because of which nothing was sent; empty if there is none."`
	Differences []PostDifference `json:"differences" maxItems:"3" doc:"What somebody has changed of that post in the CMS."`
}

// PostDifference is a field in which a post in the CMS differs from what would have been sent.
type PostDifference struct {
	Field   string `json:"field" doc:"As the CMS names it." example:"content"`
	Site    string `json:"site" maxLength:"200" doc:"What the CMS has, from a little before the first difference on."`
	Article string `json:"article" maxLength:"200" doc:"What would have been sent in its place."`
}

// presentProgress returns the progress of a run that has not ended.
func presentProgress(run *v1alpha1.GenerationRun) *GenerationProgress {
	if run == nil || run.State != v1alpha1.RunRunning && run.State != v1alpha1.RunRetryScheduled {
		return nil
	}
	out := &GenerationProgress{
		Step: run.Step, Steps: run.Steps, Attempt: run.Attempt, StartedAt: operation.Milliseconds(run.StartTime.Time),
	}
	if run.State == v1alpha1.RunRetryScheduled {
		out.NextAttemptAt = operation.WhenOrNull(run.NextAttemptTime)
	}
	return out
}

func presentPublication(p *v1alpha1.Publication) *ArticlePublication {
	if p == nil || p.Cycle == nil {
		return nil
	}
	out := &ArticlePublication{
		State: operation.CycleState(p.Cycle.State), Reason: operation.SnakeCase(p.Cycle.Reason),
		NextAttemptAt: operation.WhenOrNull(p.Cycle.NextAttemptTime), Unpublish: p.Cycle.Purpose == v1alpha1.PurposeRemove,
		Attempts: cycles.OfCycle(&p.DeliveryRecord), ConflictURL: p.Cycle.ConflictURL, Differences: []PostDifference{},
	}
	for _, d := range p.Cycle.Differences {
		out.Differences = append(out.Differences, PostDifference(d))
	}
	if n := len(p.Attempts); n > 0 && p.Attempts[n-1].HTTPStatus != 0 {
		out.HTTPStatus = new(p.Attempts[n-1].HTTPStatus)
	}
	return out
}
