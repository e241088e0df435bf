package rest

import (
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/delivery"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
)

// What pages name of the packages of the operations.

type (
	Action             = article.Action
	Article            = article.Article
	ArticleSummary     = article.ArticleSummary
	ArticleTransitions = article.ArticleTransitions
	Check              = article.Check
	CreateRequest      = article.CreateRequest
	EditRequest        = article.EditRequest
	FAQEntry           = article.FAQEntry
	Generator          = article.Generator
	Cost               = article.Cost
	Digest             = article.Digest
	Progress           = article.Progress
	Publication        = article.Publication
	Question           = article.Question
	Reasons            = article.Reasons
	Review             = article.Review
	Revision           = article.Revision
	RevisionList       = article.RevisionList
	RevisionSummary    = article.RevisionSummary
	ScoreGroup         = article.ScoreGroup
	Scores             = article.Scores
	Slug               = article.Slug
	TextRequest        = article.TextRequest
	Transition         = article.Transition

	ArticleCounts     = articlelist.ArticleCounts
	ArticlePage       = articlelist.ArticlePage
	Calendar          = articlelist.Calendar
	CalendarEntry     = articlelist.CalendarEntry
	PublicationCounts = articlelist.PublicationCounts
	StatusCounts      = articlelist.StatusCounts

	ArticleDeliveries = delivery.ArticleDeliveries
	DeliveryCycle     = delivery.DeliveryCycle
	HeaderField       = delivery.HeaderField
	SentRequest       = delivery.SentRequest

	GenerateAnswer  = generation.GenerateAnswer
	GenerateRequest = generation.GenerateRequest
	Preview         = generation.Preview

	ApproveRequest = review.ApproveRequest
	BulkAnswer     = review.BulkAnswer
	BulkItem       = review.BulkItem
	BulkRequest    = review.BulkRequest
	BulkResult     = review.BulkResult
	PublishRequest = review.PublishRequest
	RejectRequest  = review.RejectRequest
)
