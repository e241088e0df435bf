package v1alpha1

// CMSType names the kind of system that a site is published to (docs/reference/contract.md, Site; lower case over REST).
// +kubebuilder:validation:Enum=WordPress;Webflow;Shopify;Headless;None
type CMSType string

// The CMS types.
const (
	// CMSWordPress is a WordPress site, which articles become posts of.
	CMSWordPress CMSType = "WordPress"
	// CMSWebflow is a Webflow site, which articles become items of a collection of.
	CMSWebflow CMSType = "Webflow"
	// CMSShopify is a Shopify shop, which articles become articles of a blog of.
	CMSShopify CMSType = "Shopify"
	// CMSHeadless is the customer's own site, which receives articles by signed webhook.
	CMSHeadless CMSType = "Headless"
	// CMSNone is a site that pulls its articles from the REST API. Nothing is sent to it.
	CMSNone CMSType = "None"
)

// PayloadFormat is the format of the body in a publish webhook (docs/reference/contract.md, Payload).
// +kubebuilder:validation:Enum=JSON;Markdown;HTML
type PayloadFormat string

// The payload formats.
const (
	// PayloadJSON carries Markdown and HTML, in content_markdown and content_html.
	PayloadJSON PayloadFormat = "JSON"
	// PayloadMarkdown carries Markdown, in content.
	PayloadMarkdown PayloadFormat = "Markdown"
	// PayloadHTML carries HTML, in content.
	PayloadHTML PayloadFormat = "HTML"
)

// FAQPlacement says where a CMS shows an article's questions and answers, which are not part of its body.
// +kubebuilder:validation:Enum=Append;Omit
type FAQPlacement string

// The placements of the FAQ.
const (
	// FAQAppend adds a section with a heading in the article's language to the end of the body.
	FAQAppend FAQPlacement = "Append"
	// FAQOmit does not send the FAQ.
	FAQOmit FAQPlacement = "Omit"
)

// SiteCMS is a union discriminated by type: exactly the member that type names must be set.
// +kubebuilder:validation:XValidation:rule="has(self.wordPress) == (self.type == 'WordPress')",message="wordPress must be set for the type WordPress and may not be set for another",fieldPath=".wordPress"
// +kubebuilder:validation:XValidation:rule="has(self.webflow) == (self.type == 'Webflow')",message="webflow must be set for the type Webflow and may not be set for another",fieldPath=".webflow"
// +kubebuilder:validation:XValidation:rule="has(self.shopify) == (self.type == 'Shopify')",message="shopify must be set for the type Shopify and may not be set for another",fieldPath=".shopify"
// +kubebuilder:validation:XValidation:rule="has(self.headless) == (self.type == 'Headless')",message="headless must be set for the type Headless and may not be set for another",fieldPath=".headless"
// +kubebuilder:validation:XValidation:rule="!has(self.faq) || !(self.type in ['Headless', 'None'])",message="faq may not be set for the types Headless and None, whose sites render the FAQ themselves",fieldPath=".faq"
// +union
type SiteCMS struct {
	// type of the CMS, which names the member to be set. Articles reach WordPress, Webflow and Shopify by their own APIs, and Headless, any
	// other site, by signed webhook. A site of the type None pulls them from the REST API, and has no member.
	// +required
	// +unionDiscriminator
	Type CMSType `json:"type,omitempty"`

	// faq is Append (questions and answers become the end of the body, under a heading in the article's language) or Omit (they are not
	// sent). The default is Append. The types Headless and None get them as data, and may not set it.
	// +optional
	FAQ FAQPlacement `json:"faq,omitempty"`

	// wordPress is the connection of the type WordPress.
	// +optional
	WordPress *WordPressConnection `json:"wordPress,omitempty"`

	// webflow is the connection of the type Webflow.
	// +optional
	Webflow *WebflowConnection `json:"webflow,omitempty"`

	// shopify is the connection of the type Shopify.
	// +optional
	Shopify *ShopifyConnection `json:"shopify,omitempty"`

	// headless is the connection of the type Headless.
	// +optional
	Headless *HeadlessConnection `json:"headless,omitempty"`
}

// HeadlessConnection is a webhook connection (docs/reference/contract.md, Connection settings).
// +kubebuilder:validation:XValidation:rule="isURL(self.url) && url(self.url).getScheme() in ['https', 'http'] && size(url(self.url).getHostname()) > 0",message="url must be an http or https URL with a host",fieldPath=".url"
// +kubebuilder:validation:XValidation:rule="!self.url.matches('^[A-Za-z]+://[^/?#]*@')",message="url may not carry user information",fieldPath=".url"
type HeadlessConnection struct {
	// url to which articles are sent by POST. It must be on a public address, which is checked when sending.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`

	// signingSecretRef names the signing secret.
	// +required
	SigningSecretRef SecretKeyReference `json:"signingSecretRef,omitempty,omitzero"`

	// payloadFormat of the body: JSON (the text as content_markdown and content_html), Markdown or HTML (the text in that form alone, as
	// content). The default is JSON.
	// +optional
	// +kubebuilder:default=JSON
	PayloadFormat PayloadFormat `json:"payloadFormat,omitempty"`

	// updates is None (each article is sent once, apart from retries and redeliveries) or Republish (an updated article is sent again, as
	// post.publish with the same slug). If unset, it is None.
	// +optional
	Updates HeadlessUpdates `json:"updates,omitempty"`

	// disclosure is Omit or Send: whether the payload has the member disclosure, which says whether a model had a part in the text, and
	// whether a person approved it. If unset, it is Omit.
	// +optional
	Disclosure HeadlessDisclosure `json:"disclosure,omitempty"`
}

// HeadlessDisclosure says whether a receiver is sent the disclosure of a text.
// +kubebuilder:validation:Enum=Omit;Send
type HeadlessDisclosure string

// Whether a receiver is sent the disclosure.
const (
	// HeadlessDisclosureOmit leaves it out.
	HeadlessDisclosureOmit HeadlessDisclosure = "Omit"
	// HeadlessDisclosureSend sends it as the member disclosure.
	HeadlessDisclosureSend HeadlessDisclosure = "Send"
)

// HeadlessUpdates says how a receiver learns of updated articles.
// +kubebuilder:validation:Enum=None;Republish
type HeadlessUpdates string

// How a receiver learns of updated articles.
const (
	// HeadlessUpdatesNone sends no updates.
	HeadlessUpdatesNone HeadlessUpdates = "None"
	// HeadlessUpdatesRepublish sends post.publish again: receivers upsert by slug.
	HeadlessUpdatesRepublish HeadlessUpdates = "Republish"
)
