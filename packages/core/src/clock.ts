export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of UTC. */
export const DAY_MS = 24 * HOUR_MS;

/** A timer that can be cancelled; cancelling twice is harmless. */
export interface Timer {
  cancel(): void;
}

/**
 * The source of time. Everything that waits, expires or stamps takes a Clock, so that tests move
 * time instead of sleeping; ids alone have the machine's date (`ids.ts`).
 */
export interface Clock {
  /** Wall time, milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For measuring and for leases. */
  monotonicMs(): number;
  /** Runs `callback` once after `delayMs`. Timers do not keep the process alive. */
  schedule(delayMs: number, callback: () => void): Timer;
}

/** The machine's clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    schedule(delayMs, callback) {
      const handle = setTimeout(callback, delayMs);
      handle.unref();
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

/** Resolves after `delayMs` of the given clock, or rejects with the signal's reason. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Waits until the work has settled, the time is over or the signal aborts, whichever is first. True
 * when the work has settled; how it did is for whoever made it to see.
 */
export async function waitAtMost(
  clock: Clock,
  timeoutMs: number,
  work: Promise<unknown>,
  signal?: AbortSignal,
): Promise<boolean> {
  const waiting = new AbortController();
  const ends = signal === undefined ? waiting.signal : AbortSignal.any([signal, waiting.signal]);
  const settled = () => true;
  const over = () => false;
  const isSettled = await Promise.race([
    work.then(settled, settled),
    delay(clock, timeoutMs, ends).then(over, over),
  ]);
  waiting.abort();
  return isSettled;
}

/** Bounds of an exponential back-off, milliseconds. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
}

/**
 * Delay with equal jitter before attempt `attempt` (0 is the first retry): uniform in [half, whole] of
 * initial × 2^attempt, capped. `random` gives numbers in [0, 1).
 */
export function backoffDelayMs(
  policy: BackoffPolicy,
  attempt: number,
  random: () => number = Math.random,
): number {
  const whole = Math.min(policy.maxMs, policy.initialMs * 2 ** Math.min(attempt, 30));
  return Math.round(whole / 2 + (whole / 2) * random());
}

/** The second that was written last: records of one second differ in their milliseconds only. */
const written = { second: Number.NaN, text: '' };

/** ISO-8601 in UTC with milliseconds, as every time in the API but `created`. */
export function toIsoTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1_000);
  if (second !== written.second) {
    written.text = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length);
    written.second = second;
  }
  const milliseconds = Math.floor(epochMs) - second * 1_000;
  return `${written.text}${String(milliseconds).padStart(3, '0')}Z`;
}

/** Milliseconds since the epoch, or undefined for text that is no ISO-8601 time. */
export function fromIsoTime(text: string): number | undefined {
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The pause that a Retry-After header asks for, milliseconds: seconds, or an HTTP date that is still
 * to come. Undefined without one, and for anything else. As long as the other side says: bound it.
 */
export function readRetryAfterMs(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const untilMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return untilMs > now ? untilMs - now : undefined;
}
