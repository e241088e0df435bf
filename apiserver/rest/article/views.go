package article

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// ArticleSummary is an article in a list (docs/reference/contract.md, Article summary).
type ArticleSummary struct {
	ID            string  `json:"_id" doc:"Internal record id; also the cursor value." example:"0198f0a1b2c3d4e5f6a7b8c9"`
	UID           string  `json:"uid" format:"uuid" doc:"Used in the path of get-article."`
	Title         string  `json:"title" doc:"Empty while there is none."`
	Slug          string  `json:"slug" doc:"URL-safe; empty while there is none." example:"trail-running-shoes"`
	Status        string  `json:"status" enum:"draft,generating,review,approved,rejected,scheduled,published,failed,archived" doc:"What it can be used for now."`
	TargetKeyword string  `json:"target_keyword" doc:"Empty if the article was written without one." example:"trail running shoes"`
	SEOScore      *int32  `json:"seo_score" minimum:"0" maximum:"100" doc:"Null while there is no text."`
	PublishedURL  string  `json:"published_url" doc:"URL of the live post; empty if none is known."`
	PublishedAt   *string `json:"published_at" format:"date-time" doc:"Null until published." example:"2026-11-20T09:00:00.000Z"`

	// What follows is not in the contract.

	CreatedAt string         `json:"created_at" format:"date-time" doc:"In milliseconds if it was created over this API, else in whole seconds."`
	UpdatedAt string         `json:"updated_at" format:"date-time" doc:"When anything of the article was last written: in whole seconds, but never before created_at and published_at."`
	PublishAt *string        `json:"publish_at" format:"date-time" doc:"The time that publication was asked for; null if none was."`
	Reasons   ArticleReasons `json:"reasons"`
	Review    *ArticleReview `json:"review" doc:"The last decision; null if there is none."`

	Approvals ArticleApprovals `json:"approvals" doc:"Of the current text, of a published article that has another one of that."`

	PublishRequested bool `json:"publish_requested" doc:"Whether publication is asked for: an approval publishes the article then, or at publish_at."`

	UnpublishRequested bool `json:"unpublish_requested" doc:"Whether the post is to be taken back: unpublish-article was called, or the site unpublishes what is archived, and it is not done yet. Then unpublished_at has the time."`
	RedeliverRequested bool `json:"redeliver_requested" doc:"Whether another delivery was asked for that has not begun yet. Then publication has it."`

	SiteUID        string              `json:"site_uid" format:"uuid" doc:"Site of the article."`
	RevisionDigest string              `json:"revision_digest" doc:"Names this text: approve, reject, publish and edit take it. Empty while there is none."`
	StatusMessage  string              `json:"status_message" doc:"Why the article is in this status, for people. Times in it are in UTC: status_detail has them as data."`
	StatusReason   string              `json:"status_reason" doc:"Why, for programs, such as awaiting_review or daily_limit_reached; empty for a moment after a change." example:"awaiting_review"`
	StatusDetail   ArticleStatusDetail `json:"status_detail"`
	Actions        []ArticleAction     `json:"actions" maxItems:"12" doc:"What the credential may do with the article now, and why not what it may do soon."`
	Progress       *GenerationProgress `json:"progress" doc:"The run that makes a text; null if none is in progress or waits for a retry."`
	Publication    *ArticlePublication `json:"publication" doc:"The last delivery to the site; null if nothing has been sent."`
	PostUpdatedAt  *string             `json:"post_updated_at" format:"date-time" doc:"When the site last got another text of a published article; null if it has the first one."`
	UnpublishedAt  *string             `json:"unpublished_at" format:"date-time" doc:"When the post was taken back; null if it was not, or the article is published again. published_url is empty and published_at null then."`
	Disclosure     string              `json:"disclosure" doc:"Of the text that the site of a published article has: human_only (nothing of it was generated), ai_assisted (it was generated, perhaps edited, and a person approved it) or ai_autonomous (the site's policy alone did). Empty if it is not published, or not known." example:"ai_assisted"`
	Pending        *PendingText        `json:"pending" doc:"The other text of a published article, which its site does not have yet; null if there is none. get-article has it with text=pending."`

	UnsupportedClaims *int32 `json:"unsupported_claims" minimum:"0" maximum:"1000" doc:"How many claims of the text its brief does not support; null without a brief, and in lists for the text that the site of a published article has while there is another one."`
}

// PendingText is another text of a published article.
type PendingText struct {
	Status         string `json:"status" enum:"draft,generating,review,approved,rejected,scheduled,failed" doc:"As an article that is not published would have it."`
	RevisionDigest string `json:"revision_digest" doc:"Names the text: approve, reject, publish and edit take it. Empty while it is made."`
	SEOScore       *int32 `json:"seo_score" minimum:"0" maximum:"100" doc:"Null while the text is made."`
	Title          string `json:"title" doc:"Title of the article, which is not part of the body."`

	UnsupportedClaims *int32 `json:"unsupported_claims" minimum:"0" maximum:"1000" doc:"How many of its claims its brief does not support; null without a brief, and while the text is made."`
}

// ArticleReasons say for programs why an article is in its status.
type ArticleReasons struct {
	Ready     string `json:"ready" doc:"The reason of the status as a whole." example:"awaiting_review"`
	Generated string `json:"generated" doc:"Of the last run, such as succeeded, refused or insufficient_credits; empty if the article was written." example:"succeeded"`
	Approved  string `json:"approved" doc:"Such as awaiting_review, approved, rejected or content_changed." example:"awaiting_review"`
	Published string `json:"published" doc:"Such as not_approved, scheduled, delivered, exhausted or address_blocked." example:"not_requested"`
}

// ArticleReview is the last decision of a reviewer.
type ArticleReview struct {
	Decision string `json:"decision" enum:"approved,rejected"`
	By       string `json:"decided_by" doc:"Who decided." example:"Mara (api-key:aa3kq2vxw5ntb6ha)"`
	Note     string `json:"note" doc:"Why, in the reviewer's words; empty if there are none."`
	Digest   string `json:"digest" doc:"The text that it was about. If revision_digest is another one, the text is in review again. Empty if the article's manifest approves the text that it holds."`
}

// ArticleApprovals say how many people must approve a text, and who has.
type ArticleApprovals struct {
	Required int      `json:"required" minimum:"1" maximum:"5" doc:"How many people must approve the text, if its site leaves that to people."`
	Given    []string `json:"given" maxItems:"6" doc:"Who has, each once. Some may be there when the article is in review, and when another person has rejected it."`
}

// PostFields are what a post has beside its text.
type PostFields struct {
	Tags     []string `json:"tags" maxItems:"10" doc:"Of the post."`
	Category string   `json:"category" doc:"Empty if there is none."`
	Author   string   `json:"author" doc:"One of the site's authors; empty for the one that its CMS has."`
	Image    *Picture `json:"image" doc:"The featured image; null if there is none."`
}

// Content is what a text has beside its title and its Markdown.
type Content struct {
	ContentHTML     string     `json:"content_html" doc:"Body as sanitised HTML, made from content_markdown."`
	MetaTitle       string     `json:"meta_title" doc:"For the title element of HTML."`
	MetaDescription string     `json:"meta_description" doc:"For the meta element description of HTML."`
	FAQ             []FAQEntry `json:"faq" doc:"Not part of the body."`
	PostFields
	Scores Scores `json:"scores"`
}

// Picture is a featured image with the file that was fetched for the text.
type Picture struct {
	URL    string `json:"url" doc:"Address of the image." example:"https://media.acme.example/shoes.jpg"`
	Alt    string `json:"alt" doc:"What the image shows."`
	Credit string `json:"credit" doc:"Whose image it is; empty if it does not say."`
	SHA256 string `json:"sha256" doc:"Of the file, in lower-case hex; empty while it is not fetched. Publishing needs the same file."`
	Type   string `json:"type" doc:"Media type of the file by its header; empty while it is not fetched." example:"image/jpeg"`
	Width  int32  `json:"width" doc:"In pixels; 0 while the file is not fetched."`
	Height int32  `json:"height" doc:"In pixels; 0 while the file is not fetched."`
	Bytes  int64  `json:"bytes" doc:"Of the file; 0 while it is not fetched."`
}

// FAQEntry is one entry of an article's FAQ in an answer.
type FAQEntry struct {
	Question string `json:"question" doc:"Question, as text."`
	Answer   string `json:"answer" doc:"Answer to the question, as text."`
}

// FAQEntryRequest is one entry of an article's FAQ in a request.
type FAQEntryRequest struct {
	Question string `json:"question" minLength:"1" maxLength:"500" doc:"Question, as text." example:"Which shoes grip on wet rock?"`
	Answer   string `json:"answer" minLength:"1" maxLength:"5000" doc:"Answer to the question, as text." example:"Those with a soft sole."`
}

// ScoreCheck is one check of an article's score.
type ScoreCheck struct {
	Name      string `json:"name" doc:"Name, by which people know it." example:"keyphrase-in-slug"`
	Group     string `json:"group" example:"seo" doc:"seo, readability, style, site, grounding or gate."`
	Result    string `json:"result" enum:"passed,failed,not_applicable" doc:"How the check has ended."`
	Points    int32  `json:"points" doc:"Points that the check gives; may be below 0."`
	MaxPoints int32  `json:"max_points" doc:"Most points that the check gives; 0 for gates, which pass or fail, and for checks that do not apply."`
	Weight    int32  `json:"weight" doc:"The same as max_points."`
	Message   string `json:"message" doc:"What was found, and what must be if the check failed."`
	// Passages are those of check.Finding.
	Passages []string `json:"passages,omitempty" maxItems:"20" doc:"What of the body a failed check is about, as plain text on one line. Only preview-text has them." example:"It rains all day."`
}

// ScoreGroup is the score of a group of checks.
type ScoreGroup struct {
	Name  string `json:"name" enum:"seo,readability,style,site,grounding,gate" doc:"Name, by which people know it."`
	Score int32  `json:"score" minimum:"0" maximum:"100" doc:"100 times the points of the group, divided by 9 times the number of its checks; of seo, at most the number of words of a text with fewer than 100."`
}

// Scores rate an article's text by named checks.
type Scores struct {
	Version  int32        `json:"version" doc:"Version of the checks that the text was scored by: 2; 0 while there is no text."`
	SEOScore *int32       `json:"seo_score" minimum:"0" maximum:"100" doc:"Score of the group seo; null while there is no text."`
	Groups   []ScoreGroup `json:"groups" doc:"The score of each group of checks."`
	Checks   []ScoreCheck `json:"checks" doc:"What each check has found."`
}

// TextGenerator says what wrote a text, and what it took.
type TextGenerator struct {
	Type          string     `json:"type" enum:"openai,anthropic,builtin" doc:"What it is."`
	Model         string     `json:"model" doc:"The model that answered, as its endpoint names it; empty for builtin." example:"qwen3-32b"`
	PromptVersion string     `json:"prompt_version" doc:"Version of the prompts; empty for builtin." example:"2"`
	Turns         int32      `json:"turns" doc:"Questions to the model in the attempt that wrote the text."`
	Repairs       int32      `json:"repairs" doc:"Those of the turns that asked for a part again."`
	InputTokens   int64      `json:"input_tokens" doc:"Of all attempts, as the endpoint counted them."`
	CachedTokens  int64      `json:"cached_tokens" doc:"Input tokens that the endpoint had in its cache."`
	OutputTokens  int64      `json:"output_tokens" doc:"Tokens that the model has written, as its endpoint counted them."`
	Cost          *TokenCost `json:"cost" doc:"What these tokens cost by the prices of the generator; null if there were no prices."`
}

// TokenCost is what tokens cost.
type TokenCost struct {
	Amount   string `json:"amount" doc:"A decimal number with 6 digits behind the point." example:"0.001890"`
	Currency string `json:"currency" doc:"ISO 4217 code." example:"USD"`
}

// TextMaker is who made a text.
type TextMaker struct {
	MadeBy       string `json:"made_by" doc:"Who wrote the text or, of a generated one, asked for it; empty if that is not known." example:"Mara (api-key:aa3kq2vxw5ntb6ha)"`
	MadeWith     string `json:"made_with" doc:"The field manager that wrote it in Kubernetes, such as kubectl-edit, whose client chooses that name. Empty if made_by is not."`
	RestoredFrom *int64 `json:"restored_from" minimum:"1" doc:"Number of the earlier revision whose text was given back; null if the text is another one."`
}

// Article is a full article (docs/reference/contract.md, Full article).
type Article struct {
	operation.Envelope
	ArticleSummary
	ContentMarkdown string `json:"content_markdown" doc:"Body without the title; empty while there is none."`
	Content
	Generator *TextGenerator `json:"generator" doc:"What wrote the text; null if an author did, and while there is none."`
	TextMaker
	MadeAt *string `json:"made_at" format:"date-time" doc:"When the text was made, in whole seconds; null while it is being stored."`

	SecondaryKeywords []string `json:"secondary_keywords" doc:"What the article was asked to cover beside target_keyword."`
	Tone              string   `json:"tone" doc:"The tone that the article was asked for; empty for the site's."`
	Instructions      string   `json:"instructions" doc:"Those for this article; empty if there are none."`
	BriefUID          *string  `json:"brief_uid" format:"uuid" doc:"Brief that the article asks for, which may be gone; null for that of its site."`
	Grounding
}

// The types of this file describe their own schemas: the framework calls Schema.

// Slug is the slug that an article should have.
type Slug string

// Schema describes a Slug as the CRD does.
func (Slug) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, MaxLength: new(100), Pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
		PatternDescription: "lower-case letters, digits and single hyphens", Examples: []any{"trail-running-shoes"},
	}
}

// Tags are the tags of an article.
type Tags []string

// Schema describes Tags as the CRD does.
func (Tags) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeArray, MaxItems: new(10), UniqueItems: true, Examples: []any{[]any{"Trail running", "Shoes"}},
		Items: &huma.Schema{
			Type: huma.TypeString, MinLength: new(1), MaxLength: new(50), Pattern: `^[^,\s]+( [^,\s]+)*$`,
			PatternDescription: "words with single blanks between them, without commas",
		},
	}
}

// Name is the name of a category or an author.
type Name string

// Schema describes a Name as the CRD does.
func (Name) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, MinLength: new(1), MaxLength: new(100), Pattern: `^\S+( \S+)*$`,
		PatternDescription: "words with single blanks between them",
	}
}

// Image is a featured image in a request.
type Image struct {
	URL    string `json:"url" minLength:"1" maxLength:"2048" pattern:"^https?://[!-~]+$" patternDescription:"an http or https address" doc:"Of a JPEG, PNG, WebP or GIF of at most 10 MiB, which everybody may fetch. Redirects are not followed."`
	Alt    string `json:"alt" minLength:"1" maxLength:"300" pattern:"\\S" patternDescription:"a text that is not blank" doc:"What the image shows, for people who do not see it."`
	Credit string `json:"credit,omitempty" maxLength:"300" doc:"Whose image it is."`
}

// Schema describes an Image in its place: a reference could not be null.
func (Image) Schema(r huma.Registry) *huma.Schema {
	type image Image
	return huma.SchemaFromType(r, reflect.TypeFor[image]())
}

// spec is the image as an article has it; nil if it has no URL.
func (i Image) spec() *v1alpha1.ArticleImage {
	if i.URL == "" {
		return nil
	}
	return &v1alpha1.ArticleImage{URL: i.URL, Alt: i.Alt, Credit: strings.TrimSpace(i.Credit)}
}

// Digest names a text.
type Digest string

// Schema describes a Digest.
func (Digest) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^sha256:[0-9a-f]{64}$", PatternDescription: "the article's revision_digest",
		Description: "revision_digest of the text that you saw: 409 if there is another by now. The current text if absent.",
	}
}
