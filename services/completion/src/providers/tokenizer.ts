import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TokenCounter } from '../domain/token-count';
import type { TokenAnswer, TokenQuestion } from './tokenizer-thread';

/** Counts in a thread of its own, so that a long text keeps no request waiting. */
export interface TokenizerThread extends TokenCounter {
  /** Loads the vocabulary, which takes a tenth of a second. */
  start(): void;
  close(): Promise<void>;
}

type Unnumbered<Question> = Question extends unknown ? Omit<Question, 'id'> : never;

/** More is a flood, in which an end would wait for long: those beyond are not counted. */
const WAITING_MAX = 32;
/** The vocabulary takes a fifth of it. */
const HEAP_MEGABYTES_MAX = 256;

/** The built program: a thread loads files as they are, whatever its owner was loaded from. */
function programPath(): string {
  const manifest = require.resolve('@tollgate/completion/package.json');
  return join(dirname(manifest), 'dist/providers/tokenizer-thread.js');
}

/** Counts with the o200k vocabulary. The thread is made at the first count and after its death. */
export function createTokenizerThread(): TokenizerThread {
  const waiting = new Map<number, PromiseWithResolvers<number>>();
  let worker: Worker | undefined;
  let lastId = 0;

  const giveUp = (error: Error) => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const startThread = (): Worker => {
    const thread = new Worker(programPath(), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES_MAX },
    });
    thread.on('message', ({ id, tokens, error }: TokenAnswer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (tokens === undefined) asked?.reject(new Error(error));
      else asked?.resolve(tokens);
    });
    thread.once('error', giveUp);
    thread.once('exit', () => {
      if (worker === thread) giveUp(new Error('the thread that counts tokens ended'));
    });
    // A process that has nothing else to do may end: only once it runs does the thread let it.
    thread.once('online', () => thread.unref());
    return thread;
  };
  const ask = async (question: Unnumbered<TokenQuestion>): Promise<number> => {
    if (waiting.size >= WAITING_MAX) throw new Error('too many texts wait to be counted');
    worker ??= startThread();
    lastId += 1;
    const asked = Promise.withResolvers<number>();
    waiting.set(lastId, asked);
    worker.postMessage({ ...question, id: lastId });
    return asked.promise;
  };
  return {
    countAnswer: (texts) => ask({ kind: 'answer', texts }),
    countPrompt: (messages, extra) => ask({ kind: 'prompt', messages, extra }),
    start() {
      worker ??= startThread();
    },
    async close() {
      const thread = worker;
      giveUp(new Error('the service stops'));
      await thread?.terminate();
    },
  };
}
