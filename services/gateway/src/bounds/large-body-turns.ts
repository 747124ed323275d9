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
/** Nobody whose bodies are usual waits for more than this after one, which is 7 times SLOW_MS. */
const SHARED_PAUSE_MS_MAX = 700;
/**
 * Slow is what takes longer than both. The longest text, 10 MiB, takes a tenth of a second, which is
 * a third of what its bytes may; a short text takes so long only when the process was held up.
 */
const SLOW_MS = 100;
const SLOW_MS_PER_BYTE = 30 / 1_000_000;
/** So long after a slow body its owner is one of whom nothing is known. */
const SLOW_FOR_MS = 60_000;
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

/** What is known of an owner by its last large body. */
type Pace = 'unknown' | 'usual' | 'slow';

export function createLargeBodyTurns(clock: Clock): LargeBodyTurns {
  const waiting = createOwnerQueues<WaitingBody>();
  const paces = createPaces();
  let occupied = false;
  let wake: Timer | undefined;

  const beginNext = () => {
    wake?.cancel();
    const beganMs = clock.monotonicMs();
    const next = waiting.take((owner) => paces.mayBegin(owner, beganMs));
    occupied = next !== undefined;
    if (next === undefined) {
      // A timer may be a little early: then nobody may begin yet, and it is set again.
      if (waiting.size > 0) wake = clock.schedule(paces.untilNextMs(beganMs), beginNext);
      return;
    }
    next.begin(() => {
      const endedMs = clock.monotonicMs();
      const tookMs = endedMs - beganMs;
      paces.note(next, tookMs, endedMs);
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

/**
 * An owner whose last body was slow begins 7 times as long after any slow body as that took; one of
 * whom nothing is known, after those of others of whom nothing was known. The rest never wait so.
 */
function createPaces() {
  /** Until when the last body of an owner counts as slow; 0 when it was usual. */
  const slowUntilMs = createBoundedMap<string, number>(OWNERS_MAX);
  const beginsMs = { unknown: 0, usual: 0, slow: 0 };

  const paceOf = (owner: string, nowMs: number): Pace => {
    const untilMs = slowUntilMs.get(owner);
    if (untilMs === 0) return 'usual';
    return untilMs === undefined || untilMs <= nowMs ? 'unknown' : 'slow';
  };

  return {
    mayBegin: (owner: string, nowMs: number) => nowMs >= beginsMs[paceOf(owner, nowMs)],
    /** Until the first of those may begin who may not now. */
    untilNextMs(nowMs: number) {
      const laterMs = [beginsMs.unknown, beginsMs.slow].filter((beginMs) => beginMs > nowMs);
      return Math.ceil(Math.min(...laterMs) - nowMs);
    },
    note({ owner, bytes }: WaitingBody, tookMs: number, endedMs: number) {
      const isSlow = tookMs > SLOW_MS && tookMs > bytes * SLOW_MS_PER_BYTE;
      const wasUnknown = paceOf(owner, endedMs) === 'unknown';
      slowUntilMs.set(owner, isSlow ? endedMs + SLOW_FOR_MS : 0);
      if (!isSlow) return;
      const nextMs = endedMs + tookMs * PAUSE_FACTOR;
      beginsMs.slow = Math.max(beginsMs.slow, nextMs);
      if (wasUnknown) beginsMs.unknown = Math.max(beginsMs.unknown, nextMs);
    },
  };
}
