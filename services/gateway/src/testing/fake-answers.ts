import type { completionV1 } from '@tollgate/protos';
import {
  type CompletionCall,
  type CompletionClient,
  type CompletionEnd,
  failureOf,
} from '../clients/completion/client';

const CREATED = 1_790_000_000n;

/** An answer with the given text. */
export function answer(
  text: string,
  changes: Partial<completionV1.CompleteResponse> = {},
): completionV1.CompleteResponse {
  const message = { role: 'assistant', content: text };
  return {
    model: 'small-chat',
    choices: Buffer.from(JSON.stringify([{ index: 0, message, finish_reason: 'stop' }])),
    usage: { promptTokens: 5, completionTokens: 2, totalTokens: 7, cachedTokens: 0 },
    amount: 123_000n,
    attempts: 1,
    channelId: 'chn_1',
    created: CREATED,
    ...changes,
  };
}

/** The first message of a stream. */
export function head(
  changes: Partial<completionV1.StreamHead> = {},
): completionV1.StreamCompletionResponse {
  const value = { model: 'small-chat', created: CREATED, attempts: 1, channelId: 'chn_1' };
  return { frame: { $case: 'head', value: { ...value, ...changes } } };
}

/** Events that came together. */
export function chunk(...choices: readonly unknown[]): completionV1.StreamCompletionResponse {
  const bytes = choices.map((choice) => Buffer.from(JSON.stringify([choice])));
  return { frame: { $case: 'chunk', value: { choices: bytes } } };
}

/** One event with a piece of text. */
export function delta(content: string): unknown {
  return { index: 0, delta: { content }, finish_reason: null };
}

/** The last message of a stream that ended well, or with the failure. */
export function end(failure?: completionV1.Failure): completionV1.StreamCompletionResponse {
  const usage = { promptTokens: 5, completionTokens: 2, totalTokens: 7, cachedTokens: 0 };
  return { frame: { $case: 'end', value: { usage, amount: 123_000n, failure } } };
}

/** A failure with nothing but its code. */
export function failure(
  code: string,
  changes: Partial<completionV1.Failure> = {},
): completionV1.Failure {
  return { code, message: '', param: '', retryAfterMs: 0, retryable: false, ...changes };
}

/** A request that is valid; the fakes look at `model` alone. */
export function completionInput(model = 'small-chat'): completionV1.CompletionInput {
  return {
    requestId: 'req_1',
    clientRequestId: '',
    caller: {
      accountId: 'acc_1',
      keyId: 'key_1',
      userId: 'usr_1',
      operator: false,
      models: [],
      pools: [],
      grantedGroups: [],
      budgetPeriod: 0,
    },
    model,
    messages: Buffer.from('[{"role":"user","content":"hello"}]'),
    parameters: undefined,
    promptCharacters: 5,
    messageCount: 1,
    deadlineMs: 0,
    traceparent: '',
  };
}

/** Asks for an answer in one piece. */
export function askWhole(
  client: Pick<CompletionClient, 'open'>,
  input: completionV1.CompletionInput,
  call: CompletionCall,
) {
  const { promise, resolve, reject } = Promise.withResolvers<completionV1.CompleteResponse>();
  const running = client.open({ input, stream: false }, call, {
    onHead() {},
    onChunk: () => true,
    onEnd(end) {
      if (end.kind === 'answered') resolve(end.answer);
      else reject(failureOf(end));
    },
  });
  return { answer: promise, cancel: () => running.cancel() };
}

/** Keeps what one request hears; `takes` is what it says to the next chunk. */
export function createListener(takes = true) {
  const heard = {
    takes,
    heads: [] as completionV1.StreamHead[],
    texts: [] as string[],
    ends: [] as CompletionEnd[],
    onHead: (head: completionV1.StreamHead) => void heard.heads.push(head),
    onChunk(events: readonly Buffer[]) {
      heard.texts.push(...events.map(String));
      return heard.takes;
    },
    onEnd: (end: CompletionEnd) => void heard.ends.push(end),
  };
  return heard;
}
