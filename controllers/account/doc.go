// Package account holds the controller of Accounts: it confirms or returns the charges of the ledger that are pending, and finds out
// whether the usage of a restored account is known.
package account
