import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
const TIMEOUT_MS = 30_000;

/** Asks until `read` answers something that `accept` takes; rejects with the last answer. */
export async function eventually<Answer>(
  read: () => Promise<Answer>,
  accept: (answer: Answer) => boolean,
  timeoutMs: number = TIMEOUT_MS,
): Promise<Answer> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const answer = await read();
    if (accept(answer)) return answer;
    if (performance.now() > endMs) {
      throw new Error(`not within ${timeoutMs} ms; last: ${toText(answer)}`);
    }
    await delay(POLL_MS);
  }
}

const ANSWER_POLL_MS = 250;
const ANSWER_TIMEOUT_MS = 60_000;

/** Asks again until it answers: what is asked may be away at the moment. */
export async function untilAnswered<Answer>(
  what: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const endMs = performance.now() + ANSWER_TIMEOUT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > endMs) {
        throw new Error(`${what} did not answer for ${ANSWER_TIMEOUT_MS} ms`, { cause: error });
      }
      await delay(ANSWER_POLL_MS);
    }
  }
}

function toText(answer: unknown): string {
  return JSON.stringify(answer, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

/**
 * Asks until an answer is accepted, as must be every one that is asked for `withinMs` from now or
 * later. How long an answer is on its way does not count: that is the machine's doing, and whoever
 * is promised something "within a second" notices by asking after it.
 */
export function eventuallyWithin<Answer>(
  withinMs: number,
  read: () => Promise<Answer>,
  accept: (answer: Answer) => boolean,
): Promise<Answer> {
  const begunMs = performance.now();
  return eventually(async () => {
    const askedMs = performance.now() - begunMs;
    const answer = await read();
    if (askedMs >= withinMs && !accept(answer)) {
      throw new Error(`asked after ${Math.round(askedMs)} ms, and still: ${toText(answer)}`);
    }
    return answer;
  }, accept);
}

const DAY_MS = 86_400_000;
const NEAR_MIDNIGHT_MS = 20_000;

/** Waits for the next day of UTC where this one ends in a moment: days begin with nothing used up. */
export async function leaveMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < NEAR_MIDNIGHT_MS) await delay(leftMs);
}
