import { type Clock, createBoundedMap, createOwnerQueues } from '@tollgate/core';

/** Smaller bodies are parsed within a millisecond and wait for nobody. */
const LARGE_BYTES = 64 * 1024;
/**
 * After a large body that took t ms the next one waits 7·t ms, so those that take no longer than
 * long texts use at most 1/8 of the event loop: completion may run on the same one.
 */
const PAUSE_FACTOR = 7;
/**
 * The longest text takes a tenth of a second. What takes longer, such as an object of many members,
 * is paid for by those whose last body did: they wait until all such work is an eighth of the time,
 * and nobody else waits for more than this.
 */
const SHARED_PAUSE_MS_MAX = 700;
/** Owners that are remembered so. */
const SLOW_OWNERS_MAX = 10_000;

/**
 * Keeps short requests short beside long prompts. Parsing and encoding a megabyte holds the event
 * loop for ten milliseconds and more, and every step of every other request waits for it. So large
 * bodies are worked on one at a time, with a pause after each, and owners take turns.
 */
export interface LargeBodyTurns {
  /**
   * Undefined for a body that need not wait. Otherwise resolves when its turn has come, with what
   * must be called as soon as the synchronous work on the body is done. At the close of its client
   * it resolves at once: nobody counts the body any more, so it must not be kept here.
   */
  wait(
    owner: string,
    bodyBytes: number,
    onClose: (listener: () => void) => void,
  ): Promise<() => void> | undefined;
}

interface WaitingBody {
  readonly owner: string;
  begin(end: () => void): void;
}

export function createLargeBodyTurns(clock: Clock): LargeBodyTurns {
  const waiting = createOwnerQueues<WaitingBody>();
  /** Owners whose last body took long. */
  const slow = createBoundedMap<string, true>(SLOW_OWNERS_MAX);
  let slowAgainMs = 0;
  let isWaking = false;
  let occupied = false;

  const mayBegin = (owner: string) =>
    clock.monotonicMs() >= slowAgainMs || slow.get(owner) === undefined;

  const beginNext = () => {
    const next = waiting.take(mayBegin);
    occupied = next !== undefined;
    if (next === undefined) return;
    const { owner, begin } = next;
    const beganMs = clock.monotonicMs();
    begin(() => {
      const pauseMs = (clock.monotonicMs() - beganMs) * PAUSE_FACTOR;
      if (pauseMs > SHARED_PAUSE_MS_MAX) {
        slow.set(owner, true);
        pauseSlow(pauseMs);
      } else slow.delete(owner);
      clock.schedule(Math.min(pauseMs, SHARED_PAUSE_MS_MAX), beginNext);
    });
  };

  const pauseSlow = (forMs: number) => {
    slowAgainMs = Math.max(clock.monotonicMs(), slowAgainMs) + forMs;
    if (!isWaking) wakeSlow();
  };

  // A timer may be a little early, and the pause may have grown.
  const wakeSlow = () => {
    const leftMs = slowAgainMs - clock.monotonicMs();
    isWaking = leftMs > 0;
    if (isWaking) clock.schedule(Math.ceil(leftMs), wakeSlow);
    else if (!occupied) beginNext();
  };

  return {
    wait(owner, bodyBytes, onClose) {
      if (bodyBytes < LARGE_BYTES) return undefined;
      return new Promise((begin) => {
        const body = { owner, begin };
        waiting.add(owner, body);
        onClose(() => {
          if (waiting.remove(owner, body)) begin(() => {});
        });
        if (!occupied) beginNext();
      });
    },
  };
}
