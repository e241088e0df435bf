import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { PRESSROOM_URL, PRESSROOM_API_KEY = '' } = process.env;
// With an access token of an app: { authorization: `Bearer ${token}` }
const headers = { 'x-api-key': PRESSROOM_API_KEY };
const client = new Client({ name: 'newsletter', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(`${PRESSROOM_URL}/mcp`), { requestInit: { headers } }));

// call returns what a tool answers, or throws the error of the REST API, which has retry_at if a limit is reached.
async function call(name: string, args: Record<string, unknown> = {}) {
  const { content: [block], isError } = await client.callTool({ name, arguments: args });
  if (block?.type !== 'text') throw new Error(`${name} answers without a text`);
  if (isError) throw new Error(block.text);
  return JSON.parse(block.text);
}

const { name } = await call('whoami');
const { data: [site] } = await call('list_sites');
const article = await call('create_article', {
  site_uid: site.uid, title: 'Huts that are open', content_markdown: 'Two huts are open in winter.', idempotency_key: 'huts-2026-11-20',
});
await call('submit_article', { uid: article.uid });
console.log(`${name} has put ${article.uid} up for review`);
await client.close();
