import { api } from '../session/session';
import { toApiError } from './api-error';
import { send } from './client';
import { useChange } from './hooks';
import type { ChatRequest } from './schemas';

/** A chat request, without how its answer is to come. */
export type ChatBody = Pick<
  ChatRequest,
  'model' | 'messages' | 'temperature' | 'max_tokens' | 'tools'
>;

/** Ranks what could serve a request; calls nobody and charges nothing. */
export function useExplainRoute() {
  return useChange((body: ChatBody) => api.POST('/v1/llm/route/explain', { body }), []);
}

/** The pieces of a running answer. */
export type ChatEvent =
  | { readonly kind: 'begun'; readonly requestId: string | undefined }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly index: number; readonly name: string; readonly text: string }
  | { readonly kind: 'usage'; readonly promptTokens: number; readonly completionTokens: number }
  | { readonly kind: 'failed' | 'cut'; readonly message: string }
  | { readonly kind: 'done' };

/** The header that bounds what one request may cost. */
export const COST_MAX_HEADER = 'X-Tollgate-Max-Cost';

/** What a call needs besides the request: who asks, and within which bounds. */
export interface AskOptions {
  readonly key: string;
  /** The most that the answer may cost; as much as there is when absent. */
  readonly costMax: string | undefined;
  readonly signal: AbortSignal;
}

/** Asks as a program would, with an API key, and tells the answer while it comes. */
export async function* streamChat(
  chat: ChatBody,
  { key, costMax, signal }: AskOptions,
): AsyncGenerator<ChatEvent> {
  const request = new Request('/v1/chat/completions', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(costMax === undefined ? {} : { [COST_MAX_HEADER]: costMax }),
    },
    body: JSON.stringify({ ...chat, stream: true, stream_options: { include_usage: true } }),
    signal,
  });
  const response = await send(request);
  if (!response.ok || response.body === null) {
    throw toApiError(response, await response.json().catch(() => undefined));
  }
  yield { kind: 'begun', requestId: response.headers.get('x-request-id') ?? undefined };
  yield* readAnswer(readLines(response.body), signal);
}

/** Said of an answer without an end that nobody stopped and the API did not explain. */
const CUT_OFF =
  'The connection to Tollgate broke off. The story of the request tells what was charged.';

/** The pieces that the lines tell, and a failure where the connection went before the end. */
export async function* readAnswer(
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  let isOver = false;
  try {
    for await (const line of lines) {
      for (const event of readFrame(line)) {
        isOver ||= event.kind === 'done' || event.kind === 'failed';
        yield event;
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
  }
  if (!isOver && !signal.aborted) yield { kind: 'cut', message: CUT_OFF };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

interface Delta {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

interface Chunk {
  readonly model?: string;
  readonly choices?: readonly { readonly delta?: Delta }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly error?: { readonly message: string } | null;
}

/** The piece in one line of the stream: none where it is a comment or empty. */
export function readFrame(line: string): readonly ChatEvent[] {
  if (!line.startsWith('data:')) return [];
  const data = line.slice('data:'.length).trim();
  if (data === '[DONE]') return [{ kind: 'done' }];
  const chunk = JSON.parse(data) as Chunk;
  if (chunk.error) return [{ kind: 'failed', message: chunk.error.message }];
  const { content, tool_calls: calls = [] } = chunk.choices?.[0]?.delta ?? {};
  const text = content ?? '';
  const { usage } = chunk;
  return [
    ...(chunk.model === undefined ? [] : [{ kind: 'model', model: chunk.model } as const]),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...calls.map(({ index, function: { name = '', arguments: piece = '' } = {} }) => {
      return { kind: 'tool', index, name, text: piece } as const;
    }),
    ...(usage
      ? [
          {
            kind: 'usage',
            promptTokens: usage.prompt_tokens,
            completionTokens: usage.completion_tokens,
          } as const,
        ]
      : []),
  ];
}
