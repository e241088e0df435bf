package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"
)

var (
	ctx = context.Background()
	api = must(NewClientWithResponses(os.Getenv("PRESSROOM_URL"), WithHTTPClient(caller{})))
)

func main() {
	title := "Shoes that grip"
	site := must(api.CreateSiteWithResponse(ctx, nil, CreateSiteRequest{Domain: "blog.acme.example", CmsType: None})).JSON201
	uid := must(api.GenerateArticleWithResponse(ctx, nil, GenerateRequest{SiteUid: site.Uid, Keyword: "trail running shoes"})).JSON202.BlogUid
	until(uid, func(a *Article) bool { return a.Status == "review" })
	must(api.UpdateArticleWithResponse(ctx, uid, nil, UpdateArticleRequest{MetaTitle: &title}))
	digest := until(uid, func(a *Article) bool { return a.MetaTitle == title && a.RevisionDigest != "" }).RevisionDigest
	must(api.ApproveArticleWithResponse(ctx, uid, nil, ApproveRequest{Digest: &digest}))
	must(api.PublishArticleWithResponse(ctx, uid, nil, PublishRequest{}))
	until(uid, func(a *Article) bool { return a.Status == "published" })
	statuses := []ArticleStatus{ArticleStatusPublished, ArticleStatusReview}
	list := must(api.ListArticlesWithResponse(ctx, &ListArticlesParams{SiteUid: &site.Uid, Status: &statuses}))
	for _, article := range list.JSON200.Data {
		fmt.Println(article.Status, article.Uid)
	}
}

// until asks for the article each second until it is as it must be.
func until(uid openapi_types.UUID, done func(*Article) bool) *Article {
	for {
		article := must(api.GetArticleWithResponse(ctx, uid, nil)).JSON200
		if done(article) {
			return article
		}
		if article.Status == "failed" {
			log.Fatal(article.StatusMessage)
		}
		time.Sleep(time.Second)
	}
}

// caller sends requests with the key and the workspace, and returns an error for an answer that is one.
type caller struct{}

func (caller) Do(r *http.Request) (*http.Response, error) {
	r.Header.Set("x-api-key", os.Getenv("PRESSROOM_API_KEY"))
	r.Header.Set("x-workspace-id", os.Getenv("PRESSROOM_WORKSPACE"))
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode < http.StatusBadRequest {
		return answer, err
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return nil, fmt.Errorf("%s: %s", answer.Status, body)
}

func must[T any](answer T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}
