package v1alpha1

// AccountBudget bounds what models may use for an account in a calendar month (UTC): tokens, money or both. While it is reached, runs
// wait for the next month.
// +kubebuilder:validation:MinProperties=1
type AccountBudget struct {
	// tokensPerMonth is how many tokens the models may take and make, 1 to 1000000000000.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	TokensPerMonth *int64 `json:"tokensPerMonth,omitempty"`

	// spendPerMonth is what the tokens may cost, by the prices of the generators. A run whose generator has no prices in this currency
	// waits.
	// +optional
	SpendPerMonth *Money `json:"spendPerMonth,omitempty"`
}

// Money is an amount above zero in a currency.
// +kubebuilder:validation:XValidation:rule="self.amount.matches('[1-9]')",message="amount must be above 0",fieldPath=".amount"
type Money struct {
	// amount as a decimal number above 0 with at most 9 digits before the point and 6 behind it, such as "50.00".
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:Pattern=`^[0-9]{1,9}(\.[0-9]{1,6})?$`
	Amount string `json:"amount,omitempty"`

	// currency of the amount, as an ISO 4217 code.
	// +required
	Currency Currency `json:"currency,omitempty"`
}

// MonthUsage is what models have used for an account in a calendar month (UTC).
type MonthUsage struct {
	// month as YYYY-MM.
	// +required
	// +kubebuilder:validation:MinLength=7
	// +kubebuilder:validation:MaxLength=7
	Month string `json:"month,omitempty"`

	// tokens that models took and made: as they counted them, or else as they are estimated.
	// +optional
	Tokens Count `json:"tokens,omitempty"`

	// spend is what the tokens cost, by currency, at most 4 currencies. Tokens without prices cost nothing here.
	// +optional
	// +listType=map
	// +listMapKey=currency
	// +kubebuilder:validation:MaxItems=4
	Spend []Cost `json:"spend,omitempty"`
}

// AccountBudgetUsage is what an account has used of its budget. It lags by a minute at most, and nothing depends on it.
type AccountBudgetUsage struct {
	// What the AccountLedger has of the month.
	MonthUsage `json:",inline"`

	// usedPercent is how much of the budget is used, rounded down: the larger one of tokens and money.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	UsedPercent int32 `json:"usedPercent"`

	// announcedPercent is 80 or 100 once a Kubernetes Event has said, in this month, that so much is used.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	AnnouncedPercent int32 `json:"announcedPercent,omitempty"`
}
