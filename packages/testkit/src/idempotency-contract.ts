import { DAY_MS } from '@tollgate/core';
import type { FakeClock } from './fake-clock';

/** The key of a request, and a digest of its body. */
interface IdempotencyKey {
  readonly key: string;
  readonly bodyDigest: string;
}

/** An operation that takes an idempotency key, over real stores that a test may break. */
export interface IdempotentOperation {
  /** With `killed`: the process dies at the first write of the effect, or right after its last. */
  run(
    idempotency: IdempotencyKey,
    killed?: 'before its effect' | 'after its effect',
  ): Promise<{ readonly answer: unknown; readonly replayed: boolean }>;
  /** How often what it does was done. */
  effects(): Promise<number>;
  /** How long an interrupted one counts as running. */
  readonly runningMs: number;
}

const ONCE: IdempotencyKey = { key: 'acc_1/once', bodyDigest: 'a' };

/** What each operation of a service does with a key; stores are new for every test. */
export function describeIdempotentOperations(
  operations: Readonly<Record<string, IdempotentOperation>>,
  clock: FakeClock,
): void {
  describe.each(Object.entries(operations))('a %s', (_name, operation) => {
    const { run, effects, runningMs } = operation;

    test('that is repeated with its key is answered the same and done once', async () => {
      const first = await run(ONCE);
      const done = await effects();
      await clock.advance(DAY_MS - 1);
      expect(first.replayed).toBe(false);
      expect(await run(ONCE)).toEqual({ answer: first.answer, replayed: true });
      expect(await effects()).toBe(done);
    });

    test('with a key that had another body or belongs to another operation is a mismatch', async () => {
      await run(ONCE);
      const done = await effects();
      const mismatch = { code: 'IDEMPOTENCY_MISMATCH' };
      await expect(run({ ...ONCE, bodyDigest: 'b' })).rejects.toMatchObject(mismatch);
      for (const other of Object.values(operations)) {
        if (other !== operation) await expect(other.run(ONCE)).rejects.toMatchObject(mismatch);
      }
      expect(await effects()).toBe(done);
    });

    test('of another account under the same word is another one', async () => {
      await run(ONCE);
      const done = await effects();
      expect((await run({ key: 'acc_2/once', bodyDigest: 'b' })).replayed).toBe(false);
      expect(await effects()).toBe(done + 1);
    });

    test('that was killed before its effect is done by the next request', async () => {
      const before = await effects();
      const killed = run(ONCE, 'before its effect');
      await expect(killed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect((await run(ONCE)).replayed).toBe(false);
      expect(await effects()).toBe(before + 1);
    });

    test('that was killed after its effect is running for a while, then found, never redone', async () => {
      const first = await run(ONCE, 'after its effect');
      const done = await effects();
      await clock.advance(runningMs - 1);
      await expect(run(ONCE)).rejects.toMatchObject({ code: 'CONFLICT', retryAfterMs: 1_000 });
      await clock.advance(1);
      expect(await run(ONCE)).toEqual({ answer: first.answer, replayed: true });
      expect(await effects()).toBe(done);
    });
  });
}
