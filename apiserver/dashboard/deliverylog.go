package dashboard

import (
	"fmt"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

func deliveryLogRoutes() []route {
	return []route{
		page("/w/:workspace/articles/:uid/deliveries", v1alpha1.ScopeRead, showArticleDeliveries),
		form("/w/:workspace/deliveries/redeliver", v1alpha1.ScopeWrite, "redeliver-article", redeliverOne),
	}
}

// deliveryLogView is the data of the page with the deliveries of an article.
type deliveryLogView struct {
	rest.ArticleDeliveries

	UID, ArticleTitle string
	State             mark
	ReasonText        string
	Advice            string
	// MayRedeliver offers to send the article again.
	MayRedeliver bool
}

// deliveryCycle is one delivery of the article.
type deliveryCycle struct {
	attemptsView

	Cycle int32
	Mark  mark
}

// Cycles returns the deliveries of the article, newest first.
func (view deliveryLogView) Cycles(l *layout) []deliveryCycle {
	out := make([]deliveryCycle, 0, len(view.Data))
	for _, c := range view.Data {
		label := fmt.Sprintf("Attempts of delivery %d", c.Cycle)
		out = append(out, deliveryCycle{l.attempts(label, c.Attempts), c.Cycle, deliveryMark(c.Status)})
	}
	return out
}

func showArticleDeliveries(v *visit) (*answer, error) {
	uid := map[string]string{"uid": v.param("uid")}
	article, err := call[rest.Article](v, rest.Request{Operation: "get-article", Path: uid})
	if err != nil {
		return nil, err
	}
	log, err := call[rest.ArticleDeliveries](v, rest.Request{Operation: "list-article-deliveries", Path: uid})
	if err != nil {
		return nil, err
	}
	view := deliveryLogView{
		ArticleDeliveries: log, UID: article.UID, ArticleTitle: titleOf(article.ArticleSummary), State: deliveryMark(log.Status),
		MayRedeliver: v.may(v1alpha1.ScopeWrite) && ended(log.Status) && article.Status != "archived",
	}
	if log.Reason != "" {
		view.ReasonText = reasonWord(log.Reason)
	}
	if log.Status == stateFailed || log.Status == stateRetrying {
		view.Advice = advice(log.Reason, lastStatus(log.Data))
	}
	return v.page("deliverylog.html", "Deliveries", view), nil
}

// lastStatus returns the HTTP status of the last attempt, if the receiver answered.
func lastStatus(cycles []rest.DeliveryCycle) *int32 {
	if len(cycles) == 0 || len(cycles[0].Attempts) == 0 {
		return nil
	}
	return cycles[0].Attempts[len(cycles[0].Attempts)-1].HTTPStatus
}

// redeliverOne redelivers an article, and leads back to where the form was: the list, or the article's own deliveries.
func redeliverOne(v *visit) (*answer, error) {
	uid := v.form("uid")
	back := v.path("articles", uid, "deliveries")
	if state := v.form("state"); knownState(state) {
		back = deliveriesPath(v, state, v.form("site"), "")
	}
	_, err := call[rest.Article](v, rest.Request{
		Operation: "redeliver-article", Path: map[string]string{"uid": uid}, Body: rest.NoRequest{},
	})
	if isStatus(err, http.StatusConflict) {
		return v.redirectProblem(back, problemOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return v.redirect(back, "The article is sent again within a few seconds."), nil
}
