import type { Clock, Timer } from '@tollgate/core';
import { HandledInPart, type HandlerControl } from '@tollgate/events';

/** The outcome of one item: committed, to be offered once more, or failed. */
export type ItemOutcome = 'done' | 'again' | { readonly failed: unknown };

export interface BatchCommitOptions<Item> {
  readonly clock: Clock;
  /** Least time between the starts of two batches that are not full, milliseconds. */
  readonly lingerMs: number;
  /** From so many waiting items on a batch is full and starts at once. */
  readonly itemsMax: number;
  /** Commits the items of any calls together; when it rejects, all of them failed. */
  commit(items: readonly Item[]): Promise<(item: Item) => ItemOutcome>;
}

/** Commits the items of many calls together, one batch after the other. */
export interface BatchCommit<Item> {
  /**
   * Resolves when all of the items are committed, and rejects when one of them failed. A call with
   * `isPart` (a piece of a batch that failed, whose other pieces wait for it) and one whose signal
   * aborts are committed at once; after an abort nothing is offered again, nor after some seconds:
   * other partitions are fetched only when the call has ended, with HandledInPart then.
   */
  add(items: readonly Item[], control: HandlerControl): Promise<void>;
}

/** How long the items of a call are offered again. */
const AGAIN_MS_MAX = 5_000;

interface Call<Item> {
  /** The items that are not committed yet. */
  items: readonly Item[];
  /** Must not wait for others. */
  urgent: boolean;
  readonly signal: AbortSignal;
  /** After this nothing of it is offered again; set by its first commit. */
  againUntilMonotonicMs?: number;
  finish(outcome: { readonly failed: unknown } | undefined): void;
}

/**
 * The first call after a quiet time is committed at once; what comes within the linger after that
 * waits for its end, however many calls there are. A batch takes whole calls until it is full, so
 * it holds less than `itemsMax` and the items of one call together.
 */
export function createBatchCommit<Item>(options: BatchCommitOptions<Item>): BatchCommit<Item> {
  const { clock, lingerMs, itemsMax } = options;
  const waiting: Call<Item>[] = [];
  let startedMonotonicMs = Number.NEGATIVE_INFINITY;
  let running = false;
  let timer: Timer | undefined;

  const waitMs = (): number => {
    const items = waiting.reduce((sum, call) => sum + call.items.length, 0);
    if (items >= itemsMax || waiting.some(({ urgent }) => urgent)) return 0;
    return startedMonotonicMs + lingerMs - clock.monotonicMs();
  };

  const wake = (): void => {
    timer?.cancel();
    timer = undefined;
    if (running || waiting.length === 0) return;
    const delayMs = waitMs();
    if (delayMs > 0) timer = clock.schedule(delayMs, wake);
    else void run();
  };

  async function run(): Promise<void> {
    running = true;
    startedMonotonicMs = clock.monotonicMs();
    const calls = takeBatch(waiting, itemsMax);
    for (const call of calls) call.againUntilMonotonicMs ??= startedMonotonicMs + AGAIN_MS_MAX;
    try {
      const outcomeOf = await options.commit(calls.flatMap(({ items }) => items));
      for (const call of calls) if (!conclude(call, outcomeOf, clock)) waiting.push(call);
    } catch (error) {
      for (const call of calls) call.finish({ failed: error });
    }
    running = false;
    wake();
  }

  return {
    add(items, { signal, isPart }) {
      if (items.length === 0) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const hurry = () => {
        call.urgent = true;
        wake();
      };
      const call: Call<Item> = {
        items,
        signal,
        urgent: isPart || signal.aborted,
        finish(outcome) {
          signal.removeEventListener('abort', hurry);
          if (outcome === undefined) resolve();
          else reject(outcome.failed);
        },
      };
      signal.addEventListener('abort', hurry, { once: true });
      waiting.push(call);
      wake();
      return promise;
    },
  };
}

/** Takes whole calls, the oldest first, until there are enough items. */
function takeBatch<Item>(waiting: Call<Item>[], itemsMax: number): readonly Call<Item>[] {
  let items = 0;
  let count = 0;
  for (const call of waiting) {
    if (items >= itemsMax) break;
    items += call.items.length;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Finishes the call as its items tell; false when some of them are to be offered again. */
function conclude<Item>(
  call: Call<Item>,
  outcomeOf: (item: Item) => ItemOutcome,
  clock: Clock,
): boolean {
  const rest: Item[] = [];
  for (const item of call.items) {
    const outcome = outcomeOf(item);
    if (outcome === 'again') rest.push(item);
    else if (outcome !== 'done') {
      call.finish(outcome);
      return true;
    }
  }
  if (rest.length === 0) call.finish(undefined);
  else if (call.signal.aborted) call.finish({ failed: call.signal.reason });
  else if (clock.monotonicMs() >= (call.againUntilMonotonicMs ?? 0)) {
    const message = 'there is more to commit than one call may take; the rest comes again';
    call.finish({ failed: new HandledInPart(message) });
  } else {
    call.items = rest;
    call.urgent = true;
    return false;
  }
  return true;
}
