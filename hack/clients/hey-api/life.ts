import { setTimeout } from 'node:timers/promises';
import { client } from './client/client.gen.js';
import {
  approveArticle, createSite, generateArticle, getArticle, listArticles, publishArticle, updateArticle, type Article,
} from './client/index.js';

const { PRESSROOM_URL = '', PRESSROOM_API_KEY, PRESSROOM_WORKSPACE } = process.env;
client.setConfig({
  baseUrl: PRESSROOM_URL, throwOnError: true, auth: ({ name }) => (name === 'x-workspace-id' ? PRESSROOM_WORKSPACE : PRESSROOM_API_KEY),
});

// until asks for the article each second until it is as it must be.
async function until(done: (article: Article) => boolean): Promise<Article> {
  for (;;) {
    const { data: article } = await getArticle<true>({ path });
    if (done(article)) return article;
    if (article.status === 'failed') throw new Error(article.status_message);
    await setTimeout(1000);
  }
}

const { data: site } = await createSite<true>({ body: { domain: 'blog.acme.example', cms_type: 'none' } });
const { data: { blog_uid } } = await generateArticle<true>({ body: { site_uid: site.uid, keyword: 'trail running shoes' } });
const path = { uid: blog_uid };
const meta_title = 'Shoes that grip';
await until((article) => article.status === 'review');
await updateArticle<true>({ path, body: { meta_title } });
const { revision_digest } = await until((article) => article.meta_title === meta_title && article.revision_digest !== '');
await approveArticle<true>({ path, body: { digest: revision_digest } });
await publishArticle<true>({ path });
await until((article) => article.status === 'published');
const { data: { data } } = await listArticles<true>({ query: { site_uid: site.uid, status: ['published', 'review'] } });
for (const article of data) console.log(article.status, article.uid);
