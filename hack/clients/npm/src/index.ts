export { answer, createClient, PressroomError, type Options, type Pressroom, type Schemas } from './client.js';
export { verifyWebhook, WebhookError, type Received, type WebhookRequest } from './webhook.js';
export type { components, operations, paths, webhooks } from './schema.js';
