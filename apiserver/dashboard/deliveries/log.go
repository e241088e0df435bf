package deliveries

import (
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/delivery"
)

// deliveryLogView is the data of the page with the deliveries of an article.
type deliveryLogView struct {
	delivery.ArticleDeliveries

	UID, ArticleTitle string
	State             page.Mark
	ReasonText        string
	Advice            string
	// MayRedeliver offers to send the article again.
	MayRedeliver bool
}

type deliveryCycle struct {
	page.AttemptsView

	Cycle int32
	Mark  page.Mark
}

// Cycles returns the deliveries of the article, newest first.
func (view deliveryLogView) Cycles(l *page.Layout) []deliveryCycle {
	out := make([]deliveryCycle, 0, len(view.Data))
	for _, c := range view.Data {
		label := fmt.Sprintf("Attempts of delivery %d", c.Cycle)
		out = append(out, deliveryCycle{l.Attempts(label, c.Attempts), c.Cycle, deliveryMark(c.Status)})
	}
	return out
}

func showArticleDeliveries(v *page.Visit) (*page.Answer, error) {
	found, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: v.OnArticle()})
	if err != nil {
		return nil, err
	}
	deliveries, err := page.Call(v, delivery.ListArticleDeliveries, v.OnArticle())
	if err != nil {
		return nil, err
	}
	article, log := found.Body, deliveries.Body
	view := deliveryLogView{
		ArticleDeliveries: log, UID: article.UID, ArticleTitle: page.TitleOf(article.ArticleSummary), State: deliveryMark(log.Status),
		MayRedeliver: v.May(v1alpha1.ScopeWrite) && page.Ended(log.Status) && article.Status != "archived",
	}
	if log.Reason != "" {
		view.ReasonText = page.ReasonWord(log.Reason)
	}
	if log.Status == page.StateFailed || log.Status == page.StateRetrying {
		view.Advice = page.Advice(log.Reason, lastStatus(log.Data))
	}
	return v.Page("log.html", "Deliveries", view), nil
}

// lastStatus returns the HTTP status of the last attempt, if the receiver answered.
func lastStatus(cycles []delivery.DeliveryCycle) *int32 {
	if len(cycles) == 0 || len(cycles[0].Attempts) == 0 {
		return nil
	}
	return cycles[0].Attempts[len(cycles[0].Attempts)-1].HTTPStatus
}

// redeliverOne redelivers an article, and leads back to where the form was: the list, or the article's own deliveries.
func redeliverOne(v *page.Visit, of struct{ UID, State, Site string }) (*page.Answer, error) {
	back := v.Path("articles", of.UID, "deliveries")
	if deliveryMark(of.State).Class != "" {
		back = deliveriesPath(v, of.State, of.Site, "")
	}
	on := restarticle.Command{OnArticle: restarticle.OnArticle{UID: of.UID}}
	_, err := page.Call(v, restarticle.Redeliver, restarticle.RedeliverInput{Command: on})
	return v.Back(back, "The article is sent again within a few seconds.", err)
}
