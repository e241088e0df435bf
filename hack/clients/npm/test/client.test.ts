import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { answer, createClient, PressroomError, verifyWebhook, WebhookError, type Options } from '@pressroom/client';

type Reply = { status?: number; headers?: Record<string, string>; body?: object } | Error;

/** api returns a client that is answered with the replies in turn, and the requests that it has sent. */
function api(replies: Reply[], options: Partial<Options> = {}) {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    const reply = replies.shift();
    if (reply === undefined) throw new Error('there is no reply left');
    if (reply instanceof Error) throw reply;
    return new Response(JSON.stringify(reply.body ?? { success: true }), { status: reply.status ?? 200, headers: reply.headers });
  };
  return { sent, pressroom: createClient({ baseUrl: 'https://api.example', apiKey: 'key', workspace: 'acme-blog', maxWaitSeconds: 0, fetch, ...options }) };
}

const body = { site_uid: 'd4086b5a-5de3-5036-8f07-23666ca97b3f', keyword: 'trail shoes' };
const lost = () => new TypeError('fetch failed');
const again = { 'Retry-After': '0' };

test('a request carries the key and the workspace', async () => {
  const { pressroom, sent } = api([{}]);
  await answer(pressroom.GET('/v1/api/usage'));
  assert.equal(sent[0].headers.get('x-api-key'), 'key');
  assert.equal(sent[0].headers.get('x-workspace-id'), 'acme-blog');
});

test('a list in a query has commas', async () => {
  const { pressroom, sent } = api([{ body: { data: [], hasMore: false } }]);
  await answer(pressroom.GET('/v1/api/blogs', { params: { query: { status: ['published', 'review'], limit: 5 } } }));
  assert.equal(new URL(sent[0].url).search, '?status=published,review&limit=5');
});

test('a POST that creates something is repeated with its body and its Idempotency-Key', async () => {
  const { pressroom, sent } = api([lost(), { status: 503, headers: again }, { status: 429, headers: again }, { status: 502 }, { status: 202 }]);
  await answer(pressroom.POST('/v1/api/generate', { body }));
  const keys = new Set(sent.map((request) => request.headers.get('Idempotency-Key')));
  assert.equal(sent.length, 5);
  assert.equal(keys.size, 1);
  assert.match([...keys][0] ?? '', /^[0-9a-f-]{36}$/);
  for (const request of sent) assert.deepEqual(await request.json(), body);
});

test('an Idempotency-Key of the caller is kept', async () => {
  const { pressroom, sent } = api([{ status: 202 }]);
  await answer(pressroom.POST('/v1/api/generate', { body, params: { header: { 'Idempotency-Key': 'order-4711' } } }));
  assert.equal(sent[0].headers.get('Idempotency-Key'), 'order-4711');
});

test('an operation that takes no Idempotency-Key gets none', async () => {
  const { pressroom, sent } = api([lost(), {}]);
  await answer(pressroom.POST('/v1/api/blogs/{uid}/approve', { params: { path: { uid: body.site_uid } }, body: { digest: 'sha256:0' } }));
  assert.deepEqual(sent.map((request) => request.headers.get('Idempotency-Key')), [null, null]);
});

test('a request is given up after its retries', async () => {
  const failing = api([lost(), lost(), lost()], { retries: 2 });
  await assert.rejects(answer(failing.pressroom.GET('/v1/api/usage')), /fetch failed/);
  assert.equal(failing.sent.length, 3);
  const refused = api([{ status: 503 }, { status: 503, body: { error: { code: 'UNAVAILABLE', message: 'later' } } }], { retries: 1 });
  await assert.rejects(answer(refused.pressroom.GET('/v1/api/usage')), { name: 'PressroomError', status: 503, code: 'UNAVAILABLE' });
});

test('a request whose signal is aborted is not repeated', async () => {
  const { pressroom, sent } = api([lost(), {}]);
  await assert.rejects(answer(pressroom.GET('/v1/api/usage', { signal: AbortSignal.abort() })));
  assert.ok(sent.length <= 1);
});

test('an answer that asks for a longer wait than the caller has is returned', async () => {
  const { pressroom, sent } = api([{ status: 429, headers: { 'Retry-After': '3600' }, body: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'tomorrow' } } }]);
  await assert.rejects(answer(pressroom.GET('/v1/api/usage')), { code: 'RATE_LIMIT_EXCEEDED' });
  assert.equal(sent.length, 1);
});

test('the exchange of a code is sent once', async () => {
  const { pressroom, sent } = api([lost(), {}]);
  const code = { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://app.example/callback' } as const;
  await assert.rejects(answer(pressroom.POST('/v1/public/oauth/token', { body: code })));
  assert.equal(sent.length, 1);
});

test('an error has its code, its reason, its fields and the id of its request', async () => {
  const error = { code: 'CONFLICT', reason: 'text_changed', message: 'the text has changed', details: [{ field: 'digest', code: 'invalid', message: 'm' }], request_id: 'r' };
  const { pressroom } = api([{ status: 409, body: { success: false, error } }]);
  await assert.rejects(answer(pressroom.GET('/v1/api/usage')), (thrown: unknown) => {
    assert.ok(thrown instanceof PressroomError);
    const { status, code, reason, message, details, requestId } = thrown;
    assert.deepEqual({ status, code, reason, message, details, request_id: requestId }, { status: 409, ...error });
    return true;
  });
});

test('an error of a proxy has its status', async () => {
  const { pressroom } = api([], { fetch: async () => new Response('<html>', { status: 403 }) });
  await assert.rejects(answer(pressroom.GET('/v1/api/usage')), { status: 403, code: '' });
});

test('a list is read to its end, with the same filters', async () => {
  const page = (uids: string[], nextCursor: string | null) => ({ body: { success: true, data: uids.map((uid) => ({ uid })), nextCursor, hasMore: nextCursor !== null } });
  const { pressroom, sent } = api([page(['a', 'b'], 'c1'), { status: 429, headers: again }, page([], 'c2'), page(['c'], null)]);
  const found: string[] = [];
  for await (const article of pressroom.list('/v1/api/blogs', { params: { query: { status: ['review'] } } })) found.push(article.uid);
  assert.deepEqual(found, ['a', 'b', 'c']);
  assert.deepEqual(sent.map(({ url }) => new URL(url).search), ['?status=review', '?status=review&cursor=c1', '?status=review&cursor=c1', '?status=review&cursor=c2']);
});

test('a page that fails ends the list with an error', async () => {
  const { pressroom } = api([{ status: 404, body: { error: { code: 'NOT_FOUND', message: 'no workspace' } } }]);
  await assert.rejects(async () => {
    for await (const _ of pressroom.list('/v1/api/blogs')) assert.fail('there is an article');
  }, { code: 'NOT_FOUND' });
});

// The golden vector of docs/reference/webhook.md.
const publish = '{"title":"Bare","slug":"bare","status":"publish","content_format":"html","content":"<p>Text.</p>\\n"}';
const ofSite = {
  secret: 'golden-vector-secret-used-nowhere-else',
  headers: { 'X-SERVICE-Event': 'post.publish', 'X-SERVICE-Signature': 'a1433a36957f2434a494a7e296e8ab871e60649964b4a55270f0f00e364c0092' },
  body: publish,
};

test('the request of a site is verified over its raw body', async () => {
  for (const request of [ofSite, { ...ofSite, body: Buffer.from(publish) }, { ...ofSite, headers: new Headers(ofSite.headers) }]) {
    const received = await verifyWebhook(request);
    assert.equal(received.event, 'post.publish');
    assert.equal(received.event === 'post.publish' && received.body.slug, 'bare');
  }
});

/** event returns a request of an event subscription, with the signatures of all secrets. */
function event(secrets: string[], { age = 0, id = 'msg-1' } = {}) {
  const body = JSON.stringify({ type: 'blog.published', timestamp: '2026-11-20T09:00:00.000Z', data: { uid: 'a' } });
  const time = String(Math.floor(Date.now() / 1000) - age);
  const sign = (secret: string) => 'v1,' + createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(`${id}.${time}.${body}`).digest('base64');
  return { secret: secrets[0], body, headers: { 'x-service-event': 'blog.published', 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': secrets.map(sign).join(' ') } };
}

const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const previous = 'whsec_' + Buffer.alloc(32, 7).toString('base64');

test('an event is verified with either secret of a rotation', async () => {
  const request = event([secret, previous]);
  for (const one of [secret, previous]) {
    const received = await verifyWebhook({ ...request, secret: one });
    assert.equal(received.event, 'blog.published');
    assert.equal(received.id, 'msg-1');
  }
  assert.equal((await verifyWebhook({ ...event([secret], { age: 400 }), toleranceSeconds: 600 })).event, 'blog.published');
});

const refused: Record<string, Parameters<typeof verifyWebhook>[0]> = {
  'a changed body': { ...ofSite, body: publish.replace('Text', 'text') },
  'another secret': { ...ofSite, secret: 'another' },
  'no secret': { ...ofSite, secret: '' },
  'no signature': { ...ofSite, headers: {} },
  'a signature that is cut': { ...ofSite, headers: { 'X-SERVICE-Signature': ofSite.headers['X-SERVICE-Signature'].slice(0, 62) } },
  'a signature that is no hex': { ...ofSite, headers: { 'X-SERVICE-Signature': 'z'.repeat(64) } },
  'an event with another secret': { ...event([previous]), secret },
  'an event with a changed body': { ...event([secret]), body: '{}' },
  'an event with another id': { ...event([secret]), headers: { ...event([secret]).headers, 'webhook-id': 'msg-2' } },
  'an old event': event([secret], { age: 301 }),
  'an event of the future': event([secret], { age: -302 }),
  'an event without a time': { ...event([secret]), headers: { ...event([secret]).headers, 'webhook-timestamp': '' } },
  'an event with the signature of a site': { ...ofSite, headers: { ...ofSite.headers, 'webhook-signature': '', 'webhook-id': 'msg-1' }, secret: 'x' },
  'an event with a signature of another version': { ...event([secret]), headers: { ...event([secret]).headers, 'webhook-signature': event([secret]).headers['webhook-signature'].replace('v1,', 'v2,') } },
};

for (const [name, request] of Object.entries(refused)) {
  test(`${name} is refused`, async () => {
    await assert.rejects(verifyWebhook(request), WebhookError);
  });
}

test('the type in the signed body counts, and not the header', async () => {
  const body = JSON.stringify({ type: 'connection.test', test: true });
  const signature = createHmac('sha256', 'a secret').update(body).digest('hex');
  const received = await verifyWebhook({ secret: 'a secret', body, headers: { 'x-service-event': 'post.publish', 'x-service-signature': signature } });
  assert.equal(received.event, 'connection.test');
});
