import {
  AppError,
  type Clock,
  createBoundedMap,
  createOwnerQueues,
  type Timer,
} from '@tollgate/core';

/** Smaller bodies are parsed within a millisecond and wait for nobody. */
const LARGE_BYTES = 64 * 1024;
/** After t ms of work the event loop belongs to others for 7·t ms: completion may run on it too. */
const PAUSE_FACTOR = 7;
/** Nobody waits for more than this after a body of somebody else, which is 7 times SLOW_MS. */
const SHARED_PAUSE_MS_MAX = 700;
/**
 * Slow is what takes longer than both. The longest text, 10 MiB, takes a tenth of a second, which is
 * a third of what its bytes may; a short text takes so long only when the process was held up.
 */
const SLOW_MS = 100;
const SLOW_MS_PER_BYTE = 30 / 1_000_000;
const OWNERS_MAX = 10_000;
/** Who waits longer is refused: a client would rather ask again than wait for minutes. */
const WAIT_MS_MAX = 30_000;

/**
 * Keeps short requests short beside long prompts. Parsing and encoding a megabyte holds the event
 * loop for ten milliseconds and more, and every step of every other request waits for it. So large
 * bodies are worked on one at a time, with a pause after each, and owners take turns.
 */
export interface LargeBodyTurns {
  /**
   * Undefined for a body that need not wait. Otherwise resolves when its turn has come, with what
   * must be called as soon as the synchronous work on the body is done; rejects with
   * SERVICE_UNAVAILABLE when that takes too long. At the close of its client it resolves at once:
   * nobody counts the body any more, so it must not be kept here.
   */
  wait(
    owner: string,
    bodyBytes: number,
    onClose: (listener: () => void) => void,
  ): Promise<() => void> | undefined;
}

interface WaitingBody {
  readonly owner: string;
  readonly bytes: number;
  begin(end: () => void): void;
}

export function createLargeBodyTurns(clock: Clock): LargeBodyTurns {
  const waiting = createOwnerQueues<WaitingBody>();
  const rests = createRests();
  let occupied = false;
  let wake: Timer | undefined;

  const beginNext = () => {
    wake?.cancel();
    const beganMs = clock.monotonicMs();
    let wakeMs = Number.POSITIVE_INFINITY;
    const next = waiting.take((owner) => {
      const leftMs = rests.untilMs(owner) - beganMs;
      if (leftMs > 0) wakeMs = Math.min(wakeMs, leftMs);
      return leftMs <= 0;
    });
    occupied = next !== undefined;
    if (next === undefined) {
      // A timer may be a little early: then nobody may begin yet, and it is set again.
      if (waiting.size > 0) wake = clock.schedule(Math.ceil(wakeMs), beginNext);
      return;
    }
    next.begin(() => {
      const endedMs = clock.monotonicMs();
      const tookMs = endedMs - beganMs;
      if (isSlow(next, tookMs)) rests.begin(next.owner, tookMs * PAUSE_FACTOR, endedMs);
      clock.schedule(Math.min(tookMs * PAUSE_FACTOR, SHARED_PAUSE_MS_MAX), beginNext);
    });
  };

  return {
    wait(owner, bodyBytes, onClose) {
      if (bodyBytes < LARGE_BYTES) return undefined;
      return new Promise((resolve, reject) => {
        const leave = (then: () => void) => {
          if (!waiting.remove(owner, body)) return;
          refusal.cancel();
          then();
        };
        const refusal = clock.schedule(WAIT_MS_MAX, () => leave(() => reject(waitedTooLong())));
        const begin = (end: () => void) => {
          refusal.cancel();
          resolve(end);
        };
        const body: WaitingBody = { owner, bytes: bodyBytes, begin };
        waiting.add(owner, body);
        onClose(() => leave(() => resolve(() => {})));
        if (!occupied) beginNext();
      });
    },
  };
}

function waitedTooLong(): AppError {
  const internalMessage = `a large body waited ${WAIT_MS_MAX} ms for its turn`;
  return new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryAfterMs: WAIT_MS_MAX });
}

function isSlow({ bytes }: WaitingBody, tookMs: number): boolean {
  return tookMs > SLOW_MS && tookMs > bytes * SLOW_MS_PER_BYTE;
}

/**
 * The owner of a slow body rests for as many pauses as owners rest by then. So after the first of
 * each they use a seventh of the time together, whatever they send between, and one that was held up
 * once does not pay for the work of others.
 */
function createRests() {
  const restsUntilMs = createBoundedMap<string, number>(OWNERS_MAX);
  return {
    untilMs: (owner: string) => restsUntilMs.get(owner) ?? 0,
    begin(owner: string, pauseMs: number, nowMs: number) {
      let resting = 1;
      for (const [, untilMs] of restsUntilMs.entries()) if (untilMs > nowMs) resting += 1;
      restsUntilMs.set(owner, nowMs + pauseMs * resting);
    },
  };
}
