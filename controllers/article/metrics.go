package article

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

var (
	tokensTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_generation_tokens_total",
		Help: "Tokens of the generator's attempts, as the endpoint counted them, by direction.",
	}, []string{"direction"})
	deliveriesEnded = base.StartAtZero(prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_deliveries_total",
		Help: "Deliveries of an article that have ended, after all their retries, by outcome.",
	}, []string{"outcome"}), reasonsUntilChange()...)
	slugsChanged = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "pressroom_slugs_changed_total",
		Help: "Posts that a CMS gave another slug than the article's.",
	})
	eventsDropped = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "pressroom_events_dropped_total",
		Help: "Events of articles that subscriptions do not get, because their EventDeliveries could not be created.",
	})
)

// GenerationMetrics are the metrics of the engine for runs.
var GenerationMetrics = attempt.Metrics{
	Attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_generation_attempts_total", Help: "Attempts of the generator that have ended, by outcome.",
	}, []string{"outcome"}),
	Seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "pressroom_generation_attempt_duration_seconds", Help: "How long attempts of the generator took.",
		Buckets: []float64{.1, .5, 1, 5, 15, 30, 60, 120, 300, 600, 1200},
	}),
	Lateness: base.AttemptLateness.WithLabelValues(base.KindGeneration),
}

// PublicationMetrics are the metrics of the engine for articles.
var PublicationMetrics = attempt.Metrics{
	Attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_delivery_attempts_total", Help: "Attempts to deliver an article that have ended, by outcome.",
	}, []string{"outcome"}),
	Seconds: base.RequestSeconds(prometheus.HistogramOpts{
		Name: "pressroom_delivery_attempt_duration_seconds", Help: "How long attempts to deliver an article took.",
	}),
	Lateness: base.AttemptLateness.WithLabelValues(base.KindPublication),
}

// reasonsUntilChange returns the reasons for which a delivery ends until the connection changes.
func reasonsUntilChange() (reasons []string) {
	for reason, row := range conditions.Reasons {
		if row.UntilChange {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// Collectors returns the metrics of articles. Series that alerts use start at zero.
func Collectors() []prometheus.Collector {
	GenerationMetrics.Attempts.WithLabelValues(v1alpha1.ReasonBackendRejected)
	countTokens(generate.Usage{})
	return []prometheus.Collector{
		GenerationMetrics.Attempts, GenerationMetrics.Seconds, tokensTotal, PublicationMetrics.Attempts, PublicationMetrics.Seconds,
		deliveriesEnded, slugsChanged, eventsDropped,
	}
}

func countTokens(u generate.Usage) {
	tokensTotal.WithLabelValues("input").Add(float64(max(u.InputTokens, 0)))
	tokensTotal.WithLabelValues("output").Add(float64(max(u.OutputTokens, 0)))
}
