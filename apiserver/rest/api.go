package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/web"
)

// service has what the operations share.
type service struct {
	Deps
	api      huma.API
	articles *articles
	records  *records
	texts    *texts
	statuses *statuses
	unknown  *unknown
	charges  *chargeMetrics
	// requests are counted once they are valid, and arrivals before they are read: so an ordinary client learns what is wrong with its
	// request before it learns that it sends too many.
	requests, arrivals *middleware.Shares
	// bodies are the bytes of the bodies of requests in progress, by account.
	bodies *middleware.Budget
}

// arrivalShare is how many requests may arrive for each one that may be answered.
const arrivalShare = 2

// New returns the handler of the REST API, of its OpenAPI document and of its reference page.
func New(d Deps) (http.Handler, error) {
	s, router, err := newService(d)
	if err != nil {
		return nil, err
	}
	document, err := s.document()
	if err != nil {
		return nil, err
	}
	if err := web.Mount(router, document, cmp.Or(d.Home, web.PagePath)); err != nil {
		return nil, fmt.Errorf("mounting the reference page: %w", err)
	}
	middleware.AnswerHEAD(router)
	if d.Local != nil {
		d.Local.connect(router, s.api.OpenAPI())
	}
	// The pages and the endpoints of OAuth choose their own methods.
	for _, mount := range d.Mounts {
		mount(router)
	}
	return router, nil
}

// Document returns the OpenAPI document of the REST API as indented JSON.
func Document() ([]byte, error) {
	s, _, err := newService(Deps{Registry: prometheus.NewRegistry(), Clock: clock.RealClock{}, Log: logr.Discard()})
	if err != nil {
		return nil, err
	}
	return s.document()
}

func newService(d Deps) (*service, *gin.Engine, error) {
	problem.SetFrameworkErrors()
	d.Limits = d.Limits.withDefaults()
	router, err := middleware.NewRouter(d.Log, d.Registry, d.NoPage)
	if err != nil {
		return nil, nil, err
	}
	charges, err := newChargeMetrics(d.Registry)
	if err != nil {
		return nil, nil, err
	}
	s := &service{
		Deps:     d,
		api:      humagin.New(router, config()),
		articles: &articles{client: d.Client, timeout: d.Limits.CallTimeout},
		records:  &records{client: d.Client, timeout: d.Limits.CallTimeout},
		charges:  charges,
		requests: middleware.NewShares(d.Clock, d.Limits.RequestsPerSecond, d.Limits.RequestBurst),
		arrivals: middleware.NewShares(d.Clock, arrivalShare*d.Limits.RequestsPerSecond, arrivalShare*d.Limits.RequestBurst),
		bodies:   middleware.NewBudget(d.Limits.BodyBytes, d.Limits.AccountBodyBytes),
	}
	s.unknown = newUnknown(s.articles, d.Clock)
	s.texts = newTexts(s.articles, d.Limits.CacheBytes)
	s.statuses = newStatuses(s.articles)
	s.register()
	return s, router, nil
}

// register adds every operation, and completes the document.
func (s *service) register() {
	document := s.api.OpenAPI()
	document.Components.Responses = sharedResponses(document.Components.Schemas)
	for _, family := range []func(){
		s.registerSites, s.registerSite, s.registerWorkspaces, s.registerWhoami, s.registerUsage,
		s.registerLists, s.registerCounts, s.registerGet, s.registerRevisions, s.registerPreview,
		s.registerGenerate, s.registerCreate, s.registerEdit, s.registerDelete,
		s.registerReview, s.registerStage, s.registerSubmit, s.registerAttempts, s.registerDeliveryLog, s.registerTransitions,
		s.registerCommands, s.registerBulk, s.registerCalendar,
		s.registerSubscriptions, s.registerSubscriptionSecrets, s.registerSubscriptionEdits, s.registerDeliveries,
		s.documentEvents, s.documentWebhooks,
		s.registerOAuthClients, s.registerOAuthClientSecrets, s.registerOAuthGrants,
		s.registerKeys, s.registerKeysNew, s.registerCMSTypes, s.registerSitesNew, s.registerSiteSettings, s.registerSiteEdits,
	} {
		family()
	}
	documentOAuth(document)
	documentRequestID(document)
	documentBodies(document)
	documentConditional(document)
	documentRateLimit(document)
	documentExamples(document)
	allowNullObjects(document.Components.Schemas)
	openAnswers(document)
}

func (s *service) document() ([]byte, error) {
	document, err := json.MarshalIndent(s.api.OpenAPI(), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the OpenAPI document: %w", err)
	}
	return append(document, '\n'), nil
}
