package site

import (
	"github.com/pressroom-dev/pressroom/apiserver/rest/deliveryrecord"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Site is a site as list-sites returns it (docs/reference/contract.md, Site).
type Site struct {
	ID           string  `json:"_id" doc:"Internal record id." example:"0198f0a1b2c3d4e5f6a7b8c9"`
	UID          string  `json:"uid" format:"uuid" doc:"Used as site_uid when generating."`
	Domain       string  `json:"domain" doc:"Domain of the site, without scheme and path." example:"blog.example.com"`
	Name         string  `json:"name" doc:"The site's name as people know it; the domain if none is set." example:"Example Blog"`
	CMSType      CMSType `json:"cms_type"`
	GSCConnected bool    `json:"gsc_connected" doc:"Whether the site is connected to a search console."`
	Status       string  `json:"status" enum:"active,inactive" doc:"Inactive when publishing to the site is impossible."`
	WorkspaceID  string  `json:"workspace_id" doc:"Workspace of the site, for the header x-workspace-id." example:"acme-blog"`

	// What follows is not in the contract.

	CreatedAt        string           `json:"created_at" format:"date-time" doc:"In milliseconds if it was created over this API, else in whole seconds."`
	UpdatedAt        string           `json:"updated_at" format:"date-time" doc:"When its settings were last written, in whole seconds."`
	StatusMessage    string           `json:"status_message" doc:"Why the site is in this status, for people."`
	ConnectionStatus ConnectionStatus `json:"connection_status"`
	Delivering       *Delivering      `json:"delivering" doc:"How the last deliveries went; null while nothing is known of any."`
	Deliveries       SiteDeliveries   `json:"deliveries"`
	Waiting          int              `json:"waiting_articles" minimum:"0" doc:"Articles of the site in review."`
}

// SiteList is the answer of list-sites.
type SiteList struct {
	operation.Envelope
	Data []Site `json:"data" maxItems:"500" doc:"What the answer is about."`
}

// ConnectionStatus is how a site's connection works.
type ConnectionStatus struct {
	State    string          `json:"state" enum:"connected,failed,unknown" doc:"Unknown while it has not been tested as it is now."`
	Reason   string          `json:"reason" doc:"Such as receiver_accepted, receiver_rejected, timeout or not_tested." example:"receiver_accepted"`
	Message  string          `json:"message" doc:"Why, for people."`
	LastTest *ConnectionTest `json:"last_test" doc:"Null if there was none. It is about the connection as it was then."`
}

// Delivering is how the last deliveries to a site went.
type Delivering struct {
	State   string `json:"state" enum:"working,failing" doc:"Failing if at least the last 3 attempts have failed."`
	Reason  string `json:"reason" doc:"Of the last attempt, such as delivered, receiver_rejected or timeout." example:"delivered"`
	Message string `json:"message" doc:"Why, for people."`
	Since   string `json:"since" format:"date-time" doc:"When it began to be in this state."`
}

// SiteDeliveries is what of a site's deliveries changes often. It is a minute old at the most.
type SiteDeliveries struct {
	LastSuccessAt      *string `json:"last_success_at" format:"date-time" doc:"When the site accepted an article last; null if it never did."`
	Failures           int32   `json:"failures" minimum:"0" doc:"How many attempts have failed since."`
	OldestWaitingSince *string `json:"oldest_waiting_since" format:"date-time" doc:"Since when the article is due that has waited longest to be delivered; null if none waits."`
}

// ConnectionTest is one test of a site's connection.
type ConnectionTest struct {
	Nonce string `json:"nonce" doc:"As test-site returned it."`
	deliveryrecord.AttemptResult
	Snippet string `json:"snippet" maxLength:"200" doc:"Beginning of the answer, without what has the form of a credential."`
}

// SiteAnswer is one site as an answer.
type SiteAnswer struct {
	operation.Envelope
	Site
	SiteDetails
}

// SiteDetails are what get-site has of a site beyond list-sites. How many articles it may have today is in get-usage.
type SiteDetails struct {
	Host         string           `json:"host" doc:"Host that articles are sent to, with the port if the URL has one; empty if nothing is sent." example:"blog.example.com"`
	Suspended    bool             `json:"suspended" doc:"Whether generating and sending is suspended for the site alone."`
	ReviewPolicy string           `json:"review_policy" enum:"manual,automatic" doc:"Who approves: a reviewer, or the score and the gates."`
	MinimumScore int32            `json:"minimum_score" minimum:"0" maximum:"100" doc:"seo_score from which on the policy automatic approves."`
	Approvals    int32            `json:"approvals" minimum:"1" maximum:"5" doc:"How many people must approve a text with the policy manual."`
	DefaultStage string           `json:"default_stage" enum:"review,published" doc:"Stage at which this API creates articles: review waits for publish once they are approved, published does not."`
	Updates      string           `json:"updates" enum:"frozen,reviewed" doc:"Whether published articles are updated: frozen ones stay as they are, reviewed ones once another text is approved."`
	Removal      string           `json:"removal" enum:"keep,unpublish" doc:"What becomes of the post of a published article that is archived: it stays at the site, or is taken back."`
	Citations    string           `json:"citations" enum:"links,none" doc:"Whether citations of a brief's sources are links in generated texts."`
	BriefUID     string           `json:"brief_uid" doc:"Brief of the site's articles that name none; empty if there is none. It may have been deleted."`
	Voice        SiteVoice        `json:"voice"`
	Connection   ConnectionFields `json:"connection" doc:"How the site is connected, without secrets. Empty without the scope manage."`
}

// SiteVoice is how a site speaks.
type SiteVoice struct {
	Tone       string   `json:"tone" doc:"Empty if none is set." example:"friendly and precise"`
	Language   string   `json:"language" doc:"BCP 47 tag; en if none is set." example:"en"`
	Audience   string   `json:"audience" doc:"Empty if none is set."`
	AvoidWords []string `json:"avoid_words" maxItems:"100" doc:"Words that may not appear in texts."`
	Guide      string   `json:"guide" doc:"How the site writes, in its own words; empty if none is set."`
	Examples   []string `json:"examples" maxItems:"3" doc:"Passages that show how the site writes."`
}

// WrittenSite is a site as the answer of an operation that may have made a secret.
type WrittenSite struct {
	SiteAnswer

	SigningSecret string `json:"signing_secret,omitempty" doc:"Shown once, in the answer to the request that made it."`
}
