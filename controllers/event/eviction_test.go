package event

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// deliveryAt is a delivery of an event that happened some minutes after a time; it ended a minute later, or has not ended.
func deliveryAt(minute int, ended bool) *v1alpha1.EventDelivery {
	happened := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
	d := &v1alpha1.EventDelivery{ObjectMeta: metav1.ObjectMeta{Namespace: "w", Name: strconv.Itoa(minute)}}
	d.Spec.Time = v1alpha1.NewMicroTime(happened)
	if ended {
		d.Status.FinishTime = new(v1alpha1.NewMicroTime(happened.Add(time.Minute)))
	}
	return d
}

func TestTheOldestDeliveriesAreRemovedIfThereAreTooMany(t *testing.T) {
	const most = 100
	k, removed := NewEviction(), []string{}
	add := func(account string, d *v1alpha1.EventDelivery) {
		for _, key := range k.add(account, most, d) {
			removed = append(removed, key.Name)
		}
	}
	for i := range most {
		add("acme", deliveryAt(i, i > 0))
	}
	add("other", deliveryAt(-1, true))
	if len(removed) != 0 {
		t.Fatalf("%d are removed of as many as may be kept", len(removed))
	}
	// Ended ones go first, the oldest of them before the others; a change of one that is known is not another one.
	add("acme", deliveryAt(most, false))
	add("acme", deliveryAt(most, true))
	add("acme", deliveryAt(most+1, false))
	if want := "[1 2]"; fmt.Sprint(removed) != want {
		t.Errorf("removed %v, want %s", removed, want)
	}
	k.forget(client.ObjectKeyFromObject(deliveryAt(3, true)))
	add("acme", deliveryAt(most+2, false))
	if len(removed) != 2 {
		t.Errorf("removed %v although there is room", removed[2:])
	}
	// If none has ended, the oldest event is given up.
	for i := range most {
		add("acme", deliveryAt(2*most+i, false))
	}
	if removed[len(removed)-1] == "0" || len(k.entries) != most+1 {
		t.Errorf("the last one removed is %s of %d, and %d are kept", removed[len(removed)-1], len(removed), len(k.entries))
	}
	for key := range k.entries {
		k.forget(key)
	}
	if len(k.accounts) != 0 {
		t.Error("accounts without deliveries are remembered")
	}
}
