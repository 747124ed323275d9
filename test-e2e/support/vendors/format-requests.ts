import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import type { ApiBody } from '../api';

/** What is asked in every format. */
export const KINDS = [
  'text',
  'reasoning',
  'tools',
  'image',
  'file',
  'structured',
  'refusal',
  'error',
] as const;
export type Kind = (typeof KINDS)[number];

/** Data of an image and of a file, and what makes the vendors refuse and fail. */
export const IMAGE_DATA = 'iVBORw0KGgo';
export const FILE_DATA = 'JVBERi0xLjQK';
export const REFUSE = 'please refuse';
export const FAIL = 'please fail';

/** What an answer said, whatever format it came in. */
export interface Said {
  /** What was thought before. */
  readonly thoughts: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly refused: boolean;
  readonly usage: readonly [prompt: number, completion: number];
}

/** A client's format: how it asks, and how it reads what comes whole and streamed. */
export interface ClientFormat {
  readonly path: string;
  body(model: string, kind: Kind, stream: boolean): object;
  readWhole(body: unknown): Said;
  readStream(events: readonly unknown[]): Said;
}

const SCHEMA = { type: 'object', properties: { town: { type: 'string' } } };
const PARAMETERS = { type: 'object', properties: {} };
const TOOL_NAMES = ['weather', 'now'];
const IMAGE_URL = `data:image/png;base64,${IMAGE_DATA}`;
const FILE_URL = `data:application/pdf;base64,${FILE_DATA}`;

function wordsOf(kind: Kind): string {
  if (kind === 'refusal') return REFUSE;
  return kind === 'error' ? FAIL : 'Hello';
}

const chat = {
  body(model: string, kind: Kind, stream: boolean) {
    const parts: unknown[] = [{ type: 'text', text: wordsOf(kind) }];
    if (kind === 'image') parts.push({ type: 'image_url', image_url: { url: IMAGE_URL } });
    if (kind === 'file') parts.push({ type: 'file', file: { file_data: FILE_URL } });
    return {
      model,
      stream,
      stream_options: { include_usage: stream },
      max_tokens: 64,
      messages: [{ role: 'user', content: parts }],
      ...(kind === 'reasoning' ? { reasoning_effort: 'low' } : {}),
      ...(kind === 'tools'
        ? {
            tools: TOOL_NAMES.map((name) => ({
              type: 'function',
              function: { name, parameters: PARAMETERS },
            })),
          }
        : {}),
      ...(kind === 'structured'
        ? {
            response_format: {
              type: 'json_schema',
              json_schema: { name: 'place', schema: SCHEMA },
            },
          }
        : {}),
    };
  },
  readWhole: (body: unknown) => readCompletion(body as OpenAI.ChatCompletion),
  readStream(events: readonly unknown[]): Said {
    const calls: { name: string; arguments: string }[] = [];
    let [text, refused, usage] = ['', false, undefined as OpenAI.CompletionUsage | undefined];
    let thoughts = '';
    for (const { choices, usage: counted } of events as OpenAI.ChatCompletionChunk[]) {
      usage = counted ?? usage;
      const [choice] = choices;
      thoughts += thoughtOf(choice?.delta);
      text += choice?.delta.content ?? '';
      refused ||= choice?.finish_reason === 'content_filter' || Boolean(choice?.delta.refusal);
      for (const { index, function: called } of choice?.delta.tool_calls ?? []) {
        const before = calls[index] ?? { name: called?.name ?? '', arguments: '' };
        calls[index] = { ...before, arguments: before.arguments + (called?.arguments ?? '') };
      }
    }
    return { thoughts, text, calls: calls.map(parsed), refused, usage: countsOf(usage) };
  },
};

function readCompletion({ choices: [choice], usage }: OpenAI.ChatCompletion): Said {
  const { content = '', refusal, tool_calls: calls = [] } = choice?.message ?? {};
  return {
    thoughts: thoughtOf(choice?.message),
    text: content ?? '',
    calls: calls.flatMap((call) => (call.type === 'function' ? [parsed(call.function)] : [])),
    refused: choice?.finish_reason === 'content_filter' || Boolean(refusal),
    usage: countsOf(usage),
  };
}

/** The package has no name for it; most vendors and their clients have this one. */
function thoughtOf(message: object | undefined): string {
  const { reasoning_content: text = '' } = (message ?? {}) as { reasoning_content?: string };
  return text;
}

function countsOf(usage: OpenAI.CompletionUsage | undefined): Said['usage'] {
  return [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0];
}

function parsed({ name, arguments: text }: { readonly name: string; readonly arguments: string }) {
  return { name, arguments: JSON.parse(text) as unknown };
}

const messages: ClientFormat = {
  path: '/v1/messages',
  body(model, kind, stream) {
    const content: unknown[] = [{ type: 'text', text: wordsOf(kind) }];
    const sourceOf = (media_type: string, data: string) => ({ type: 'base64', media_type, data });
    if (kind === 'image') {
      content.push({ type: 'image', source: sourceOf('image/png', IMAGE_DATA) });
    }
    if (kind === 'file') {
      content.push({ type: 'document', source: sourceOf('application/pdf', FILE_DATA) });
    }
    return {
      model,
      stream,
      max_tokens: 64,
      messages: [{ role: 'user', content }],
      ...(kind === 'reasoning' ? { thinking: { type: 'adaptive' } } : {}),
      ...(kind === 'tools'
        ? { tools: TOOL_NAMES.map((name) => ({ name, input_schema: PARAMETERS })) }
        : {}),
      ...(kind === 'structured'
        ? { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }
        : {}),
    };
  },
  readWhole(body) {
    const { content, stop_reason: reason, usage } = body as Anthropic.Message;
    return {
      thoughts: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
      ),
      refused: reason === 'refusal',
      usage: [usage.input_tokens + (usage.cache_read_input_tokens ?? 0), usage.output_tokens],
    };
  },
  readStream(events) {
    const calls: { name: string; arguments: string }[] = [];
    let thoughts = '';
    let text = '';
    let refused = false;
    let usage: Said['usage'] = [0, 0];
    for (const event of events as Anthropic.RawMessageStreamEvent[]) {
      if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
        calls.push({ name: event.content_block.name, arguments: '' });
      }
      if (event.type === 'message_delta') {
        const { input_tokens: fresh, cache_read_input_tokens: cached } = event.usage;
        refused = event.delta.stop_reason === 'refusal';
        usage = [(fresh ?? 0) + (cached ?? 0), event.usage.output_tokens];
      }
      if (event.type !== 'content_block_delta') continue;
      const call = calls.at(-1);
      if (event.delta.type === 'thinking_delta') thoughts += event.delta.thinking;
      if (event.delta.type === 'text_delta') text += event.delta.text;
      if (event.delta.type === 'input_json_delta' && call !== undefined) {
        call.arguments += event.delta.partial_json;
      }
    }
    return { thoughts, text, calls: calls.map(parsed), refused, usage };
  },
};

const responses: ClientFormat = {
  path: '/v1/responses',
  body(model, kind, stream) {
    const content: unknown[] = [{ type: 'input_text', text: wordsOf(kind) }];
    if (kind === 'image') content.push({ type: 'input_image', image_url: IMAGE_URL });
    if (kind === 'file') content.push({ type: 'input_file', file_data: FILE_URL });
    return {
      model,
      stream,
      max_output_tokens: 64,
      input: [{ role: 'user', content }],
      ...(kind === 'reasoning' ? { reasoning: { effort: 'low', summary: 'auto' } } : {}),
      ...(kind === 'tools'
        ? {
            tools: TOOL_NAMES.map((name) => ({ type: 'function', name, parameters: PARAMETERS })),
          }
        : {}),
      ...(kind === 'structured'
        ? { text: { format: { type: 'json_schema', name: 'place', schema: SCHEMA } } }
        : {}),
    };
  },
  readWhole(body) {
    const { incomplete_details: cut, output, usage } = body as OpenAI.Responses.Response;
    const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
    const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
    return {
      thoughts: thoughts.map(({ text }) => text).join(''),
      text: parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
      calls: output.flatMap((item) => (item.type === 'function_call' ? [parsed(item)] : [])),
      refused: cut?.reason === 'content_filter' || parts.some(({ type }) => type === 'refusal'),
      usage: [usage?.input_tokens ?? 0, usage?.output_tokens ?? 0],
    };
  },
  readStream(events) {
    const { response } = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
    return responses.readWhole(response);
  },
};

/** Every format that a client may speak, by the name that the documents have for it. */
export const CLIENT_FORMATS: Readonly<Record<string, ClientFormat>> = {
  'chat completions': { ...chat, path: '/v1/chat/completions' },
  envelope: {
    ...chat,
    path: '/v1/llm/chat/completions',
    readWhole: (body) => chat.readWhole((body as ApiBody).data),
  },
  Messages: messages,
  Responses: responses,
};
