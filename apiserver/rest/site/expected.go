package site

// Expected are settings as somebody has read them. Members that are absent may be anything.
type Expected struct {
	Domain       *string          `json:"domain,omitempty"`
	Name         *string          `json:"name,omitempty"`
	CMSType      *CMSType         `json:"cms_type,omitempty" doc:"Type of CMS that you read."`
	Connection   ConnectionFields `json:"connection,omitempty"`
	Suspended    *bool            `json:"suspended,omitempty" doc:"Whether it was suspended."`
	ReviewPolicy *string          `json:"review_policy,omitempty" doc:"Policy that you read."`
	MinimumScore *int32           `json:"minimum_score,omitempty" doc:"Score that you read."`
	DefaultStage *string          `json:"default_stage,omitempty" doc:"Stage that you read."`
	Updates      *string          `json:"updates,omitempty" doc:"Policy of updates that you read."`
	Voice        *ExpectedVoice   `json:"voice,omitempty"`
}

// ExpectedVoice is a voice as somebody has read it.
type ExpectedVoice struct {
	Tone       *string   `json:"tone,omitempty"`
	Language   *string   `json:"language,omitempty"`
	Audience   *string   `json:"audience,omitempty"`
	AvoidWords *[]string `json:"avoid_words,omitempty" doc:"The whole list that you read."`
	Guide      *string   `json:"guide,omitempty" doc:"Guide that you read."`
	Examples   *[]string `json:"examples,omitempty" doc:"The whole list that you read."`
}
