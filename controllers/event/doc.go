// Package event delivers events about articles to subscribers. The OutboxReconciler makes an EventDelivery of each event for each
// subscription that wants it, the DeliveryReconciler has it sent, and the SubscriptionReconciler looks after the subscriptions.
package event
