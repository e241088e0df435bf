// Each SDK calls tools with each kind of credential, and says what it got, one line of JSON for each.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { PRESSROOM_URL, PRESSROOM_API_KEY = '', PRESSROOM_TOKEN = '' } = process.env;
const endpoint = new URL(`${PRESSROOM_URL}/mcp`);
const who = { name: 'sdks', version: '1.0.0' };

type Result = { content: { type: string; text?: string }[]; isError?: boolean };
type Caller = (name: string, args: Record<string, unknown>) => Promise<Result>;
type Connected = { version?: string; tools: string[]; call: Caller; close: () => Promise<void> };

async function connected(mode: 'legacy' | 'auto', headers: Record<string, string>): Promise<Connected> {
  const client = new Client(who, mode === 'legacy' ? {} : { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
  const { tools } = await client.listTools();
  return {
    version: client.getNegotiatedProtocolVersion(), tools: tools.map((tool) => tool.name), close: () => client.close(),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
  };
}

async function connectedByFirst(headers: Record<string, string>): Promise<Connected> {
  const client = new FirstClient(who);
  const transport = new FirstTransport(endpoint, { requestInit: { headers } });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    version: transport.protocolVersion, tools: tools.map((tool) => tool.name), close: () => client.close(),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
  };
}

const sdks = {
  'client': (headers: Record<string, string>) => connected('legacy', headers),
  'client, auto': (headers: Record<string, string>) => connected('auto', headers),
  'sdk': connectedByFirst,
};
const credentials = {
  'key': { 'x-api-key': PRESSROOM_API_KEY }, 'key as Bearer': { authorization: `Bearer ${PRESSROOM_API_KEY}` },
  'token': { authorization: `Bearer ${PRESSROOM_TOKEN}` }, 'token in x-api-key': { 'x-api-key': PRESSROOM_TOKEN },
};
for (const [sdk, connect] of Object.entries(sdks)) {
  for (const [credential, headers] of Object.entries(credentials)) {
    const { version, tools, call, close } = await connect(headers);
    const answer = async (name: string, args = {}) => {
      const { content: [block], isError } = await call(name, args);
      if (isError || block?.type !== 'text') throw new Error(`${name}: ${JSON.stringify(block)}`);
      return JSON.parse(block.text ?? '');
    };
    const { kind, id } = await answer('whoami');
    const { data: sites } = await answer('list_sites');
    const article = await answer('create_article', { site_uid: sites[0].uid, title: `${sdk} with ${credential}`, content_markdown: 'Run.' });
    const refused = await call('approve_article', { uid: article.uid }).then(({ isError }) => isError === true, () => true);
    console.log(JSON.stringify({ sdk, credential, version, tools, kind, id, article: article.uid, status: article.status, refused }));
    await close();
  }
}
