package shopify

import _ "embed" // for the GraphQL documents

// The GraphQL documents that are sent. The tests validate each against Shopify's schema.
var (
	// postFragment follows the documents that read articles.
	//
	//go:embed documents/post.graphql
	postFragment string

	// lookDocument finds an article by its handle, and says where articles are live. The search lags behind creations, so the newest
	// articles of the blog are looked through too.
	//
	//go:embed documents/look.graphql
	lookDocument string

	// knownDocument reads the article of an earlier attempt.
	//
	//go:embed documents/known.graphql
	knownDocument string

	//go:embed documents/create.graphql
	createDocument string

	//go:embed documents/update.graphql
	updateDocument string

	//go:embed documents/check.graphql
	checkDocument string
)
