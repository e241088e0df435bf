package v1alpha1

// ShopifySEO says how the SEO title and the meta description reach Shopify.
// +kubebuilder:validation:Enum=Metafields;Omit
type ShopifySEO string

// The ways of SEO texts to Shopify.
const (
	// ShopifySEOMetafields writes the metafields global.title_tag and global.description_tag, which themes read.
	ShopifySEOMetafields ShopifySEO = "Metafields"
	// ShopifySEOOmit leaves both to the theme, which takes the title and the excerpt.
	ShopifySEOOmit ShopifySEO = "Omit"
)

// ShopifyConnection is a blog of a Shopify shop, which Pressroom publishes to by the Admin GraphQL API.
type ShopifyConnection struct {
	// shop is the shop's own domain, such as acme.myshopify.com.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9-]*\.myshopify\.com$`
	Shop string `json:"shop,omitempty"`

	// blogID of the blog that articles are published in: the number at the end of its address in the admin.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+$`
	BlogID string `json:"blogID,omitempty"`

	// authorName is the name that the articles show, at most 200 characters.
	// +required
	AuthorName ShortText `json:"authorName,omitempty"`

	// credentialsSecretRef names a Secret with the key token (an access token of a custom app), or with clientID and clientSecret (of an
	// app that the shop has installed).
	// +required
	CredentialsSecretRef LocalReference `json:"credentialsSecretRef,omitempty,omitzero"`

	// seo is Metafields (the SEO title and the meta description become the metafields global.title_tag and global.description_tag, which
	// themes read) or Omit (themes take the title and the excerpt). The default is Metafields.
	// +optional
	SEO ShopifySEO `json:"seo,omitempty"`

	// tags of the articles, at most 20 of at most 200 characters. If there are none, the articles have none.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=20
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=200
	Tags []string `json:"tags,omitempty"`
}
