import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './pressroom.js';

type Article = components['schemas']['Article'];

const { PRESSROOM_URL, PRESSROOM_API_KEY, PRESSROOM_WORKSPACE } = process.env;
const api = createClient<paths>({
  baseUrl: PRESSROOM_URL, headers: { 'x-api-key': PRESSROOM_API_KEY, 'x-workspace-id': PRESSROOM_WORKSPACE },
  // Lists in a query have commas.
  querySerializer: { array: { style: 'form', explode: false } },
});

// answer returns what a request is answered with, or throws the error.
function answer<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

// until asks for the article each second until it is as it must be.
async function until(done: (article: Article) => boolean): Promise<Article> {
  for (;;) {
    const article = answer(await api.GET('/v1/api/blogs/{uid}', { params }));
    if (done(article)) return article;
    if (article.status === 'failed') throw new Error(article.status_message);
    await setTimeout(1000);
  }
}

const site = answer(await api.POST('/v1/api/sites', { body: { domain: 'blog.acme.example', cms_type: 'none' } }));
const { blog_uid } = answer(await api.POST('/v1/api/generate', { body: { site_uid: site.uid, keyword: 'trail running shoes' } }));
const params = { path: { uid: blog_uid } };
const meta_title = 'Shoes that grip';
await until((article) => article.status === 'review');
answer(await api.PATCH('/v1/api/blogs/{uid}', { params, body: { meta_title } }));
const { revision_digest } = await until((article) => article.meta_title === meta_title && article.revision_digest !== '');
answer(await api.POST('/v1/api/blogs/{uid}/approve', { params, body: { digest: revision_digest } }));
answer(await api.POST('/v1/api/blogs/{uid}/publish', { params }));
await until((article) => article.status === 'published');
const { data } = answer(await api.GET('/v1/api/blogs', { params: { query: { site_uid: site.uid, status: ['published', 'review'] } } }));
for (const article of data) console.log(article.status, article.uid);
