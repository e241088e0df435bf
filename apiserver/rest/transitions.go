package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Transition is something that happened to an article.
type Transition struct {
	Type     string `json:"type" enum:"ready_for_review,approved,rejected,published,failed"`
	Revision int64  `json:"revision" minimum:"1" doc:"Number of the revision that it is about; for a failed generation, of the revision that was not made."`
	At       string `json:"at" format:"date-time" doc:"When it was found to have happened."`
	By       string `json:"by" doc:"Who decided; empty if nobody did, as when the site's policy approves." example:"Mara (api-key:aa3kq2vxw5ntb6ha)"`
	Message  string `json:"message" doc:"The beginning of the reviewer's note, or the reason and the cause of a failure, of at most 200 bytes; empty if there is none."`
}

// ArticleTransitions is the answer of list-article-transitions.
type ArticleTransitions struct {
	Envelope
	Data []Transition `json:"data" maxItems:"12" doc:"The last ones, oldest first."`
}

type (
	// ListArticleTransitionsInput is the input of list-article-transitions.
	ListArticleTransitionsInput struct{ OnArticle }
	// ArticleTransitionsOutput is the answer of list-article-transitions.
	ArticleTransitionsOutput struct{ Body ArticleTransitions }
)

func (s *service) registerTransitions() {
	op := s.operation(http.MethodGet, "/v1/api/blogs/{uid}/transitions", "list-article-transitions", inWorkspace...)
	op.Summary = "List what happened to an article"
	op.Description = "The last times that the article was ready for review, approved, rejected, published or failed: who decided, and why."
	handle(s.group(tagEditorial, v1alpha1.ScopeRead), op, s.listArticleTransitions)
}

func (s *service) listArticleTransitions(
	ctx context.Context, c *call, in *ListArticleTransitionsInput,
) (*ArticleTransitionsOutput, error) {
	found, err := s.findWhole(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := ArticleTransitions{Envelope: succeeded, Data: []Transition{}}
	for _, t := range found.Object.Status.Transitions {
		out.Data = append(out.Data, Transition{
			Type: snakeCase(string(t.Type)), Revision: int64(t.RevisionNumber), At: milliseconds(t.Time.Time), By: t.By, Message: t.Message,
		})
	}
	return &ArticleTransitionsOutput{Body: out}, nil
}

func transitionsExample() ArticleTransitions {
	return ArticleTransitions{Envelope: succeeded, Data: []Transition{
		{Type: "ready_for_review", Revision: 1, At: exampleTime},
		{Type: "rejected", Revision: 1, At: exampleTime, By: "Mara", Message: "Say something about rock."},
	}}
}
