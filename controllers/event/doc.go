// Package event delivers events about articles to subscribers. The OutboxReconciler makes an EventDelivery of each event for each
// subscription that wants it, the DeliveryReconciler sends it, and the SubscriptionReconciler maintains the conditions of
// subscriptions.
package event
