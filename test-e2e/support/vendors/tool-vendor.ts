import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from '../api';
import { untilRouted } from './simulator';

/** A vendor of chat completions whose model calls tools, which the simulator does not. */
export interface ToolVendor {
  /** `host:port`, for the list of private hosts that may be reached. */
  readonly host: string;
  readonly url: string;
  /** The bodies that arrived, the oldest first. */
  readonly received: readonly VendorBody[];
  stop(): Promise<void>;
}

interface VendorBody {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
}

export const TOOL_MODEL = 'tool-model';
/** Nano-units for one token, by the prices of the model. */
export const TOOL_PRICES = { prompt: 1000n, completion: 2000n } as const;
export const TOOL_USAGE = { prompt_tokens: 31, completion_tokens: 17, total_tokens: 48 } as const;

/** Two calls in parallel, of the first tool; a conversation with results is answered with text. */
const TOOL_CALLS = [
  { id: 'call_a', arguments: '{"place":"Bern"}' },
  { id: 'call_b', arguments: '{"place":"Chur"}' },
] as const;
export const TOOL_TEXT = 'It rains in both.';

export async function startToolVendor(): Promise<ToolVendor> {
  const received: VendorBody[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as VendorBody;
      received.push(body);
      const calls = body.messages.some(({ role }) => role === 'tool') ? [] : TOOL_CALLS;
      const type = body.stream === true ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      response.end(body.stream === true ? streamOf(calls) : wholeOf(calls));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/v1`,
    received,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The model and a channel of it, made by the operator; answers when it is served. */
export async function addToolModel(operator: Api, vendor: ToolVendor): Promise<void> {
  await operator.post('/v1/admin/models', {
    name: TOOL_MODEL,
    context_length: 8192,
    max_completion_tokens: 1024,
    pricing: { prompt: '1.00', completion: '2.00' },
    capabilities: ['tools'],
  });
  await operator.post('/v1/admin/channels', {
    name: 'calls tools',
    type: 'openai',
    base_url: vendor.url,
    credential: 'a-credential',
    models: [{ name: TOOL_MODEL }],
    capabilities: ['tools'],
  });
  await untilRouted(operator, TOOL_MODEL);
}

type Calls = readonly { readonly id: string; readonly arguments: string }[];

function wholeOf(calls: Calls): string {
  const message =
    calls.length === 0
      ? { role: 'assistant', content: TOOL_TEXT }
      : { role: 'assistant', content: null, tool_calls: calls.map(callOf) };
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
  return JSON.stringify({ choices: [{ index: 0, message, finish_reason }], usage: TOOL_USAGE });
}

function callOf(call: { readonly id: string; readonly arguments: string }) {
  return {
    id: call.id,
    type: 'function',
    function: { name: 'weather', arguments: call.arguments },
  };
}

/** Arguments come in pieces, as they do from a model. */
function streamOf(calls: Calls): string {
  const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const delta = (value: object) => {
    return event({ choices: [{ index: 0, delta: value, finish_reason: null }] });
  };
  const step = (index: number, text: string) =>
    delta({ tool_calls: [{ index, function: { arguments: text } }] });
  const said = calls.map((call, index) => {
    const opening = callOf({ ...call, arguments: '' });
    const { arguments: text } = call;
    return (
      delta({ tool_calls: [{ index, ...opening }] }) +
      step(index, text.slice(0, 5)) +
      step(index, text.slice(5))
    );
  });
  const text = calls.length === 0 ? delta({ content: TOOL_TEXT }) : '';
  const reason = calls.length === 0 ? 'stop' : 'tool_calls';
  return [
    delta({ role: 'assistant', content: '' }),
    text,
    ...said,
    event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    event({ choices: [], usage: TOOL_USAGE }),
    'data: [DONE]\n\n',
  ].join('');
}
