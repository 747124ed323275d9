import { type Clock, createOwnerQueues } from '@tollgate/core';

/** Smaller bodies are parsed within a millisecond and wait for nobody. */
const LARGE_BYTES = 64 * 1024;
/**
 * After a large body that took t ms the next one waits 7·t ms, so large bodies use at most 1/8 of
 * the event loop: completion may run on the same one.
 */
const PAUSE_FACTOR = 7;

/**
 * Keeps short requests short beside long prompts. Parsing and encoding a megabyte holds the event
 * loop for ten milliseconds and more, and every step of every other request waits for it. So large
 * bodies are worked on one at a time, with a pause after each, and those who wait take turns.
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

type Begin = (end: () => void) => void;

export function createLargeBodyTurns(clock: Clock): LargeBodyTurns {
  const waiting = createOwnerQueues<Begin>();
  let occupied = false;

  const beginNext = () => {
    const next = waiting.take();
    occupied = next !== undefined;
    if (next === undefined) return;
    const beganMs = clock.monotonicMs();
    next(() => clock.schedule((clock.monotonicMs() - beganMs) * PAUSE_FACTOR, beginNext));
  };

  return {
    wait(owner, bodyBytes, onClose) {
      if (bodyBytes < LARGE_BYTES) return undefined;
      return new Promise((begin) => {
        waiting.add(owner, begin);
        onClose(() => {
          if (waiting.remove(owner, begin)) begin(() => {});
        });
        if (!occupied) beginNext();
      });
    },
  };
}
