package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/ogen-go/ogen/ogenerrors"
)

var ctx = context.Background()

func main() {
	api, err := NewClient(os.Getenv("PRESSROOM_URL"), credentials{})
	if err != nil {
		log.Fatal(err)
	}
	newSite := &CreateSiteRequest{Domain: "blog.acme.example", CmsType: CMSTypeNone}
	site := must[*WrittenSiteHeaders](api.CreateSite(ctx, newSite, CreateSiteParams{})).Response
	keyword := &GenerateRequest{SiteUID: site.UID, Keyword: "trail running shoes"}
	uid := must[*GenerateAnswerHeaders](api.GenerateArticle(ctx, keyword, GenerateArticleParams{})).Response.BlogUID
	until(api, uid, func(a Article) bool { return a.Status == "review" })
	const title = "Shoes that grip"
	must[*GetArticleOKHeaders](api.UpdateArticle(ctx, &UpdateArticleRequest{MetaTitle: NewOptNilString(title)}, UpdateArticleParams{UID: uid}))
	digest := until(api, uid, func(a Article) bool { return a.MetaTitle == title && a.RevisionDigest != "" }).RevisionDigest
	approval := NewOptApproveRequest(ApproveRequest{Digest: NewOptString(digest)})
	must[*GetArticleOKHeaders](api.ApproveArticle(ctx, approval, ApproveArticleParams{UID: uid}))
	must[*GetArticleOKHeaders](api.PublishArticle(ctx, OptPublishRequest{}, PublishArticleParams{UID: uid}))
	until(api, uid, func(a Article) bool { return a.Status == "published" })
	list := must[*ArticlePageHeaders](api.ListArticles(ctx, ListArticlesParams{
		SiteUID: NewOptUUID(site.UID), Status: []ArticleStatus{ArticleStatusPublished, ArticleStatusReview},
	}))
	for _, article := range list.Response.Data {
		fmt.Println(article.Status, article.UID)
	}
}

// until asks for the article each second until it is as it must be.
func until(api *Client, uid uuid.UUID, done func(Article) bool) Article {
	for {
		article := must[*GetArticleOKHeaders](api.GetArticle(ctx, GetArticleParams{UID: uid})).Response
		if done(article) {
			return article
		}
		if article.Status == "failed" {
			log.Fatal(article.StatusMessage)
		}
		time.Sleep(time.Second)
	}
}

// credentials are those of each request.
type credentials struct{}

func (credentials) ApiKey(context.Context, OperationName) (ApiKey, error) {
	return ApiKey{APIKey: os.Getenv("PRESSROOM_API_KEY")}, nil
}

func (credentials) WorkspaceID(context.Context, OperationName) (WorkspaceID, error) {
	return WorkspaceID{APIKey: os.Getenv("PRESSROOM_WORKSPACE")}, nil
}

func (credentials) ClientSecret(context.Context, OperationName) (ClientSecret, error) {
	return ClientSecret{}, ogenerrors.ErrSkipClientSecurity
}

// must returns the answer of a success, and ends the program with any other.
func must[T any](answer any, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	if failed, ok := answer.(*ErrorStatusCodeWithHeaders); ok {
		log.Fatalf("%d %s: %s", failed.StatusCode, failed.Response.Error.Code, failed.Response.Error.Message)
	}
	return answer.(T)
}
