// Package controllers holds the reconcilers. Each fetches an object, asks internal/lifecycle what to do, does that one
// step and patches once. What an article needs from outside is split by whom it waits for: the article controller takes in
// content and keeps the conditions, the generation controller talks to models, the publication controller to receivers;
// a slow outsider of one holds up none of the others.
package controllers
