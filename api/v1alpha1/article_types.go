package v1alpha1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ArticleStage is how far the author wants an article to go.
// +kubebuilder:validation:Enum=Draft;Review;Published;Archived
type ArticleStage string

// The stages.
const (
	// StageDraft keeps the article from the reviewer.
	StageDraft ArticleStage = "Draft"
	// StageReview has the article reviewed, and publishes nothing.
	StageReview ArticleStage = "Review"
	// StagePublished publishes the article once it is approved, and not before publishAfter.
	StagePublished ArticleStage = "Published"
	// StageArchived puts the article away. What its site has stays there.
	StageArchived ArticleStage = "Archived"
)

// ReviewDecision is a reviewer's decision.
// +kubebuilder:validation:Enum=Approved;Rejected
type ReviewDecision string

// The decisions.
const (
	// DecisionApproved lets the content be published.
	DecisionApproved ReviewDecision = "Approved"
	// DecisionRejected keeps the content from being published. Other content is in review again.
	DecisionRejected ReviewDecision = "Rejected"
)

// ArticlePhase summarizes the state of an article (docs/reference/contract.md, Article states; lower case over REST).
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
type ArticlePhase string

// The phases.
const (
	// PhaseDraft is an article that its author keeps from review.
	PhaseDraft ArticlePhase = "Draft"
	// PhaseGenerating is an article that has no text for what is asked yet: a run is due, in progress, or waits for its retry.
	PhaseGenerating ArticlePhase = "Generating"
	// PhaseReview is an article whose current revision waits for a reviewer.
	PhaseReview ArticlePhase = "Review"
	// PhaseApproved is an article whose current revision is approved and that the site does not have yet.
	PhaseApproved ArticlePhase = "Approved"
	// PhaseRejected is an article whose current revision a reviewer has rejected.
	PhaseRejected ArticlePhase = "Rejected"
	// PhaseScheduled is an approved article that waits for publishAfter.
	PhaseScheduled ArticlePhase = "Scheduled"
	// PhasePublished is an article that the site has.
	PhasePublished ArticlePhase = "Published"
	// PhaseFailed is an article without a text after its run has failed, or one whose delivery has failed for good.
	PhaseFailed ArticlePhase = "Failed"
	// PhaseArchived is an article that its author has put away.
	PhaseArchived ArticlePhase = "Archived"
)

// ArticleLength is how long a generated text is to be.
// +kubebuilder:validation:Enum=Short;Standard;Long
type ArticleLength string

// The lengths, in words of the text's language.
const (
	// LengthShort is 500 to 800 words.
	LengthShort ArticleLength = "Short"
	// LengthStandard is 900 to 1400 words.
	LengthStandard ArticleLength = "Standard"
	// LengthLong is 1800 to 2800 words in 6 to 10 sections, each of which is written in a turn of its own.
	LengthLong ArticleLength = "Long"
)

// ArticleSpec describes what the author and the reviewer want of an article.
// +kubebuilder:validation:XValidation:rule="has(self.generate) || has(self.content)",message="generate or content must be set: an article is generated, written, or both"
// +kubebuilder:validation:XValidation:rule="has(self.generate) || !has(self.content) || (has(self.content.title) && has(self.content.markdown))",message="content must have title and markdown where generate is not set",fieldPath=".content"
// +kubebuilder:validation:XValidation:rule="self.siteRef.name == oldSelf.siteRef.name",message="siteRef may not change: create another article",fieldPath=".siteRef"
// +kubebuilder:validation:XValidation:rule="!has(self.content) || !has(self.content.markdown) || size(bytes(self.content.markdown)) <= 262144",message="content.markdown must be at most 262144 bytes",fieldPath=".content.markdown"
// +kubebuilder:validation:XValidation:rule="!has(self.approvals) || (has(self.content) && has(self.content.markdown)) || self.approvals.all(a, has(a.digest))",message="an approval must have the digest that the reviewer saw, unless content.markdown is in the same manifest",fieldPath=".approvals"
// +kubebuilder:validation:XValidation:rule="!has(self.review) || self.review.decision != 'Approved' || has(self.review.digest) || (has(self.content) && has(self.content.markdown))",message="review.digest must name the content that is approved (status.revision.digest); it may be left out only where content.markdown is in the same manifest",fieldPath=".review"
type ArticleSpec struct {
	// siteRef names the Site that the article is for. It may not change. The Site may be created later.
	// +required
	SiteRef LocalReference `json:"siteRef,omitempty,omitzero"`

	// generate asks for a generated article. A changed request, or a new nonce in the annotation pressroom.dev/regenerate, makes a new
	// revision. Both wait while content.markdown is set.
	// +optional
	Generate *GenerateRequest `json:"generate,omitempty"`

	// content is the author's own text. With markdown, it is the whole text, and nothing is generated. Without markdown, its fields replace
	// those of the latest generated text; a field that is removed again gives the generated one back.
	// +optional
	Content *ArticleContent `json:"content,omitempty"`

	// stage is how far the article is to go. Draft keeps it from the reviewer. Review has it reviewed, and publishes nothing. Published
	// publishes it once it is approved. Archived puts it away; what its site has stays there. The default is Review.
	// +optional
	// +kubebuilder:default=Review
	Stage ArticleStage `json:"stage,omitempty"`

	// publishAfter is the time before which the article is not published. If unset, it is published as soon as it is approved.
	// +optional
	PublishAfter *Time `json:"publishAfter,omitempty"`

	// review is the reviewer's decision. Changing it needs the verb approve on articles.
	// +optional
	Review *ArticleReview `json:"review,omitempty"`

	// approvals are the approvals of further reviewers, if the Site asks for more than one (spec.review.approvals), at most 5. With the one
	// of review, they are counted by the names of people: each counts once, and only for the digest that it names. Changing them needs the
	// verb approve on articles.
	// +optional
	// +listType=map
	// +listMapKey=by
	// +kubebuilder:validation:MaxItems=5
	Approvals []ArticleApproval `json:"approvals,omitempty"`
}

// GenerateRequest asks for a generated article (docs/reference/contract.md, Generate an article). Nobody applies a part of it.
// +structType=atomic
type GenerateRequest struct {
	// keyword that the article is written for, 2 to 200 characters.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=200
	Keyword string `json:"keyword,omitempty"`

	// secondaryKeywords that the article also covers, at most 10 of at most 200 characters.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=200
	SecondaryKeywords []string `json:"secondaryKeywords,omitempty"`

	// tone of the text, at most 200 characters, in place of the site's brandVoice.tone.
	// +optional
	Tone ShortText `json:"tone,omitempty"`

	// length of the text: Short (500 to 800 words), Standard (900 to 1400) or Long (1800 to 2800, in 6 to 10 sections). If unset, it is
	// Standard.
	// +optional
	Length ArticleLength `json:"length,omitempty"`

	// instructions for this article, beside those of its Brief, 1 to 2000 characters. A model gets them as data.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2000
	Instructions string `json:"instructions,omitempty"`

	// briefRef names the Brief that the text is to rest on, in place of the Site's briefRef. It may be created later: the run waits for it.
	// +optional
	BriefRef *LocalReference `json:"briefRef,omitempty"`
}

// ArticleContent is the author's own text.
// +kubebuilder:validation:MinProperties=1
type ArticleContent struct {
	// title of the article, at most 300 characters.
	// +optional
	Title TitleText `json:"title,omitempty"`

	// slug that the article should have: lower-case letters, digits and single hyphens, at most 100 characters. If another article of the
	// site has it, a number is added. If unset, it is made from the title.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=100
	// +kubebuilder:validation:Pattern=`^[a-z0-9]+(-[a-z0-9]+)*$`
	Slug string `json:"slug,omitempty"`

	// markdown is the body as CommonMark with GitHub's tables and footnotes, without the title, at most 262144 bytes of UTF-8.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1048576
	Markdown string `json:"markdown,omitempty"`

	// metaTitle is the text of the HTML element title, at most 300 characters. If unset, it is the generated one, or made from the title.
	// +optional
	MetaTitle TitleText `json:"metaTitle,omitempty"`

	// metaDescription is the text of the HTML element meta description, at most 1000 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1000
	MetaDescription string `json:"metaDescription,omitempty"`

	// faq holds questions and answers, which are not part of the body, in place of the generated ones: 1 to 50.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	FAQ []FAQ `json:"faq,omitempty"`

	// faqPolicy is Generated (the questions of faq, or else the generated ones) or None (no questions). If unset, it is Generated.
	// +optional
	FAQPolicy FAQPolicy `json:"faqPolicy,omitempty"`

	// tags of the post, at most 10 of at most 50 characters, without commas. A CMS gets them beside those that the Site names.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=50
	// +kubebuilder:validation:items:Pattern=`^[^,\s]+( [^,\s]+)*$`
	Tags []string `json:"tags,omitempty"`

	// category of the post, at most 100 characters. In WordPress it takes the place of the categories that the Site names.
	// +optional
	Category CategoryName `json:"category,omitempty"`

	// author of the post: the name of one of the Site's spec.publishing.authors. If unset, it is the author that the Site's CMS has.
	// +optional
	Author AuthorName `json:"author,omitempty"`

	// image is the featured image of the post.
	// +optional
	Image *ArticleImage `json:"image,omitempty"`

	// Cached stands for markdown and faq in an object that comes from a cache. It is neither stored nor sent.
	Cached *CachedContent `json:"-"`
}

// CachedContent is what a cache knows of the author's text, which it does not have.
type CachedContent struct {
	// Hash identifies the content with its text.
	Hash string `json:"-"`
	// Bytes are the size of the content with its text, in JSON.
	Bytes int64 `json:"-"`
	// HasBody means that the content has a body.
	HasBody bool `json:"-"`
}

// HasBody reports whether the author wrote the body, even if a cache has removed it.
func (c *ArticleContent) HasBody() bool {
	return c != nil && (c.Markdown != "" || c.Cached != nil && c.Cached.HasBody)
}

// ArticleImage is the featured image of a post. It is fetched for each revision, which names the file that it was.
// +structType=atomic
type ArticleImage struct {
	// url of the image: a JPEG, PNG, WebP or GIF of at most 10 MiB, which everybody may fetch. Redirects are not followed.
	// +required
	URL ImageURL `json:"url,omitempty"`

	// alt says what the image shows, for people who do not see it: 1 to 300 characters.
	// +required
	Alt ImageText `json:"alt,omitempty"`

	// credit names whose image it is, at most 300 characters. WordPress gets it as the caption.
	// +optional
	Credit ImageText `json:"credit,omitempty"`
}

// FAQPolicy says which questions and answers an article has.
// +kubebuilder:validation:Enum=Generated;None
type FAQPolicy string

// The policies.
const (
	// FAQGenerated has those of content.faq, or else the generated ones.
	FAQGenerated FAQPolicy = "Generated"
	// FAQNone has none, whatever is generated or in content.faq.
	FAQNone FAQPolicy = "None"
)

// ArticleReview is a reviewer's decision on one content. It is one value, so that it is never mixed from two people's.
// +structType=atomic
type ArticleReview struct {
	// decision is Approved, which lets the content be published, or Rejected, which keeps it from being published.
	// +required
	Decision ReviewDecision `json:"decision,omitempty"`

	// digest of the content that the reviewer saw: status.revision.digest. Other content is in review again. It may be left out of a
	// rejection, which is then of the current content, and of an approval that has content.markdown in its manifest.
	// +optional
	Digest Digest `json:"digest,omitempty"`

	// by is the reviewer: the name of the requesting user, or another name if that user has the verb attest on articles.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	By string `json:"by,omitempty"`

	// note says why, at most 2000 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2000
	Note string `json:"note,omitempty"`
}

// MaxApprovals bounds spec.approvals of an Article.
const MaxApprovals = 5

// ArticleApproval is the approval of one of several reviewers.
type ArticleApproval struct {
	// by is the reviewer: the name of the requesting user, or another name if that user has the verb attest on articles.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	By string `json:"by,omitempty"`

	// digest of the content that the reviewer saw: status.revision.digest. The approval does not count for other content. It may be left
	// out if content.markdown is in the same manifest.
	// +optional
	Digest Digest `json:"digest,omitempty"`

	// note says why, at most 2000 characters.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2000
	Note string `json:"note,omitempty"`
}

// Article is one article of a site. It never holds a generated text: that is in its revisions.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=art,categories=pressroom
// +kubebuilder:printcolumn:name="Site",type=string,JSONPath=`.spec.siteRef.name`
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`
// +kubebuilder:printcolumn:name="Score",type=integer,JSONPath=`.status.revision.seoScore`
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.status.publication.post.url`,priority=1
// +kubebuilder:printcolumn:name="Title",type=string,JSONPath=`.status.revision.title`,priority=1
// +kubebuilder:printcolumn:name="Published",type=string,JSONPath=`.status.conditions[?(@.type=="Published")].reason`,priority=1
// +kubebuilder:printcolumn:name="HTTP",type=integer,JSONPath=`.status.publication.attempts[-1:].httpStatus`,priority=1
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,priority=1
// +kubebuilder:printcolumn:name="Next",type=string,JSONPath=`.status.publication.cycle.nextAttemptTime`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.siteRef.name`
// +kubebuilder:selectablefield:JSONPath=`.status.phase`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 200",message="metadata.name must be at most 200 characters: revisions are named after it",fieldPath=".metadata"
type Article struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what the author and the reviewer want.
	// +required
	Spec ArticleSpec `json:"spec,omitempty,omitzero"`

	// status describes the state of the article. Its conditions: Generated, Approved, Published and Ready; UpToDate once it is published;
	// Redelivered while False; Reconciling and Stalled while True.
	// +optional
	// +structType=atomic
	// +kubebuilder:default={"observedGeneration":-1}
	Status ArticleStatus `json:"status,omitempty,omitzero"`
}

// CreatedAt returns when the article was created: see CreatedAtAnnotation.
func (a *Article) CreatedAt() time.Time { return createdAt(a) }

// createdAtSkew bounds how much later than kube-apiserver another clock may be.
const createdAtSkew = 5 * time.Second

// createdAt returns when an object was created first.
func createdAt(o metav1.Object) time.Time {
	created := o.GetCreationTimestamp().Time
	at, err := time.Parse(time.RFC3339Nano, o.GetAnnotations()[CreatedAtAnnotation])
	if err != nil || at.Sub(created) > createdAtSkew {
		return created
	}
	return at
}

// ArticleList is a list of articles.
// +kubebuilder:object:root=true
type ArticleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Article `json:"items"`
}
