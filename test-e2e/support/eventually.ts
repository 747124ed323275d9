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
      const last = JSON.stringify(answer, (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
      throw new Error(`not within ${timeoutMs} ms; last: ${last}`);
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
