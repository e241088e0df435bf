package rest

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// GenerateRequest asks for a generated article (contract, section 4).
type GenerateRequest struct {
	SiteUID           SiteUID  `json:"site_uid"`
	Keyword           string   `json:"keyword" minLength:"2" maxLength:"200" doc:"Target keyword." example:"trail running shoes"`
	SecondaryKeywords []string `json:"secondary_keywords,omitempty" nullable:"false" maxItems:"10" minLength:"1" maxLength:"200"`
	Tone              string   `json:"tone,omitempty" maxLength:"200" doc:"Takes the place of the site's tone." example:"friendly"`
}

// GenerateAnswer says what will be made.
type GenerateAnswer struct {
	Success bool   `json:"success" doc:"Always true." example:"true"`
	RunID   string `json:"run_id"`
	BlogUID string `json:"blog_uid" format:"uuid" doc:"uid of the article: poll get-article until its status is review or failed."`
}

// GenerateInput is the input of generate.
type GenerateInput struct {
	InWorkspace
	Idempotent
	Body GenerateRequest
}

// GenerateOutput is the answer of generate.
type GenerateOutput struct{ Body GenerateAnswer }

// Resolve looks the site up, so that a site that does not exist is told together with every other failing field.
func (in *GenerateInput) Resolve(ctx huma.Context) []error {
	return append(checkSite(ctx, in.Workspace, in.Body.SiteUID), emptyKey(ctx)...)
}

func (s *service) registerGenerate() {
	op := s.operation(http.MethodPost, "/v1/api/generate", "generate-article", v1alpha1.ScopeWrite, generating...)
	op.Summary = "Generate an article"
	op.Description = "Starts background generation and returns at once. Takes one credit, which a run that fails gives back."
	op.DefaultStatus = http.StatusAccepted
	handle(s, op, s.generate)
}

func (s *service) generate(ctx context.Context, c *call, in *GenerateInput) (*GenerateOutput, error) {
	site, ok := c.site(c.workspace, in.Body.SiteUID)
	if !ok {
		return nil, invalid(unknownSite())
	}
	made, err := in.creation(c.workspace, "generate", in.Body)
	if err != nil {
		return nil, err
	}
	out := &GenerateOutput{Body: GenerateAnswer{
		Success: true, RunID: identity.RevisionName(made.name, made.name, 1), BlogUID: made.name,
	}}
	done, err := s.repeated(ctx, c, made)
	if err != nil {
		return nil, err
	}
	if done {
		return out, nil
	}
	charge := ledger.Charge{
		Account: c.principal.Account, Run: out.Body.RunID, Workspace: c.workspace, Article: made.name,
		SiteUID: string(in.Body.SiteUID), DailyLimit: site.Spec.Limits.ArticlesPerDay, Metered: true,
	}
	taken, err := s.Ledger.Charge(ctx, charge)
	s.Metrics.charged(taken, err)
	if err != nil {
		return nil, limitFailure(err)
	}
	a := s.newArticle(ctx, c, made, site)
	a.Spec.Generate = &v1alpha1.GenerateRequest{
		Keyword: in.Body.Keyword, SecondaryKeywords: in.Body.SecondaryKeywords, Tone: in.Body.Tone,
	}
	err = s.articles.create(ctx, a)
	switch {
	case apierrors.IsAlreadyExists(err):
		// It has the same run, so the charge is its own.
		_, err = s.earlier(ctx, client.ObjectKeyFromObject(a), made)
	case err != nil && taken && !away(err):
		s.giveBack(ctx, charge)
	}
	if err != nil {
		return nil, creationFailure(err)
	}
	return out, nil
}

// giveBack returns a charge for which there will be no article. Where that is not certain, it is left to the controller,
// which returns it when no article has appeared (design, section 4); so it is where giving back fails.
func (s *service) giveBack(ctx context.Context, charge ledger.Charge) {
	err := s.Ledger.Apply(context.WithoutCancel(ctx), charge.Account, func(u *v1alpha1.AccountUsage) error {
		ledger.Return(u, charge.Run)
		return nil
	})
	if err != nil {
		s.Log.Info("a charge is left to the controller to return", "run", charge.Run, "error", err.Error())
	}
}
