// Package account holds the controller of Accounts: it confirms or returns the pending charges of the ledger, and finds out whether the
// usage of a restored account is known.
package account
