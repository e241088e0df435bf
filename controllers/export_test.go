package controllers

import "github.com/pressroom-dev/pressroom/internal/delivery"

// PublicationMetrics are those of publishing.
func PublicationMetrics() delivery.Metrics { return publicationMetrics }

// EventMetrics are those of events.
func EventMetrics() delivery.Metrics { return eventMetrics }

// ConnectionTestMetrics are those of connection tests.
func ConnectionTestMetrics() delivery.Metrics { return testMetrics }
