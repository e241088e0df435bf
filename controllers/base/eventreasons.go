package base

// Reasons of Kubernetes Events that no condition has.
const (
	// ReasonBudgetNear means that 80 percent of an account's budget of the month are used.
	// Of Account: raise `spec.budget`, or let runs wait for the next month once it is used up.
	ReasonBudgetNear = "BudgetNear"
	// ReasonEventsDropped means that subscriptions do not get an event of the article: kube-apiserver refused its EventDeliveries for too
	// long.
	// Of Article: read the condition `Dispatching` of the EventSubscriptions. Later events are sent.
	ReasonEventsDropped = "EventsDropped"
	// ReasonReadyForReview means that a run has written a text that waits for a reviewer.
	// Of Article: read the text, then approve or reject it.
	ReasonReadyForReview = "ReadyForReview"
	// ReasonSameKeyword means that the site has articles with the keyword of a new one, which would compete with it.
	// Of Article: see whether one of the articles that the message names is enough.
	ReasonSameKeyword = "SameKeyword"
	// ReasonTooLarge means that an object leaves no room for its status: both may have about 1.5 MB in JSON.
	// Of Article, Site, Account, APIKey, OAuthClient, OAuthGrant, EventSubscription, EventDelivery: make its text or its metadata smaller.
	ReasonTooLarge = "TooLarge"
	// ReasonWriteRefused means that a write that no condition speaks of is refused, by a quota, a policy or a missing right. It is tried
	// again every 2 minutes.
	// Of Article, Site, Account, APIKey, OAuthClient, OAuthGrant, EventSubscription, EventDelivery: remove what the message names.
	ReasonWriteRefused = "WriteRefused"
)
