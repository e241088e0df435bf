package shopify

// The GraphQL documents that are sent. The tests validate each against Shopify's schema.
const (
	postFragment = `
fragment Post on Article {
  id
  handle
  title
  body
  summary
  isPublished
  tags
  createdAt
  updatedAt
  author { name }
  blog { id }
  image { altText }
  titleTag: metafield(namespace: "global", key: "title_tag") { type value }
  descriptionTag: metafield(namespace: "global", key: "description_tag") { type value }
}`

	// lookDocument finds an article by its handle, and says where articles are live. The search lags behind creations, so the newest
	// articles of the blog are looked through too.
	lookDocument = `query Look($blogID: ID!, $search: String!) {
  shop { primaryDomain { url } }
  blog(id: $blogID) { handle articles(first: 50, reverse: true) { nodes { ...Post } } }
  articles(first: 10, query: $search) { nodes { ...Post } }
}` + postFragment

	// knownDocument reads the article of an earlier attempt.
	knownDocument = `query Known($id: ID!) {
  article(id: $id) { ...Post }
}` + postFragment

	createDocument = `mutation Create($article: ArticleCreateInput!) {
  articleCreate(article: $article) { article { ...Post } userErrors { code field } }
}` + postFragment

	updateDocument = `mutation Update($id: ID!, $article: ArticleUpdateInput!) {
  articleUpdate(id: $id, article: $article) { article { ...Post } userErrors { code field } }
}` + postFragment

	checkDocument = `query Check($blogID: ID!) {
  currentAppInstallation { accessScopes { handle } }
  shop { primaryDomain { url } }
  blog(id: $blogID) { handle }
}`
)
