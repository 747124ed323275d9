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
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
