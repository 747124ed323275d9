import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FAIL, REFUSE } from './format-requests';
import { ANTHROPIC_INPUT, GEMINI_USAGE, OPENAI_USAGE, VENDOR_COUNTS } from './vendor-counts';

/** Vendors that a channel can be made for; Azure is a channel of type openai. */
export type VendorName = 'anthropic' | 'gemini' | 'azure';

/** A call as the vendor got it. */
export interface SeenCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A vendor that speaks one protocol on loopback and refuses what that protocol does not allow. */
export interface VendorServer {
  /** `host:port`, for the list of private hosts that may be called. */
  readonly host: string;
  /** What an operator enters as base_url. */
  readonly baseUrl: string;
  readonly seen: readonly SeenCall[];
  /** The next streams die after their first words. */
  breaksOff: boolean;
  close(): Promise<void>;
}

/** The only credential that the servers take. */
export const VENDOR_CREDENTIAL = 'credential-of-a-loopback-vendor';
/** The name that the servers know their model by. */
export const VENDOR_MODEL = 'vendor-small-1';
/** What they say; a request with tools gets the calls instead, both at once. */
export const VENDOR_TEXT = 'Grüße 👋 "there"';
export const VENDOR_CALLS = [
  { name: 'weather', arguments: { town: 'Zürich' } },
  { name: 'now', arguments: {} },
] as const;

/** What they think before they speak, where they are asked to show it; only Anthropic signs it. */
export const VENDOR_THOUGHTS = 'A greeting. "Be kind."';
export const VENDOR_SIGNATURE = 'c2lnbmF0dXJl';

/** What a call asks for besides a text. */
interface Asked {
  readonly tools: boolean;
  readonly thoughts: boolean;
}

interface Protocol {
  readonly basePath: string;
  readonly query?: string;
  /** Why the call is not valid; undefined when it is. */
  fault(call: SeenCall): number | undefined;
  isStream(call: SeenCall): boolean;
  /** By the word of the protocol that makes models of it show their thoughts. */
  asksForThoughts(call: SeenCall): boolean;
  whole(asked: Asked): unknown;
  /** Events of a stream; the first of them says something. */
  events(asked: Asked): readonly string[];
  /** What it answers to a question that it does not like, whole and as events. */
  readonly refusal: { readonly whole: unknown; readonly events: readonly string[] };
  /** Its words for a prompt that is too long. */
  readonly tooLong: unknown;
}

/** Listens on a free port. */
export async function startVendor(name: VendorName): Promise<VendorServer> {
  const protocol = PROTOCOLS[name];
  const seen: SeenCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString() || '{}';
      const body = JSON.parse(text) as SeenCall['body'];
      const call = { path: request.url ?? '', headers: request.headers, body };
      seen.push(call);
      answer(protocol, call, response, vendor.breaksOff);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const vendor: VendorServer = {
    host,
    baseUrl: `http://${host}${protocol.basePath}${protocol.query ?? ''}`,
    seen,
    breaksOff: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return vendor;
}

function answer(
  protocol: Protocol,
  call: SeenCall,
  response: ServerResponse,
  breaksOff: boolean,
): void {
  const text = JSON.stringify(call.body);
  const isTooLong = text.includes(FAIL);
  const fault = isTooLong ? 400 : protocol.fault(call);
  const tools = call.body.tools !== undefined;
  const asked = { tools, thoughts: protocol.asksForThoughts(call) };
  const refuses = text.includes(REFUSE);
  if (fault !== undefined || !protocol.isStream(call)) {
    response.writeHead(fault ?? 200, { 'content-type': 'application/json' });
    const failure = { error: { type: 'refused', message: `status ${fault}` } };
    const said = refuses ? protocol.refusal.whole : protocol.whole(asked);
    const refused = isTooLong ? protocol.tooLong : failure;
    response.end(JSON.stringify(fault === undefined ? said : refused));
    return;
  }
  const events = refuses ? protocol.refusal.events : protocol.events(asked);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (index: number): void => {
    const event = events[index];
    if (event === undefined) response.end();
    else if (breaksOff && index === Math.floor(events.length / 2)) response.destroy();
    else response.write(event, () => setImmediate(() => send(index + 1)));
  };
  send(0);
}

const named = (event: { readonly type: string }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const plain = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`;
/** The text in two pieces, cut within a word. */
const halvesOf = (text: string, at = 3) => [text.slice(0, at), text.slice(at)] as const;
const PIECES = halvesOf(VENDOR_TEXT);
const THOUGHT_PIECES = halvesOf(VENDOR_THOUGHTS);

function anthropicBlocks({ thoughts, tools }: Asked) {
  const thought = { type: 'thinking', thinking: VENDOR_THOUGHTS, signature: VENDOR_SIGNATURE };
  return [
    ...(thoughts ? [thought] : []),
    ...(tools ? anthropicCalls : [{ type: 'text', text: VENDOR_TEXT }]),
  ];
}

const anthropicCalls = VENDOR_CALLS.map(({ name, arguments: input }, index) => ({
  type: 'tool_use',
  id: `toolu_${index}`,
  name,
  input,
}));

/** A block as it begins, and what follows. */
function anthropicDeltas(block: ReturnType<typeof anthropicBlocks>[number]) {
  if ('thinking' in block) {
    const said = THOUGHT_PIECES.map((thinking) => ({ type: 'thinking_delta', thinking }));
    const { signature } = block;
    const empty = { thinking: '', signature: '' };
    return { empty, deltas: [...said, { type: 'signature_delta', signature }] };
  }
  if ('text' in block) {
    return { empty: { text: '' }, deltas: PIECES.map((text) => ({ type: 'text_delta', text })) };
  }
  const halves = halvesOf(JSON.stringify(block.input), 4);
  const deltas = halves.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  return { empty: { input: {} }, deltas };
}

function anthropicEvents(asked: Asked): readonly string[] {
  const blocks = anthropicBlocks(asked).flatMap((block, index) => {
    const { deltas, empty } = anthropicDeltas(block);
    return [
      { type: 'content_block_start', index, content_block: { ...block, ...empty } },
      { type: 'ping' },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  });
  const message = { role: 'assistant', usage: { ...ANTHROPIC_INPUT, output_tokens: 1 } };
  const delta = { stop_reason: asked.tools ? 'tool_use' : 'end_turn' };
  const usage = { output_tokens: VENDOR_COUNTS.completion };
  return [
    { type: 'message_start', message },
    ...blocks,
    { type: 'message_delta', delta, usage },
    { type: 'message_stop' },
  ].map(named);
}

const candidate = (parts: readonly unknown[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }],
  usageMetadata: GEMINI_USAGE,
});

const functionCalls = VENDOR_CALLS.map(({ name, arguments: args }) => ({
  functionCall: { name, args },
}));

const geminiThought = (text: string) => ({ text, thought: true });

function geminiEvents({ thoughts, tools }: Asked): readonly string[] {
  const last = tools ? functionCalls : [{ text: PIECES[1] }];
  const first = tools ? [geminiThought('Thinking.')] : [{ text: PIECES[0] }];
  const thought = thoughts ? THOUGHT_PIECES.map((text) => candidate([geminiThought(text)])) : [];
  return [...thought, candidate(first), candidate(last, 'STOP')].map(plain);
}

const openaiCalls = VENDOR_CALLS.map(({ name, arguments: input }, index) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
}));

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

function openaiEvents({ thoughts, tools }: Asked): readonly string[] {
  const thought = THOUGHT_PIECES.map((reasoning_content) =>
    chunk({ content: null, reasoning_content }),
  );
  const said = tools
    ? [chunk({ tool_calls: openaiCalls })]
    : PIECES.map((content) => chunk({ content }));
  const events = [
    chunk({ role: 'assistant', content: '' }),
    ...(thoughts ? thought : []),
    ...said,
    chunk({}, tools ? 'tool_calls' : 'stop'),
    { choices: [], usage: OPENAI_USAGE },
  ];
  return [...events.map(plain), 'data: [DONE]\n\n'];
}

/** The first of the rules that is broken. */
function firstFault(...rules: readonly (readonly [boolean, number])[]): number | undefined {
  return rules.find(([kept]) => !kept)?.[1];
}

const PROTOCOLS: Readonly<Record<VendorName, Protocol>> = {
  anthropic: {
    basePath: '/v1',
    fault: ({ body, headers, path }) =>
      firstFault(
        [path === '/v1/messages', 404],
        [headers['x-api-key'] === VENDOR_CREDENTIAL, 401],
        [headers['anthropic-version'] === '2023-06-01', 400],
        [body.model === VENDOR_MODEL, 404],
        [Number.isInteger(body.max_tokens), 400],
        [Array.isArray(body.messages) && body.messages.length > 0, 400],
      ),
    isStream: ({ body }) => body.stream === true,
    asksForThoughts: ({ body: { thinking } }) =>
      JSON.stringify(thinking) === '{"type":"adaptive","display":"summarized"}',
    whole: (asked) => ({
      type: 'message',
      role: 'assistant',
      content: anthropicBlocks(asked),
      stop_reason: asked.tools ? 'tool_use' : 'end_turn',
      usage: { ...ANTHROPIC_INPUT, output_tokens: VENDOR_COUNTS.completion },
    }),
    events: anthropicEvents,
    refusal: {
      whole: {
        type: 'message',
        role: 'assistant',
        content: [],
        stop_reason: 'refusal',
        usage: { ...ANTHROPIC_INPUT, output_tokens: VENDOR_COUNTS.completion },
      },
      events: [
        { type: 'message_start', message: { role: 'assistant', usage: ANTHROPIC_INPUT } },
        {
          type: 'message_delta',
          delta: { stop_reason: 'refusal' },
          usage: { output_tokens: VENDOR_COUNTS.completion },
        },
        { type: 'message_stop' },
      ].map(named),
    },
    tooLong: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 200001 tokens > 200000 maximum',
      },
    },
  },
  gemini: {
    basePath: '/v1beta',
    fault: ({ body, headers, path }) =>
      firstFault(
        [new RegExp(`^/v1beta/models/${VENDOR_MODEL}:\\w+(\\?alt=sse)?$`).test(path), 404],
        [headers['x-goog-api-key'] === VENDOR_CREDENTIAL, 403],
        [Array.isArray(body.contents) && body.contents.length > 0, 400],
        [!('messages' in body) && !('model' in body), 400],
      ),
    isStream: ({ path }) => path.endsWith(':streamGenerateContent?alt=sse'),
    asksForThoughts: ({ body }) => JSON.stringify(body).includes('"includeThoughts":true'),
    whole: ({ thoughts, tools }) =>
      candidate(
        [
          ...(thoughts ? [geminiThought(VENDOR_THOUGHTS)] : []),
          ...(tools ? functionCalls : [{ text: VENDOR_TEXT }]),
        ],
        'STOP',
      ),
    events: geminiEvents,
    refusal: {
      whole: candidate([], 'SAFETY'),
      events: [plain(candidate([], 'SAFETY'))],
    },
    tooLong: {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
      },
    },
  },
  azure: {
    basePath: '/openai',
    query: '?api-version=2024-10-21',
    fault: ({ body, headers, path }) =>
      firstFault(
        [
          path === `/openai/deployments/${VENDOR_MODEL}/chat/completions?api-version=2024-10-21`,
          404,
        ],
        [headers['api-key'] === VENDOR_CREDENTIAL && headers.authorization === undefined, 401],
        [Array.isArray(body.messages) && body.messages.length > 0, 400],
      ),
    isStream: ({ body }) => body.stream === true,
    // It shows them to whoever says how much to think, and others of the protocol always.
    asksForThoughts: ({ body }) => body.reasoning_effort !== undefined,
    whole: ({ thoughts, tools }) => ({
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            ...(thoughts ? { reasoning_content: VENDOR_THOUGHTS } : {}),
            ...(tools ? { content: null, tool_calls: openaiCalls } : { content: VENDOR_TEXT }),
          },
          finish_reason: tools ? 'tool_calls' : 'stop',
        },
      ],
      usage: OPENAI_USAGE,
    }),
    events: openaiEvents,
    refusal: {
      whole: {
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, refusal: 'No.' },
            finish_reason: 'stop',
          },
        ],
        usage: OPENAI_USAGE,
      },
      events: [
        plain(chunk({ role: 'assistant', content: '' })),
        plain(chunk({ refusal: 'No.' })),
        plain(chunk({}, 'stop')),
        plain({ choices: [], usage: OPENAI_USAGE }),
        'data: [DONE]\n\n',
      ],
    },
    tooLong: {
      error: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        param: 'messages',
        message: "This model's maximum context length is 8 tokens.",
      },
    },
  },
};
