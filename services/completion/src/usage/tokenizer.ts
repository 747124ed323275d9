import type { Clock } from '@tollgate/core';
import type { ThreadAnswer } from '../threads/serve-thread';
import { createWorkerThread } from '../threads/worker-thread';
import type { ClientTokenCounter } from './count';
import type { TokenQuestion } from './tokenizer-thread';

/** Counts in a thread of its own. */
export interface TokenizerThread extends ClientTokenCounter {
  /** Loads the vocabulary, which takes a tenth of a second. */
  start(): void;
  close(): Promise<void>;
}

/** The vocabulary takes a fifth of it. */
const HEAP_MEGABYTES_MAX = 256;

const programPath = () => require.resolve('@tollgate/completion/tokenizer-thread');

/** Counts with the o200k vocabulary; rejects what is not counted in time. */
export function createTokenizerThread(clock: Clock, program = programPath()): TokenizerThread {
  const does = 'counts tokens';
  const thread = createWorkerThread<TokenQuestion, ThreadAnswer<number>>({
    clock,
    program,
    does,
    heapMegabytesMax: HEAP_MEGABYTES_MAX,
  });
  const tokensOf = async (asked: Promise<ThreadAnswer<number>>): Promise<number> => {
    const answer = await asked;
    if ('fault' in answer) throw new Error(answer.fault);
    return answer.result;
  };
  return {
    countAnswer: (texts, accountId) => tokensOf(thread.ask({ kind: 'answer', texts }, accountId)),
    countPrompt: (messages, capabilityMembers, accountId) =>
      tokensOf(thread.ask({ kind: 'prompt', messages, capabilityMembers }, accountId)),
    countPromptForClient: (messages, capabilityMembers) =>
      tokensOf(thread.askLast({ kind: 'prompt', messages, capabilityMembers })),
    start: () => thread.start(),
    close: () => thread.close(),
  };
}
