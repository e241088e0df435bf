import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { answer, createClient, verifyWebhook, WebhookError, type Received, type Schemas } from '@pressroom/client';

const { PRESSROOM_URL = '', PRESSROOM_API_KEY = '', PRESSROOM_WORKSPACE } = process.env;
const pressroom = createClient({ baseUrl: PRESSROOM_URL, apiKey: PRESSROOM_API_KEY, workspace: PRESSROOM_WORKSPACE });

// What a site and a subscription receive, by their paths, with the secrets that sign it.
const secrets: Record<string, string> = { '/site': randomBytes(32).toString('hex') };
const received: Received[] = [];
const receiver = createServer(async (request, response) => {
  try {
    received.push(await verifyWebhook({ secret: secrets[request.url ?? ''] ?? '', headers: request.headers, body: await buffer(request) }));
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 400).end();
  }
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const here = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const { uid: site_uid } = await answer(pressroom.POST('/v1/api/sites', {
  body: { domain: 'blog.acme.example', cms_type: 'headless', connection: { url: `${here}/site`, signing_secret: secrets['/site'] } },
}));
const subscription = await answer(pressroom.POST('/v1/api/event-subscriptions', { body: { url: `${here}/events`, events: ['blog.published'], site_uid } }));
secrets['/events'] = subscription.secret;

for (const keyword of ['trail running shoes', 'road running shoes', 'hiking boots']) {
  const { blog_uid } = await answer(pressroom.POST('/v1/api/generate', { body: { site_uid, keyword } }));
  const params = { path: { uid: blog_uid } };
  const { revision_digest } = await until(blog_uid, 'review');
  await answer(pressroom.POST('/v1/api/blogs/{uid}/approve', { params, body: { digest: revision_digest } }));
  await answer(pressroom.POST('/v1/api/blogs/{uid}/publish', { params }));
  await until(blog_uid, 'published');
}
for await (const { status, uid } of pressroom.list('/v1/api/blogs', { params: { query: { site_uid, status: ['published', 'review'], limit: 1 } } })) {
  console.log(status, uid);
}
while (count('blog.published') < 3) await setTimeout(100);
console.log('received', count('post.publish'), 'articles and', count('blog.published'), 'events');
const forged = await fetch(`${here}/site`, { method: 'POST', headers: { 'X-SERVICE-Signature': '0'.repeat(64) }, body: '{"slug":"forged"}' });
console.log('answered', forged.status, 'to a forged article');
await answer(pressroom.DELETE('/v1/api/event-subscriptions/{uid}', { params: { path: { uid: subscription.uid } } }));
receiver.close();
receiver.closeAllConnections();

function count(event: Received['event']) {
  return received.filter((one) => one.event === event).length;
}

// until asks for the article each second until it has the status.
async function until(uid: string, status: Schemas['ArticleStatus']) {
  for (;;) {
    const article = await answer(pressroom.GET('/v1/api/blogs/{uid}', { params: { path: { uid } } }));
    if (article.status === status) return article;
    if (article.status === 'failed') throw new Error(article.status_message);
    await setTimeout(1000);
  }
}
