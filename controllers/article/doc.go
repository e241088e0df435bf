// Package article moves articles from a request or a text to a published post. The Reconciler has one handler for each lifecycle.Step,
// in three parts: Content takes the author's text into revisions, Generation runs the generator, and Publication has the current
// revision sent to the site, or publishes it for a site that pulls. Slugs and Posts are those of package post.
package article
