import type { completionV1 } from '@tollgate/protos';
import {
  type CompletionCall,
  type CompletionClient,
  type CompletionEnd,
  failureOfEnd,
} from '../clients/completion/client';

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
      if (end.kind === 'whole') resolve(end.answer);
      else reject(failureOfEnd(end));
    },
  });
  return { answer: promise, cancel: () => running.cancel() };
}

/** Keeps what one request is answered; `takes` is its reply to the next chunk. */
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
