import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '@tollgate/core';
import type { TokenCounter } from '../usage/count';
import type { TokenAnswer, TokenQuestion } from './tokenizer-thread';

/** Counts in a thread of its own, so that a long text keeps no request waiting. */
export interface TokenizerThread extends TokenCounter {
  /** Loads the vocabulary, which takes a tenth of a second. */
  start(): void;
  close(): Promise<void>;
}

interface PendingCount {
  readonly question: TokenQuestion;
  readonly answer: PromiseWithResolvers<number>;
  readonly timer: Timer;
}

/** An end waits no longer for its count: its text is judged then. */
const WAIT_MS_MAX = 5_000;
/** The vocabulary takes a fifth of it. */
const HEAP_MEGABYTES_MAX = 256;

/** The built program: a thread loads files as they are, whatever its owner was loaded from. */
const programPath = () => require.resolve('@tollgate/completion/tokenizer-thread');

/**
 * Counts with the o200k vocabulary. The thread is made at the first count and after its death. It
 * is asked one thing at a time: what waits costs nothing when nobody wants it any more, and a
 * question of which the thread dies takes no other with it.
 */
export function createTokenizerThread(clock: Clock, program = programPath()): TokenizerThread {
  const waiting = new Set<PendingCount>();
  let counting: PendingCount | undefined;
  let worker: Worker | undefined;

  const refuse = ({ answer, timer }: PendingCount, error: Error) => {
    timer.cancel();
    answer.reject(error);
  };
  const askNext = () => {
    const [next] = waiting;
    if (counting !== undefined || next === undefined) return;
    waiting.delete(next);
    counting = next;
    worker ??= startThread();
    worker.postMessage(next.question);
  };
  const onDeath = (thread: Worker, error: Error) => {
    if (worker !== thread) return;
    worker = undefined;
    if (counting !== undefined) refuse(counting, error);
    counting = undefined;
    askNext();
  };
  const startThread = (): Worker => {
    const thread = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES_MAX },
    });
    thread.on('message', ({ tokens, error }: TokenAnswer) => {
      const answered = counting;
      counting = undefined;
      answered?.timer.cancel();
      if (tokens === undefined) answered?.answer.reject(new Error(error));
      else answered?.answer.resolve(tokens);
      askNext();
    });
    thread.once('error', (error: Error) => onDeath(thread, error));
    thread.once('exit', () => onDeath(thread, new Error('the thread that counts tokens ended')));
    // A process that has nothing else to do may end: only once it runs does the thread let it.
    thread.once('online', () => thread.unref());
    return thread;
  };
  const ask = (question: TokenQuestion): Promise<number> => {
    const answer = Promise.withResolvers<number>();
    const timer = clock.schedule(WAIT_MS_MAX, () => {
      waiting.delete(asked);
      answer.reject(new Error('a text was not counted in time'));
    });
    const asked = { question, answer, timer };
    waiting.add(asked);
    askNext();
    return answer.promise;
  };
  return {
    countAnswer: (texts) => ask({ kind: 'answer', texts }),
    countPrompt: (messages, extra) => ask({ kind: 'prompt', messages, extra }),
    start() {
      worker ??= startThread();
    },
    async close() {
      const thread = worker;
      worker = undefined;
      const stops = new Error('the service stops');
      if (counting !== undefined) refuse(counting, stops);
      for (const asked of waiting) refuse(asked, stops);
      counting = undefined;
      waiting.clear();
      await thread?.terminate();
    },
  };
}
