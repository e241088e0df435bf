import createFetchClient, { type Client, type MaybeOptionalInit } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type Schemas = components['schemas'];

export interface Options {
  /** Address of the REST API, without `/v1`. */
  baseUrl: string;
  /** An API key, or an access token of OAuth. */
  apiKey: string;
  /** Workspace of the requests; another one for a single request stands in its `headers`, as `x-workspace-id`. */
  workspace?: string;
  /** How often a request is sent again at most; 4 by default. */
  retries?: number;
  /** The longest wait for another attempt, in seconds; 60 by default. An answer with a longer Retry-After is returned. */
  maxWaitSeconds?: number;
  /** How long an attempt may take, in seconds; 60 by default. */
  timeoutSeconds?: number;
  /** Sends requests in place of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A client of openapi-fetch for the paths of the API, whose requests are retried. */
export interface Pressroom extends Client<paths> {
  /** Yields what a list has, over all its pages. It throws a PressroomError if a page fails. */
  list<P extends ListPath>(path: P, ...init: Init<MaybeOptionalInit<paths[P], 'get'>>): AsyncGenerator<Item<P>, void, void>;
}

type Init<I> = undefined extends I ? [I?] : [I];
type Page<T> = { data: T[]; nextCursor: string | null; hasMore: boolean };
type PageOf<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } } ? Body : undefined;
/** The lists that come in pages. */
type ListPath = { [P in keyof paths]: PageOf<P> extends Page<unknown> ? P : never }[keyof paths];
type Item<P extends ListPath> = PageOf<P> extends Page<infer T> ? T : never;

/** The operations that take an Idempotency-Key: the type holds the list to the document. */
type Repeatable = { [P in keyof paths]: HeadersOf<paths[P]> extends { 'Idempotency-Key'?: string } ? P : never }[keyof paths];
type HeadersOf<P> = P extends { post: { parameters: { header?: infer H } } } ? H : undefined;
const repeatable: Record<Repeatable, true> = {
  '/v1/api/blogs': true, '/v1/api/blogs/bulk': true, '/v1/api/blogs/{uid}/redeliver': true, '/v1/api/blogs/{uid}/regenerate': true,
  '/v1/api/blogs/{uid}/unpublish': true, '/v1/api/briefs': true, '/v1/api/event-subscriptions': true,
  '/v1/api/event-subscriptions/{uid}/deliveries/{delivery_uid}/redeliver': true, '/v1/api/event-subscriptions/{uid}/recover': true,
  '/v1/api/event-subscriptions/{uid}/rotate-secret': true, '/v1/api/event-subscriptions/{uid}/test': true, '/v1/api/generate': true,
  '/v1/api/keys': true, '/v1/api/oauth/clients': true, '/v1/api/oauth/clients/{client_id}/rotate-secret': true, '/v1/api/sites': true,
  '/v1/api/sites/{uid}/test': true,
};

/** An answer that is an error. */
export class PressroomError extends Error {
  override name = 'PressroomError';
  /** Such as NOT_FOUND; empty if the answer is not one of Pressroom, as that of a proxy. */
  readonly code: string;
  readonly reason?: string;
  readonly details: Schemas['ErrorDetail'][];
  readonly requestId?: string;

  constructor(readonly status: number, body: unknown) {
    const error = (body as Partial<Schemas['APIError']> | undefined)?.error;
    super(error?.message ?? `the answer has the status ${status}`);
    this.code = error?.code ?? '';
    this.reason = error?.reason;
    this.details = error?.details ?? [];
    this.requestId = error?.request_id;
  }
}

/** Returns what a request is answered with, and throws a PressroomError for an error. */
export async function answer<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw new PressroomError(response.status, error);
  return data as T;
}

/** Returns a client. */
export function createClient(options: Options): Pressroom {
  const headers: Record<string, string> = { 'x-api-key': options.apiKey };
  if (options.workspace) headers['x-workspace-id'] = options.workspace;
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    headers,
    fetch: (request) => send(request, options),
    querySerializer: { array: { style: 'form', explode: false } },
  });
  client.use({
    onRequest({ request, schemaPath }) {
      if (request.method === 'POST' && schemaPath in repeatable && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', crypto.randomUUID());
      }
    },
  });
  // The types of a page are those of its path, which a type parameter hides.
  const get = client.GET as unknown as (path: string, init: object) => Promise<{ data?: Page<never>; response: Response }>;
  async function* list(path: string, init: { params?: { query?: object } } = {}) {
    for (let query = init.params?.query ?? {}; ; ) {
      const page = await answer(get(path, { ...init, params: { ...init.params, query } }));
      yield* page.data;
      if (!page.hasMore) return;
      query = { ...query, cursor: page.nextCursor };
    }
  }
  return Object.assign(client, { list }) as Pressroom;
}

/** Sends a request until it is answered. Each operation is safe to repeat; those of OAuth are not. */
async function send(request: Request, options: Options): Promise<Response> {
  const { retries = 4, maxWaitSeconds = 60, timeoutSeconds = 60, fetch = globalThis.fetch } = options;
  const attempts = request.url.includes('/v1/public/') ? 1 : retries + 1;
  for (let attempt = 1; ; attempt++) {
    let seconds = Math.min(2 ** (attempt - 2), maxWaitSeconds) * (0.5 + Math.random() / 2);
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(1000 * timeoutSeconds)]);
      const response = await fetch(new Request(request.clone(), { signal }));
      const asked = response.headers.get('Retry-After') ?? '';
      if (/^\d+$/.test(asked)) seconds = Number(asked);
      if (![429, 502, 503, 504].includes(response.status) || attempt >= attempts || seconds > maxWaitSeconds) return response;
      await response.body?.cancel();
    } catch (error) {
      if (request.signal.aborted || attempt >= attempts) throw error;
    }
    await wait(seconds, request.signal);
  }
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
