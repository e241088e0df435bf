// What the types refuse, as Pressroom would.
import { createSite, listArticles } from './client/index.js';

export function refused() {
  const domain = 'blog.acme.example';
  return [
    createSite({ body: { domain, cms_type: 'headless', connection: { payload_format: 'json' }, default_stage: null } }),
    // @ts-expect-error it is no type of CMS
    createSite({ body: { domain, cms_type: 'wordpres' } }),
    // @ts-expect-error it is no form of the body
    createSite({ body: { domain, cms_type: 'headless', connection: { payload_format: 'yaml' } } }),
    // @ts-expect-error it is no stage
    createSite({ body: { domain, cms_type: 'none', default_stage: 'publish' } }),
    // @ts-expect-error it is no policy
    createSite({ body: { domain, cms_type: 'none', review_policy: 'auto' } }),
    // @ts-expect-error it is no status
    listArticles({ query: { status: ['publishd'] } }),
    // @ts-expect-error it is no list
    listArticles({ query: { status: 'published' } }),
    // @ts-expect-error it is no state of a delivery
    listArticles({ query: { publication: 'nope' } }),
  ];
}
