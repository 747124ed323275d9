import type { Clock } from '@tollgate/core';

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
 * bodies are worked on one at a time, with a pause after each, and waiting accounts take turns.
 */
export interface LargeBodyTurns {
  /**
   * Undefined for a body that need not wait. Otherwise resolves when its turn has come, with what
   * must be called as soon as the synchronous work on the body is done. At the close of its client
   * it resolves at once: nobody counts the body any more, so it must not be kept here.
   */
  wait(
    accountId: string,
    bodyBytes: number,
    onClose: (listener: () => void) => void,
  ): Promise<() => void> | undefined;
}

type Begin = (end: () => void) => void;

export function createLargeBodyTurns(clock: Clock): LargeBodyTurns {
  // Accounts in the order in which they are next.
  const waiting = new Map<string, Begin[]>();
  let occupied = false;

  const next = () => {
    const [first] = waiting;
    occupied = first !== undefined;
    if (first === undefined) return;
    const [accountId, [begin, ...others]] = first;
    waiting.delete(accountId);
    if (others.length > 0) waiting.set(accountId, others);
    const beganMs = clock.monotonicMs();
    begin?.(() => clock.schedule((clock.monotonicMs() - beganMs) * PAUSE_FACTOR, next));
  };

  const leave = (accountId: string, begin: Begin) => {
    const before = waiting.get(accountId) ?? [];
    if (!before.includes(begin)) return;
    const others = before.filter((other) => other !== begin);
    if (others.length > 0) waiting.set(accountId, others);
    else waiting.delete(accountId);
    begin(() => {});
  };

  return {
    wait(accountId, bodyBytes, onClose) {
      if (bodyBytes < LARGE_BYTES) return undefined;
      return new Promise((begin) => {
        const before = waiting.get(accountId);
        if (before === undefined) waiting.set(accountId, [begin]);
        else before.push(begin);
        onClose(() => leave(accountId, begin));
        if (!occupied) next();
      });
    },
  };
}
