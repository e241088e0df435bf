package controllers

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// outgoingName is that of the ConfigMap in the system namespace.
const outgoingName = "pressroom-outgoing"

// endedPatience is how long an entry that has ended waits for the write of another one.
const endedPatience = time.Second

// outgoing lists the posts that are being sent to their sites for the first time: a ConfigMap, with an entry for each article. An
// entry is written before the request leaves, and removed once the Post or the article's status says what became of it. So the slug
// stays taken if the process ends and the article is deleted. Concurrent callers share a write.
type outgoing struct {
	client client.Client
	live   client.Reader
	clock  clock.PassiveClock
	key    types.NamespacedName

	// writing has a value during a write. What is added meanwhile is written with the next one.
	writing chan struct{}

	mu sync.Mutex
	// listed are the entries that the ConfigMap has, by the uids of their articles.
	listed map[types.UID]outgoingPost
	// ended entries are removed with the next write, or by one of their own after endedPatience. Since when they are ended.
	ended map[types.UID]time.Time
	next  *outgoingWrite
}

// outgoingPost is an entry.
type outgoingPost struct {
	// Namespace of the article and of the Post.
	Namespace string `json:"namespace"`
	// Post to make if the article is gone.
	Post v1alpha1.PostSpec `json:"post"`
}

// outgoingWrite is a write that is being collected, and then made.
type outgoingWrite struct {
	added map[types.UID]outgoingPost
	done  chan struct{}
	err   error
}

func newOutgoing(base *Base, namespace string) *outgoing {
	return &outgoing{
		client: base.Client, live: base.Live, clock: base.Clock, key: types.NamespacedName{Namespace: namespace, Name: outgoingName},
		writing: make(chan struct{}, 1), listed: map[types.UID]outgoingPost{}, ended: map[types.UID]time.Time{},
	}
}

// add lists a post, unless it is listed already, and returns when that is written.
func (o *outgoing) add(ctx context.Context, article types.UID, post outgoingPost) error {
	o.mu.Lock()
	_, ending := o.ended[article]
	delete(o.ended, article)
	if is, ok := o.listed[article]; ok && !ending && is.Post.Slug == post.Post.Slug && is.Post.Destination == post.Post.Destination {
		o.mu.Unlock()
		return nil
	}
	o.mu.Unlock()
	return o.join(ctx, func(w *outgoingWrite) { w.added[article] = post })
}

// join makes the next write, or has the caller that makes it include a change, and returns when it is made.
func (o *outgoing) join(ctx context.Context, change func(*outgoingWrite)) error {
	o.mu.Lock()
	w, first := o.next, o.next == nil
	if first {
		w = &outgoingWrite{added: map[types.UID]outgoingPost{}, done: make(chan struct{})}
		o.next = w
	}
	change(w)
	o.mu.Unlock()
	if first {
		o.write(ctx, w)
	}
	<-w.done
	return w.err
}

// write makes a write, once no other one is in progress.
func (o *outgoing) write(ctx context.Context, w *outgoingWrite) {
	o.writing <- struct{}{}
	defer func() { <-o.writing }()
	defer close(w.done)
	o.mu.Lock()
	o.next = nil
	removed := make([]types.UID, 0, len(o.ended))
	for article := range o.ended {
		removed = append(removed, article)
	}
	o.mu.Unlock()
	if w.err = o.patch(ctx, w.added, removed); w.err != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, article := range removed {
		delete(o.listed, article)
		delete(o.ended, article)
	}
	maps.Copy(o.listed, w.added)
}

// patch adds entries to the ConfigMap and removes others, or creates it.
func (o *outgoing) patch(ctx context.Context, added map[types.UID]outgoingPost, removed []types.UID) error {
	data, patch := map[string]string{}, map[string]any{}
	for _, article := range removed {
		patch[string(article)] = nil
	}
	for article, post := range added {
		text, err := json.Marshal(post)
		if err != nil {
			return fmt.Errorf("encoding an outgoing post: %w", err)
		}
		data[string(article)], patch[string(article)] = string(text), string(text)
	}
	body, err := json.Marshal(map[string]any{"data": patch})
	if err != nil {
		return fmt.Errorf("encoding the outgoing posts: %w", err)
	}
	list := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: o.key.Namespace, Name: o.key.Name}}
	err = o.client.Patch(ctx, list, client.RawPatch(types.MergePatchType, body))
	if apierrors.IsNotFound(err) {
		list.Data = data
		err = o.client.Create(ctx, list)
	}
	if err != nil {
		return fmt.Errorf("listing the outgoing posts: %w", err)
	}
	return nil
}

// end removes an entry, because it is known elsewhere what became of the post, or nothing was sent. That is written with the next
// entry that is added. It returns after how long to call it again, in case there is none; 0 if the entry is removed.
func (o *outgoing) end(ctx context.Context, article types.UID) (time.Duration, error) {
	o.mu.Lock()
	_, listed := o.listed[article]
	since, again := o.ended[article]
	if listed && !again {
		since = o.clock.Now()
		o.ended[article] = since
	}
	o.mu.Unlock()
	if !listed {
		return 0, nil
	}
	if wait := endedPatience - o.clock.Since(since); wait > 0 {
		return wait, nil
	}
	return 0, o.join(ctx, func(*outgoingWrite) {})
}

// of returns the entry of an article.
func (o *outgoing) of(article types.UID) (outgoingPost, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	post, ok := o.listed[article]
	return post, ok
}

// load reads the entries of earlier processes.
func (o *outgoing) load(ctx context.Context) (map[types.UID]outgoingPost, error) {
	list := &corev1.ConfigMap{}
	if err := client.IgnoreNotFound(o.live.Get(ctx, o.key, list)); err != nil {
		return nil, fmt.Errorf("reading the outgoing posts: %w", err)
	}
	found := map[types.UID]outgoingPost{}
	o.mu.Lock()
	defer o.mu.Unlock()
	for article, text := range list.Data {
		var post outgoingPost
		if err := json.Unmarshal([]byte(text), &post); err != nil {
			log.FromContext(ctx).Info("an entry of the outgoing posts is ignored", "uid", article, "error", err.Error())
			continue
		}
		found[types.UID(article)], o.listed[types.UID(article)] = post, post
	}
	return found, nil
}
