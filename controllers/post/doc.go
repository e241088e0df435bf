// Package post gives articles their slugs at a destination, and records what sites have of articles. Slugs proposes a slug, Store claims
// it with the creation of a Post, and the Reconciler brings Posts up to date with the status of their articles.
package post
