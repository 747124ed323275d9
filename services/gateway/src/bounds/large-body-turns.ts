import { type Clock, createOwnerQueues } from '@tollgate/core';

/** Smaller bodies are parsed within a millisecond and wait for nobody. */
const LARGE_BYTES = 64 * 1024;
/**
 * After a large body that took t ms the next one waits 7·t ms, so large bodies use at most 1/8 of
 * the event loop: completion may run on the same one.
 */
const PAUSE_FACTOR = 7;
/**
 * The longest text takes a tenth of a second. What takes longer, such as an object of many members,
 * is waited for by its owner alone from here on: nobody else is to pay for it.
 */
const SHARED_PAUSE_MS_MAX = 700;

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
  /** Owners of bodies that took long. */
  const resting = new Set<string>();
  let occupied = false;

  const beginNext = () => {
    const next = waiting.take((owner) => !resting.has(owner));
    occupied = next !== undefined;
    if (next === undefined) return;
    const beganMs = clock.monotonicMs();
    next.begin(() => {
      const pauseMs = (clock.monotonicMs() - beganMs) * PAUSE_FACTOR;
      if (pauseMs > SHARED_PAUSE_MS_MAX) rest(next.owner, pauseMs);
      clock.schedule(Math.min(pauseMs, SHARED_PAUSE_MS_MAX), beginNext);
    });
  };

  const rest = (owner: string, forMs: number) => {
    resting.add(owner);
    clock.schedule(forMs, () => {
      resting.delete(owner);
      if (!occupied) beginNext();
    });
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
