import { AppError, DAY_MS } from '@tollgate/core';
import type { FakeClock } from './fake-clock';

/** The key of a request, and a digest of its body. */
interface IdempotencyKey {
  readonly key: string;
  readonly bodyDigest: string;
}

/** What a process that is interrupted makes of a call: it dies before it, or stands still. */
export type Interruption = <Given extends readonly unknown[], Result>(
  call: (...given: Given) => Promise<Result>,
) => (...given: Given) => Promise<Result>;

/** An operation that takes an idempotency key, over real stores that a test may break. */
export interface IdempotentOperation {
  /** The process is interrupted at the first write of the effect, or dies right after its last. */
  run(
    idempotency: IdempotencyKey,
    interrupted?: Interruption | 'after its effect',
  ): Promise<{ readonly answer: unknown; readonly replayed: boolean }>;
  /** How often what it does was done. */
  effects(): Promise<number>;
  /** How long an interrupted one counts as running. */
  readonly runningMs: number;
  /** What it does is to ask somebody: one that was overtaken may ask again, and nothing comes of it. */
  readonly mayAskAgain?: true;
}

/**
 * The stores that a test puts in place of the real ones to interrupt a process: those with a broken
 * write, made by `effect`; or claims that are never answered, so that it dies right after its effect.
 * None when nothing is to be interrupted.
 */
export function interrupt<Broken extends object, Claims extends { readonly answer: unknown }>(
  interrupted: Interruption | 'after its effect' | undefined,
  claims: Claims,
  effect: (at: Interruption) => Broken,
): Broken | { readonly idempotencyClaims: Claims } | Record<never, never> {
  if (interrupted === undefined) return {};
  if (interrupted !== 'after its effect') return effect(interrupted);
  const answer = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
  return { idempotencyClaims: { ...claims, answer } };
}

const dies: Interruption = () => () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));

const ONCE: IdempotencyKey = { key: 'acc_1/once', bodyDigest: 'a' };

/** What each operation of a service does with a key; stores are new for every test. */
export function describeIdempotentOperations(
  operations: Readonly<Record<string, IdempotentOperation>>,
  clock: Pick<FakeClock, 'advance'>,
): void {
  describe.each(Object.entries(operations))('a %s', (_name, operation) => {
    const { run, effects, runningMs, mayAskAgain = false } = operation;

    /** A process stands still until another one has made its effect, and goes on. */
    async function overtake() {
      const reached = Promise.withResolvers<void>();
      const goesOn = Promise.withResolvers<void>();
      const standsStill: Interruption =
        (call) =>
        async (...given) => {
          reached.resolve();
          await goesOn.promise;
          return call(...given);
        };
      const overtaken = Promise.allSettled([run(ONCE, standsStill)]);
      await reached.promise;
      await clock.advance(runningMs);
      const { answer } = await run(ONCE);
      const done = await effects();
      goesOn.resolve();
      await overtaken;
      return { answer, done };
    }

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
      const killed = run(ONCE, dies);
      await expect(killed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect((await run(ONCE)).replayed).toBe(false);
      expect(await effects()).toBe(before + 1);
    });

    test('that was killed after its effect is running for a while, then found, never redone', async () => {
      const first = await run(ONCE, 'after its effect');
      const done = await effects();
      await clock.advance(runningMs - 1);
      await expect(run(ONCE)).rejects.toMatchObject({
        code: 'CONFLICT',
        retryable: true,
        retryAfterMs: 1_000,
      });
      await clock.advance(1);
      expect(await run(ONCE)).toEqual({ answer: first.answer, replayed: true });
      expect(await effects()).toBe(done);
    });

    test('that was overtaken changes nothing', async () => {
      const before = await effects();
      const { done } = await overtake();
      expect(done).toBe(before + 1);
      expect(await effects()).toBe(mayAskAgain ? done + 1 : done);
    });

    test('that was overtaken and refused releases nothing', async () => {
      const { answer } = await overtake();
      const done = await effects();
      expect(await run(ONCE)).toEqual({ answer, replayed: true });
      expect(await effects()).toBe(done);
    });
  });
}
