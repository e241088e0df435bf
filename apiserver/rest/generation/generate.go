package generation

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/maker"
)

// GenerateRequest asks for a generated article (docs/reference/contract.md, Generate an article).
type GenerateRequest struct {
	SiteUID           operation.SiteUID  `json:"site_uid"`
	Keyword           string             `json:"keyword" minLength:"2" maxLength:"200" doc:"Target keyword." example:"trail running shoes"`
	SecondaryKeywords []string           `json:"secondary_keywords,omitempty" maxItems:"10" minLength:"1" maxLength:"200" doc:"What the text should cover beside the target keyword."`
	Tone              string             `json:"tone,omitempty" maxLength:"200" doc:"Replaces the site's tone." example:"friendly"`
	Length            string             `json:"length,omitempty" enum:"short,standard,long" doc:"500 to 800, 900 to 1400, or 1800 to 2800 words; standard if absent." example:"standard"`
	BriefUID          operation.BriefUID `json:"brief_uid,omitempty"`
	Instructions      string             `json:"instructions,omitempty" maxLength:"2000" doc:"For this article, beside those of its brief." example:"Mention the huts."`
}

// length returns the requested length of the article; empty if absent.
func (r *GenerateRequest) length() v1alpha1.ArticleLength {
	return operation.ParseEnum(r.Length, v1alpha1.LengthShort, v1alpha1.LengthStandard, v1alpha1.LengthLong)
}

// GenerateAnswer names the article that will be generated.
type GenerateAnswer struct {
	Success bool   `json:"success" doc:"Always true." example:"true"`
	RunID   string `json:"run_id" doc:"Id of the run of the generator, for the logs of both sides."`
	BlogUID string `json:"blog_uid" format:"uuid" doc:"uid of the article: poll get-article until its status is review or failed."`
}

// GenerateInput is the input of generate-article.
type GenerateInput struct {
	operation.InWorkspace
	operation.Idempotent
	Body GenerateRequest

	site *v1alpha1.Site
}

// GenerateOutput is the answer of generate-article.
type GenerateOutput struct{ Body GenerateAnswer }

// Resolve checks what the schema cannot express.
func (in *GenerateInput) Resolve(ctx huma.Context) (errs []error) {
	in.site, errs = operation.SiteOf(ctx, in.Workspace, in.Body.SiteUID)
	return append(errs, in.checkWords()...)
}

// checkWords refuses a request that every run would fail for, before it is charged.
func (in *GenerateInput) checkWords() []error {
	if in.site == nil {
		return nil
	}
	voice := in.site.Spec.BrandVoice
	err := generate.CheckWords(generate.Request{
		Keyword: in.Body.Keyword, SecondaryKeywords: in.Body.SecondaryKeywords, Language: voice.Language, AvoidWords: voice.AvoidWords,
	})
	if refused, ok := errors.AsType[*generate.Error](err); ok {
		return []error{&huma.ErrorDetail{Location: "body.site_uid", Message: "must be the uid of another site: its " + refused.Message}}
	}
	return nil
}

// Generate has an article generated.
var Generate = operation.Operation[GenerateInput, GenerateOutput]{
	ID: "generate-article", Method: http.MethodPost, Path: "/v1/api/generate", Tag: operation.TagArticles,
	Scope: v1alpha1.ScopeWrite, Status: http.StatusAccepted, Errors: operation.GenerateErrors,
}

func (s *Service) generate(ctx context.Context, c *operation.Call, in *GenerateInput) (*GenerateOutput, error) {
	if in.site == nil {
		return nil, problem.Invalid(operation.UnknownSite())
	}
	request, err := in.Request(c.Workspace, "generate", in.Body)
	if err != nil {
		return nil, err
	}
	out := &GenerateOutput{Body: GenerateAnswer{
		Success: true, RunID: identity.RevisionName(request.Name, request.Name, 1), BlogUID: request.Name,
	}}
	repeated, err := s.IsRepeated(ctx, c, request)
	if err != nil {
		return nil, s.namingOther(c.Workspace, request.Name, in.Body, err)
	}
	if repeated {
		c.Replayed()
		return out, nil
	}
	places, err := s.RoomForArticle(ctx, c, request, 0)
	if err != nil {
		return nil, err
	}
	err = s.start(ctx, c, in, request, out)
	c.Settle(places, err)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// start charges the account and creates the article. An error means that there is no article, unless it says that this is not known.
func (s *Service) start(
	ctx context.Context, c *operation.Call, in *GenerateInput, request operation.Request, out *GenerateOutput,
) error {
	brief, err := s.BriefRef(ctx, c.Workspace, string(in.Body.BriefUID))
	if err != nil {
		return err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return err
	}
	charge := ledger.Charge{
		Account: c.Principal.Account, Run: out.Body.RunID, Workspace: c.Workspace, Article: request.Name,
		Site: in.site.Name, DailyLimit: in.site.Spec.Limits.ArticlesPerDay, Metered: true,
		Key: c.Principal.LimitedKey, KeyLimit: c.Principal.CreditsPerDay,
	}
	taken, err := s.ledger.Charge(ctx, account.Spec, charge)
	s.count(taken, err)
	if err != nil {
		return problem.FromLedger(err)
	}
	a := s.New(ctx, c, request, in.site)
	a.Spec.Generate = &v1alpha1.GenerateRequest{
		Keyword: in.Body.Keyword, SecondaryKeywords: in.Body.SecondaryKeywords, Tone: in.Body.Tone, Length: in.Body.length(),
		Instructions: in.Body.Instructions, BriefRef: brief,
	}
	maker.RecordRequester(a, maker.Person{Name: c.Principal.Name, ID: c.Principal.Actor()})
	made, err := s.CreateOnce(ctx, a, request)
	if err != nil {
		// A conflict between requests with the same key leaves the charge to the one that creates the article.
		if taken && problem.StatusOf(err) != nil && !problem.IsUnavailable(err) {
			s.returnCharge(ctx, charge)
		}
		return operation.CreationProblem(err)
	}
	if surplus := a.UID != ""; made == nil && (taken || surplus) {
		s.returnCharge(ctx, charge)
	}
	return nil
}

// returnCharge gives a charge back for which there will be no article, or one that is deleted already and that the controller let take
// over nothing. If that is not certain, or giving it back fails, the controller returns it once no article has appeared
// (docs/contributing/design.md, Ledger).
func (s *Service) returnCharge(ctx context.Context, charge ledger.Charge) {
	err := s.ledger.Apply(context.WithoutCancel(ctx), charge.Account, func(u *v1alpha1.AccountLedgerSpec) error {
		ledger.Return(u, charge.Workspace, charge.Run)
		return nil
	})
	if err != nil {
		s.Log.Info("the controller will return a charge", "run", charge.Run, "error", err.Error())
	}
}

// LogEntry names the text or the article for the log.
func (out *GenerateOutput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Article: out.Body.BlogUID}
}

// namingOther returns the conflict over an Idempotency-Key that was used for another request, with the members in which this request
// differs from the article that was made under the key, while that exists. Other errors are returned as they are.
func (s *Service) namingOther(workspace, article string, body GenerateRequest, err error) error {
	conflict, ok := errors.AsType[*problem.APIError](err)
	found, known := s.Index.Get(workspace, article)
	if !ok || conflict.Problem.Reason != problem.ReasonKeyReused || !known || found.Object.Spec.Generate == nil {
		return err
	}
	made, differing := found.Object.Spec.Generate, []problem.ErrorDetail(nil)
	for _, member := range []struct {
		name    string
		differs bool
	}{
		{"site_uid", string(body.SiteUID) != found.SiteUID}, {"keyword", body.Keyword != made.Keyword},
		{"secondary_keywords", !slices.Equal(body.SecondaryKeywords, made.SecondaryKeywords)}, {"tone", body.Tone != made.Tone},
		{"brief_uid", string(body.BriefUID) != operation.BriefUIDOf(workspace, made.BriefRef)},
		{"instructions", body.Instructions != made.Instructions},
		{"length", cmp.Or(body.length(), v1alpha1.LengthStandard) != cmp.Or(made.Length, v1alpha1.LengthStandard)},
	} {
		if member.differs {
			differing = append(differing, problem.ErrorDetail{
				Field: member.name, Message: "differs from the article that was made with this Idempotency-Key",
			})
		}
	}
	return problem.KeyReused(differing...)
}
