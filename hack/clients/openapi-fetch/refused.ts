// What the types refuse, as Pressroom would.
import createClient from 'openapi-fetch';
import type { paths } from './pressroom.js';

export function refused(api: ReturnType<typeof createClient<paths>>) {
  const domain = 'blog.acme.example';
  return [
    api.POST('/v1/api/sites', { body: { domain, cms_type: 'headless', connection: { payload_format: 'json' }, default_stage: null } }),
    // @ts-expect-error it is no type of CMS
    api.POST('/v1/api/sites', { body: { domain, cms_type: 'wordpres' } }),
    // @ts-expect-error it is no form of the body
    api.POST('/v1/api/sites', { body: { domain, cms_type: 'headless', connection: { payload_format: 'yaml' } } }),
    // @ts-expect-error it is no field of a connection
    api.POST('/v1/api/sites', { body: { domain, cms_type: 'headless', connection: { link: '' } } }),
    // @ts-expect-error it is no stage
    api.POST('/v1/api/sites', { body: { domain, cms_type: 'none', default_stage: 'publish' } }),
    // @ts-expect-error it is no policy
    api.POST('/v1/api/sites', { body: { domain, cms_type: 'none', review_policy: 'auto' } }),
    // @ts-expect-error it is no policy
    api.POST('/v1/api/sites', { body: { domain, cms_type: 'none', updates: 'review' } }),
    // @ts-expect-error it is no status
    api.GET('/v1/api/blogs', { params: { query: { status: ['publishd'] } } }),
    // @ts-expect-error it is no list
    api.GET('/v1/api/blogs', { params: { query: { status: 'published' } } }),
    // @ts-expect-error it is no state of a delivery
    api.GET('/v1/api/blogs', { params: { query: { publication: 'nope' } } }),
  ];
}
