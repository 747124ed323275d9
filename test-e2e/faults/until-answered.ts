const PAUSE_MS = 250;
const TIMEOUT_MS = 60_000;

/** Asks again until it answers: what is asked may be away at the moment. */
export async function untilAnswered<Answer>(
  what: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const endMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > endMs) {
        throw new Error(`${what} did not answer for ${TIMEOUT_MS} ms`, { cause: error });
      }
      await pause(PAUSE_MS);
    }
  }
}

/** Lets time pass. */
export function pause(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs));
}
