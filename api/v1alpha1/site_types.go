package v1alpha1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ReviewPolicy decides who approves a site's articles.
// +kubebuilder:validation:Enum=Manual;Automatic
type ReviewPolicy string

// The review policies.
const (
	// ReviewManual waits for a reviewer.
	ReviewManual ReviewPolicy = "Manual"
	// ReviewAutomatic approves every finished revision that passes the gates and has the minimum score.
	ReviewAutomatic ReviewPolicy = "Automatic"
)

// DefaultStage is the stage at which the REST API creates a site's articles.
// +kubebuilder:validation:Enum=Review;Published
type DefaultStage string

// The default stages.
const (
	// DefaultStageReview waits, once an article is approved, until somebody asks for publication.
	DefaultStageReview DefaultStage = "Review"
	// DefaultStagePublished makes the approval publish.
	DefaultStagePublished DefaultStage = "Published"
)

// GeneratorType names a generator backend.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type GeneratorType string

// The generator backends.
const (
	// GeneratorOpenAI is any endpoint that speaks OpenAI's chat completions.
	GeneratorOpenAI GeneratorType = "OpenAI"
	// GeneratorAnthropic is any endpoint that speaks Anthropic's messages.
	GeneratorAnthropic GeneratorType = "Anthropic"
	// GeneratorBuiltIn writes an outline article without a model and without a network.
	GeneratorBuiltIn GeneratorType = "BuiltIn"
)

// SiteSpec describes a site and how its articles are written, reviewed and published.
// +kubebuilder:validation:XValidation:rule="!has(self.publishing) || !has(self.publishing.updates) || self.publishing.updates != 'Reviewed' || !has(self.cms.headless) || (has(self.cms.headless.updates) && self.cms.headless.updates == 'Republish')",message="publishing.updates may not be Reviewed unless cms.headless.updates is Republish: the receiver must know that posts come again",fieldPath=".publishing.updates"
// +kubebuilder:validation:XValidation:rule="!has(self.publishing) || !has(self.publishing.removal) || self.publishing.removal != 'Unpublish' || !has(self.cms.headless)",message="publishing.removal may not be Unpublish for the type Headless: webhooks take no post back",fieldPath=".publishing.removal"
type SiteSpec struct {
	// suspend stops generating and sending for the site, events and connection tests too. What is in progress ends, and all goes on when
	// it is false again. The default is false.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// domain of the site, such as blog.example.com, without scheme or path, at most 253 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$`
	Domain string `json:"domain,omitempty"`

	// displayName is the name that people know, at most 200 characters. The default is the domain.
	// +optional
	DisplayName ShortText `json:"displayName,omitempty"`

	// brandVoice says how the texts of the site are to sound.
	// +optional
	BrandVoice BrandVoice `json:"brandVoice,omitempty,omitzero"`

	// briefRef names the Brief of the site's articles that name none, of written texts too. If unset, they have none, and their claims are
	// not checked.
	// +optional
	BriefRef *LocalReference `json:"briefRef,omitempty"`

	// review says who approves articles.
	// +optional
	// +kubebuilder:default={}
	Review SiteReview `json:"review,omitempty,omitzero"`

	// publishing says when articles are published.
	// +optional
	// +kubebuilder:default={}
	Publishing SitePublishing `json:"publishing,omitempty,omitzero"`

	// limits of the site, beside those of its account.
	// +optional
	Limits SiteLimits `json:"limits,omitempty,omitzero"`

	// generator writes the texts of this site. If unset, it is the controller's, which its flags describe.
	// +optional
	Generator *SiteGenerator `json:"generator,omitempty"`

	// searchConsole names the site's property in a search console. With it, the REST API says that the site is connected; nothing is sent
	// there.
	// +optional
	SearchConsole *SearchConsole `json:"searchConsole,omitempty"`

	// cms says how articles reach the site.
	// +required
	CMS SiteCMS `json:"cms,omitempty,omitzero"`
}

// BrandVoice describes how a site speaks.
type BrandVoice struct {
	// tone of the texts, such as "friendly and precise", at most 200 characters. An article can set its own.
	// +optional
	Tone ShortText `json:"tone,omitempty"`

	// language of the texts as a BCP 47 tag, such as en or de-CH. The default is en.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=35
	// +kubebuilder:validation:Pattern=`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`
	Language string `json:"language,omitempty"`

	// audience that the texts are for, at most 500 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=500
	Audience string `json:"audience,omitempty"`

	// avoidWords are words that may not appear in the texts, at most 100 of at most 100 characters.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=100
	AvoidWords []string `json:"avoidWords,omitempty"`

	// guide says how the site writes, in its own words, at most 4000 characters. Models get it as data, not as instructions.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4000
	Guide string `json:"guide,omitempty"`

	// examples are passages that show how the site writes, at most 3 of at most 1500 characters. Models take their voice and not their
	// facts.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=1500
	Examples []string `json:"examples,omitempty"`
}

// SiteReview says who approves a site's articles.
// +kubebuilder:validation:XValidation:rule="!has(self.approvals) || self.approvals == 1 || !has(self.policy) || self.policy != 'Automatic'",message="approvals must be 1 with the policy Automatic, which asks nobody",fieldPath=".approvals"
type SiteReview struct {
	// policy is Manual (a reviewer approves) or Automatic (a revision that fails no gate and has the minimumScore is approved; any other
	// waits for a reviewer). Changing it needs the verb approve on articles.
	// +optional
	// +kubebuilder:default=Manual
	Policy ReviewPolicy `json:"policy,omitempty"`

	// minimumScore is the seoScore from which on the policy Automatic approves a revision, 0 to 100. The default is 0.
	// +optional
	MinimumScore Score `json:"minimumScore,omitempty"`

	// approvals is how many people must approve a text, 1 to 5, with the policy Manual. If unset, it is 1. Lowering it approves texts that
	// wait for further approvals, so it needs the verb approve on articles.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=5
	Approvals int32 `json:"approvals,omitempty"`
}

// SitePublishing says when a site's articles are published.
type SitePublishing struct {
	// defaultStage is the stage of the articles that the REST API creates: Review (somebody asks for publication) or Published (the
	// approval publishes).
	// +optional
	// +kubebuilder:default=Review
	DefaultStage DefaultStage `json:"defaultStage,omitempty"`

	// existingPosts says what becomes of a post of the CMS that has an article's slug and that Pressroom has not made. Refuse leaves it as
	// it is: the article gets another slug, or is not published. Adopt makes it the article's, and overwrites it. If unset, it is Refuse.
	// +optional
	ExistingPosts ExistingPosts `json:"existingPosts,omitempty"`

	// updates says what becomes of another text of a published article. Frozen keeps the one that the site has. Reviewed takes the other
	// one through review, and then updates the post; a site of the type Headless needs spec.cms.headless.updates Republish too. If unset,
	// it is Frozen.
	// +optional
	Updates UpdatePolicy `json:"updates,omitempty"`

	// removal says what becomes of the post of a published article that is archived. Keep leaves it at the site. Unpublish takes it back,
	// which a site of the type Headless cannot; the REST API then refuses to delete an article whose post is still there. If unset, it is
	// Keep.
	// +optional
	Removal RemovalPolicy `json:"removal,omitempty"`

	// citations says what becomes of the citations of a Brief's sources in generated texts. Links makes the cited words a link to the url
	// of the source. None leaves the words without a link. If unset, it is Links.
	// +optional
	Citations CitationPolicy `json:"citations,omitempty"`

	// authors that articles may name in content.author, at most 50.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=50
	Authors []SiteAuthor `json:"authors,omitempty"`
}

// CitationPolicy says what becomes of citations.
// +kubebuilder:validation:Enum=Links;None
type CitationPolicy string

// The policies.
const (
	// CitationLinks links the cited words to their source.
	CitationLinks CitationPolicy = "Links"
	// CitationNone leaves the cited words without a link.
	CitationNone CitationPolicy = "None"
)

// SiteAuthor is somebody whose name posts may have.
type SiteAuthor struct {
	// name that articles use and that posts show, at most 100 characters.
	// +required
	Name AuthorName `json:"name,omitempty"`

	// externalID of the author in the CMS, at most 100 characters: the number of a user in WordPress, or the id of the item that a
	// reference of Webflow leads to. Without it, WordPress posts have the author that the Site's connection names.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	ExternalID string `json:"externalID,omitempty"`
}

// RemovalPolicy says what becomes of the posts of archived articles.
// +kubebuilder:validation:Enum=Keep;Unpublish
type RemovalPolicy string

// The policies of removal.
const (
	// RemovalKeep leaves the post at the site.
	RemovalKeep RemovalPolicy = "Keep"
	// RemovalUnpublish takes the post back.
	RemovalUnpublish RemovalPolicy = "Unpublish"
)

// UpdatePolicy says whether published articles are updated.
// +kubebuilder:validation:Enum=Frozen;Reviewed
type UpdatePolicy string

// The policies of updates.
const (
	// UpdatesFrozen keeps the text that the site has.
	UpdatesFrozen UpdatePolicy = "Frozen"
	// UpdatesReviewed updates the post once the new text is approved.
	UpdatesReviewed UpdatePolicy = "Reviewed"
)

// ExistingPosts says what becomes of other people's posts.
// +kubebuilder:validation:Enum=Refuse;Adopt
type ExistingPosts string

// What becomes of a post that Pressroom has not made.
const (
	// ExistingPostsRefuse leaves it as it is.
	ExistingPostsRefuse ExistingPosts = "Refuse"
	// ExistingPostsAdopt makes it the article's, and overwrites it.
	ExistingPostsAdopt ExistingPosts = "Adopt"
)

// SiteLimits lower the account's limits.
type SiteLimits struct {
	// articlesPerDay is how many articles may be generated for the site in a UTC day. The account's articlesPerSitePerDay is the default,
	// and the most.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	ArticlesPerDay *int32 `json:"articlesPerDay,omitempty"`

	// tokensPerArticle is how many tokens a run may take, input and output together. It passes this by one turn at the most; without an
	// article by then, it ends with the reason ArticleTokensExceeded. Unset means no limit.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000
	TokensPerArticle *int64 `json:"tokensPerArticle,omitempty"`

	// tokensPerDay is how many tokens the site's runs may take in a UTC day. Then others wait for the next day, with the reason
	// DailyTokensExceeded. Unset means no limit.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	TokensPerDay *int64 `json:"tokensPerDay,omitempty"`
}

// SiteGenerator chooses the generator of a site.
// +kubebuilder:validation:XValidation:rule="self.type != 'BuiltIn' || (!has(self.model) && !has(self.baseURL) && !has(self.apiKeySecretRef))",message="model, baseURL and apiKeySecretRef may not be set for the type BuiltIn"
// +kubebuilder:validation:XValidation:rule="self.type != 'BuiltIn' || !has(self.prices)",message="prices may not be set for the type BuiltIn",fieldPath=".prices"
// +kubebuilder:validation:XValidation:rule="self.type == 'BuiltIn' || has(self.model)",message="model must be set for this type",fieldPath=".model"
// +kubebuilder:validation:XValidation:rule="!has(self.baseURL) || (isURL(self.baseURL) && url(self.baseURL).getScheme() in ['https', 'http'] && size(url(self.baseURL).getHostname()) > 0)",message="baseURL must be an http or https URL with a host",fieldPath=".baseURL"
// +kubebuilder:validation:XValidation:rule="!has(self.baseURL) || !self.baseURL.matches('^[A-Za-z]+://[^/?#]*@')",message="baseURL may not carry user information: the key belongs in apiKeySecretRef",fieldPath=".baseURL"
type SiteGenerator struct {
	// type of the backend: OpenAI (any endpoint that speaks OpenAI's chat completions), Anthropic (any that speaks Anthropic's messages) or
	// BuiltIn (an outline, without a model and without a network).
	// +required
	// +kubebuilder:validation:Enum=OpenAI;Anthropic;BuiltIn
	Type GeneratorType `json:"type,omitempty"`

	// model as the endpoint names it, at most 200 characters. Required except for BuiltIn.
	// +optional
	Model ShortText `json:"model,omitempty"`

	// baseURL of the endpoint, which must be on a public address. The default is the provider's own.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	BaseURL string `json:"baseURL,omitempty"`

	// apiKeySecretRef names the endpoint's API key. The controller's own key is never sent to a Site's endpoint.
	// +optional
	APIKeySecretRef *SecretKeyReference `json:"apiKeySecretRef,omitempty"`

	// prices of the model's tokens. With them, revisions show what their texts cost, and budgets in money are counted.
	// +optional
	Prices *TokenPrices `json:"prices,omitempty"`
}

// TokenPrices are the prices of a million tokens of a model: decimal numbers below 1000, with at most 6 digits behind the point.
type TokenPrices struct {
	// currency of the prices, as an ISO 4217 code.
	// +required
	Currency Currency `json:"currency,omitempty"`

	// input is the price of a million input tokens.
	// +required
	Input Price `json:"input,omitempty"`

	// cachedInput is the price of a million input tokens that the endpoint has in its cache. The default is the price of input.
	// +optional
	CachedInput Price `json:"cachedInput,omitempty"`

	// output is the price of a million output tokens.
	// +required
	Output Price `json:"output,omitempty"`
}

// SearchConsole connects a site to a search-console property.
type SearchConsole struct {
	// property as the search console names it, such as sc-domain:example.com, at most 300 characters.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=300
	Property string `json:"property,omitempty"`
}

// SiteStatus shows whether Pressroom can publish to the site.
type SiteStatus struct {
	// The conditions, and the generation that they describe.
	Observed `json:",inline"`

	// confirmedUID is the metadata.uid that the annotation pressroom.dev/restore-confirmed has confirmed: everything is there that belongs
	// to the site. A restored or copied site has another uid.
	// +optional
	ConfirmedUID UID `json:"confirmedUID,omitempty"`

	// handledRequests are the last requests by pressroom.dev/test-connection that were handled.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	HandledRequests []HandledRequest `json:"handledRequests,omitempty"`

	// deliveries is how the deliveries of articles to the site go. It is written once a minute at the most.
	// +optional
	Deliveries *SiteDeliveries `json:"deliveries,omitempty"`

	// connectionTest is the last test of the connection, as the connection was then.
	// +optional
	ConnectionTest *ConnectionTest `json:"connectionTest,omitempty"`
}

// SiteDeliveries is how the deliveries of articles to a site go.
// +kubebuilder:validation:MinProperties=1
type SiteDeliveries struct {
	// lastSuccessTime is when the site accepted an article last.
	// +optional
	LastSuccessTime *MicroTime `json:"lastSuccessTime,omitempty"`

	// failures is how many attempts have failed since, not counting those that say nothing of the site.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000000
	Failures int32 `json:"failures,omitempty"`

	// oldestWaitingTime is since when the article is due that has waited longest to be delivered. Unset if none waits.
	// +optional
	OldestWaitingTime *MicroTime `json:"oldestWaitingTime,omitempty"`
}

// ConnectionTest is one test of a site's connection. It is made once, without retries.
type ConnectionTest struct {
	// connectionHash is the SHA-256 of the connection that was tested.
	// +required
	// +kubebuilder:validation:MinLength=64
	// +kubebuilder:validation:MaxLength=64
	ConnectionHash string `json:"connectionHash,omitempty"`

	// id of the test, a UUID.
	// +required
	ID UUID `json:"id,omitempty"`

	// holder is the controller process that makes the test. It is empty once the test has ended.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Holder string `json:"holder,omitempty"`

	// startTime is when the test was recorded, just before it was sent.
	// +required
	StartTime MicroTime `json:"startTime,omitempty,omitzero"`

	// The result of the test.
	AttemptResult `json:",inline"`

	// snippet is the beginning of the answer's body, at most 200 printable bytes, without secrets.
	// +optional
	Snippet ShortText `json:"snippet,omitempty"`
}

// Site is a web site that articles are written for and published to. It is in a workspace.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=psite,categories=pressroom
// +kubebuilder:printcolumn:name="Domain",type=string,JSONPath=`.spec.domain`
// +kubebuilder:printcolumn:name="CMS",type=string,JSONPath=`.spec.cms.type`
// +kubebuilder:printcolumn:name="Connected",type=string,JSONPath=`.status.conditions[?(@.type=="Connected")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Connected")].reason`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Delivering",type=string,JSONPath=`.status.conditions[?(@.type=="Delivering")].status`,priority=1
// +kubebuilder:printcolumn:name="Accepted",type=date,JSONPath=`.status.deliveries.lastSuccessTime`,priority=1
// +kubebuilder:printcolumn:name="Waiting",type=date,JSONPath=`.status.deliveries.oldestWaitingTime`,priority=1
// +kubebuilder:printcolumn:name="Suspended",type=boolean,JSONPath=`.spec.suspend`,priority=1
// +kubebuilder:printcolumn:name="Tested",type=date,JSONPath=`.status.connectionTest.startTime`,priority=1
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Connected")].message`,priority=1
// +kubebuilder:printcolumn:name="Review",type=string,JSONPath=`.spec.review.policy`,priority=1
// +kubebuilder:printcolumn:name="Publishing",type=string,JSONPath=`.spec.publishing.defaultStage`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Site struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the site.
	// +required
	Spec SiteSpec `json:"spec,omitempty,omitzero"`

	// status shows whether Pressroom can publish to the site. Its conditions: Connected and Ready, Delivering once an article was sent,
	// and DestinationShared while True.
	// +optional
	// +kubebuilder:default={"observedGeneration":-1}
	Status SiteStatus `json:"status,omitempty,omitzero"`
}

// UpdatesPosts reports whether the site's published articles are updated.
func (s *Site) UpdatesPosts() bool { return s.Spec.Publishing.Updates == UpdatesReviewed }

// UnpublishesArchived reports whether the posts of the site's archived articles are taken back.
func (s *Site) UnpublishesArchived() bool { return s.Spec.Publishing.Removal == RemovalUnpublish }

// Author returns one of the site's authors; nil if it has none of the name.
func (s *Site) Author(name string) *SiteAuthor {
	for i := range s.Spec.Publishing.Authors {
		if a := &s.Spec.Publishing.Authors[i]; a.Name == name {
			return a
		}
	}
	return nil
}

// CreatedAt returns when the site was created: see CreatedAtAnnotation.
func (s *Site) CreatedAt() time.Time { return createdAt(s) }

// SiteList is a list of sites.
// +kubebuilder:object:root=true
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Site `json:"items"`
}
