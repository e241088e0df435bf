package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Transition is something that happened to an article.
type Transition struct {
	Type     string `json:"type" enum:"ready_for_review,approved,rejected,published,failed"`
	Revision int64  `json:"revision" minimum:"1" doc:"Number of the revision that it is about; for a failed generation, of the revision that was not made."`
	At       string `json:"occurred_at" format:"date-time" doc:"When it was found to have happened."`
	By       string `json:"decided_by" doc:"Who decided; empty if nobody did, as when the site's policy approves." example:"Mara (api-key:aa3kq2vxw5ntb6ha)"`
	Message  string `json:"message" doc:"The beginning of the reviewer's note, or the reason and the cause of a failure, of at most 200 bytes; empty if there is none."`
}

// ArticleTransitions is the answer of list-article-transitions.
type ArticleTransitions struct {
	operation.Envelope
	Data []Transition `json:"data" maxItems:"12" doc:"The last ones, oldest first."`
}

func (s *Articles) listArticleTransitions(
	ctx context.Context, c *operation.Call, in *OnArticle,
) (*operation.Output[ArticleTransitions], error) {
	found, err := s.FindWhole(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := ArticleTransitions{Envelope: operation.Succeeded, Data: []Transition{}}
	for _, t := range found.Object.Status.Transitions {
		out.Data = append(out.Data, Transition{
			Type: operation.SnakeCase(string(t.Type)), Revision: int64(t.RevisionNumber), At: operation.Milliseconds(t.Time.Time),
			By: t.By, Message: t.Message,
		})
	}
	return operation.Answer(out), nil
}
