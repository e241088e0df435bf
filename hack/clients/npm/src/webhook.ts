import type { Schemas } from './client.js';

type EventOf<E> = E extends { type: infer T } ? { event: T; id: string; body: E } : never;

/** A request of Pressroom by its event. Later versions may send others: answer 2xx, and ignore them. */
export type Received =
  | { event: 'post.publish'; id: undefined; body: Schemas['PublishPayload'] }
  | { event: 'connection.test'; id: undefined; body: Schemas['ConnectionTestPayload'] }
  | EventOf<Schemas['SubscriptionEvent']>;

export interface WebhookRequest {
  /** The signing secret of the site, or of the event subscription, which begins with `whsec_`. */
  secret: string;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it came, before it is parsed. */
  body: string | Uint8Array | ArrayBuffer;
  /** How old the signature of an event may be, or how far ahead; 300 by default. Those of sites have no time. */
  toleranceSeconds?: number;
}

/** A request that is not signed with the secret, or too old. Answer 401. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/** Verifies the signature of a request of Pressroom, and returns what it says. It throws a WebhookError if the signature is wrong. */
export async function verifyWebhook({ secret, headers, body, toleranceSeconds = 300 }: WebhookRequest): Promise<Received> {
  const header = (name: string) => headerOf(headers, name);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const id = header('webhook-id') || undefined;
  const signatures = header('webhook-signature');
  if (signatures === '') {
    await check(new TextEncoder().encode(secret), bytes, [fromHex(header('x-service-signature'))]);
  } else {
    const time = header('webhook-timestamp');
    if (!/^\d+$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds) throw new WebhookError('the signature is too old');
    const signed = new Uint8Array([...new TextEncoder().encode(`${id}.${time}.`), ...bytes]);
    const all = signatures.split(' ').filter((one) => one.startsWith('v1,')).map((one) => fromBase64(one.slice(3)));
    await check(fromBase64(secret.replace(/^whsec_/, '')), signed, all);
  }
  const content = JSON.parse(new TextDecoder().decode(bytes));
  // The header is not signed: the type in the body counts, which only an article has not.
  return { event: content.type ?? header('x-service-event'), id, body: content } as Received;
}

/** Compares signatures in constant time, as Web Crypto does. */
async function check(secret: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>, signatures: Uint8Array<ArrayBuffer>[]): Promise<void> {
  if (secret.length === 0) throw new WebhookError('there is no secret');
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures) {
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return;
  }
  throw new WebhookError('the signature does not match');
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(/^([0-9a-f]{2})*$/.test(text) ? (text.match(/../g) ?? []) : [], (byte) => Number.parseInt(byte, 16));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(/^[A-Za-z0-9+/]*=*$/.test(text) ? atob(text) : '', (character) => character.charCodeAt(0));
}
