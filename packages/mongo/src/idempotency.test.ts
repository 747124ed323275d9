import { createHash } from 'node:crypto';
import { AppError, DAY_MS } from '@tollgate/core';
import { createFakeClock, createRecordingLogger } from '@tollgate/testkit';
import {
  type HeldClaim,
  type IdempotencyOptions,
  type IdempotencyStore,
  type IdempotentResult,
  type IdempotentWork,
  type KeptClaim,
  NO_KEY,
  runIdempotently,
} from './idempotency';

const RUNNING_MS = 30_000;
const ONCE = { key: 'once', bodyDigest: 'a' };
const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

interface Made {
  readonly id: string;
}

const clock = createFakeClock();
let logger: ReturnType<typeof createRecordingLogger>;
let kept: Map<string, KeptClaim>;
let claims: IdempotencyStore;
let made: string[];
let ids: number;

beforeEach(() => {
  logger = createRecordingLogger();
  kept = new Map();
  claims = createMemoryStore();
  made = [];
  ids = 0;
});

function createMemoryStore(): IdempotencyStore {
  const isHeld = ({ id, effectId, claimedAtMs }: HeldClaim) => {
    const claim = kept.get(id);
    return claim?.effectId === effectId && claim.claimedAtMs === claimedAtMs;
  };
  const change = (id: string, fields: Partial<KeptClaim>) => {
    const claim = kept.get(id);
    if (claim !== undefined) kept.set(id, { ...claim, ...fields });
  };
  return {
    async insert({ runningMsMax: _, ...claim }) {
      if (kept.has(claim.id)) return false;
      kept.set(claim.id, claim);
      return true;
    },
    find: async (id) => kept.get(id),
    async replace(seen, { runningMsMax: _, ...next }) {
      if (!isHeld(seen)) return false;
      kept.set(seen.id, next);
      return true;
    },
    async answer({ id, effectId }, answer) {
      if (kept.get(id)?.effectId === effectId) change(id, { answer });
    },
    async release(claim) {
      if (isHeld(claim)) kept.delete(claim.id);
    },
    async leaveToAnybody(claim) {
      if (isHeld(claim)) change(claim.id, { claimedAtMs: 0 });
    },
  };
}

function run(
  work: Partial<IdempotentWork<Made>> = {},
  options: Partial<IdempotencyOptions> = {},
): Promise<IdempotentResult<Made>> {
  return runIdempotently<Made>(
    { idempotencyClaims: claims, clock, logger, ...options },
    {
      scope: 'acc_1',
      operation: 'make',
      idempotency: ONCE,
      newEffectId() {
        ids += 1;
        return `effect_${ids}`;
      },
      effect,
      findEffect: async (id) => (made.includes(id) ? { id } : undefined),
      ...work,
    },
  );
}

async function effect(id: string): Promise<Made> {
  made.push(id);
  return { id };
}

const killed = () => Promise.reject(new Error('gone'));
const lost = () => run({}, { idempotencyClaims: { ...claims, answer: killed } });
const [mismatch, running] = [{ code: 'IDEMPOTENCY_MISMATCH' }, { code: 'CONFLICT' }];

test('a request without a key is done every time and leaves nothing', async () => {
  await run({ idempotency: NO_KEY });
  expect((await run({ idempotency: NO_KEY })).replayed).toBe(false);
  expect(made).toHaveLength(2);
  expect(kept.size).toBe(0);
});

test('work that makes nothing with an id has an id of its own kind, kept with its claim', async () => {
  const ran: string[] = [];
  const change: IdempotentWork<Made> = {
    operation: 'change',
    idempotency: ONCE,
    effect: async (id) => {
      ran.push(id);
      throw new Error('gone');
    },
    findEffect: async () => undefined,
  };
  const options = { idempotencyClaims: claims, clock, logger };
  await expect(runIdempotently(options, change)).rejects.toThrow('gone');
  // A claim of an earlier version, whose effects had ids of events, is gone on with as it is.
  const [claim] = kept.values();
  kept.set(claim?.id ?? '', { ...(claim as KeptClaim), effectId: 'evt_1' });
  await expect(runIdempotently(options, change)).rejects.toThrow('gone');
  expect(ran).toEqual([expect.stringMatching(/^eff_/), 'evt_1']);
});

test('a repetition within 24 hours is answered the same and done once', async () => {
  const first = await run();
  expect(first).toEqual({ answer: { id: 'effect_1' }, replayed: false });
  await clock.advance(DAY_MS - 1);
  const findEffect = () => Promise.reject(new Error('nothing has to be looked for'));
  expect(await run({ findEffect })).toEqual({ ...first, replayed: true });
  expect(made).toEqual(['effect_1']);
});

test('after 24 hours the key is free for anything, and what it answered is forgotten', async () => {
  await run();
  await clock.advance(DAY_MS);
  const other = { operation: 'make something else' };
  expect(await run(other)).toEqual({ answer: { id: 'effect_2' }, replayed: false });
  expect(await run(other)).toEqual({ answer: { id: 'effect_2' }, replayed: true });
});

test('the 24 hours begin with the first request, whoever finished its work', async () => {
  await lost();
  await clock.advance(RUNNING_MS);
  await run();
  await clock.advance(DAY_MS - RUNNING_MS);
  expect((await run()).replayed).toBe(false);
});

test('a key belongs to one operation, one body and one scope', async () => {
  await run();
  await expect(run({ operation: 'break' })).rejects.toMatchObject(mismatch);
  const idempotency = { ...ONCE, bodyDigest: 'b' };
  await expect(run({ idempotency })).rejects.toMatchObject(mismatch);
  expect((await run({ idempotency, scope: 'acc_2' })).replayed).toBe(false);
  expect(made).toHaveLength(2);
});

test('the effect is claimed under its id before it happens', async () => {
  const seen: unknown[] = [];
  await run({
    async effect(id) {
      seen.push(...kept.values());
      return effect(id);
    },
  });
  expect(seen).toMatchObject([{ effectId: 'effect_1', claimedAtMs: clock.now() }]);
});

test('a claim holds digests of the scope, its key, the operation and the body', async () => {
  await run();
  const [claim] = kept.values();
  expect(claim?.id).toBe(sha256Hex('acc_1\nonce'));
  expect(claim?.digest).toBe(sha256Hex('make\na'));
  kept.clear();
  const digestsOf = (request: string) => [`peppered ${request}`, `older ${request}`] as const;
  await runIdempotently<Made>(
    { idempotencyClaims: claims, clock, logger, digestsOf },
    {
      operation: 'make',
      idempotency: { key: 'acc_1/once', bodyDigest: 'a' },
      newEffectId: () => 'effect',
      effect,
      findEffect: async () => undefined,
    },
  );
  expect([...kept.values()]).toMatchObject([
    { id: sha256Hex('acc_1/once'), digest: 'peppered make\na' },
  ]);
});

test.each([
  ['30 seconds', {}, RUNNING_MS],
  ['as long as its work may take', { runningMsMax: 150_000 }, 150_000],
])('a request that went silent is running for %s', async (_title, work, runningMs) => {
  const answer = Promise.withResolvers<Made>();
  const first = run({ ...work, effect: () => answer.promise });
  await clock.advance(runningMs - 1);
  await expect(run(work)).rejects.toMatchObject({
    ...running,
    retryable: true,
    retryAfterMs: 1000,
    publicMessage: expect.stringContaining(`after ${runningMs / 1000} seconds at most.`) as string,
  });
  await clock.advance(1);
  expect((await run(work)).replayed).toBe(false);
  answer.resolve({ id: 'effect_1' });
  await first;
  expect(made).toEqual(['effect_1']);
});

test('a request that was killed after its effect is found, never redone', async () => {
  const first = await lost();
  expect(first.replayed).toBe(false);
  expect(logger.lines).toMatchObject([{ level: 'warn' }]);
  await clock.advance(RUNNING_MS);
  expect(await run()).toEqual({ ...first, replayed: true });
  const findEffect = () => Promise.reject(new Error('it was noted'));
  expect(await run({ findEffect })).toEqual({ ...first, replayed: true });
  expect(made).toEqual(['effect_1']);
});

test('a request that failed is finished by the next at once, under the same id', async () => {
  await expect(run({ effect: killed })).rejects.toThrow('gone');
  const unavailable = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
  await expect(run({ effect: unavailable })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(run({ operation: 'break' })).rejects.toMatchObject(mismatch);
  expect(await run()).toEqual({ answer: { id: 'effect_1' }, replayed: false });
});

test('a request that was refused leaves its key to a corrected one', async () => {
  const refused = () => Promise.reject(new AppError('VALIDATION_ERROR'));
  await expect(run({ effect: refused })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  const corrected = await run({ idempotency: { ...ONCE, bodyDigest: 'b' } });
  expect(corrected).toEqual({ answer: { id: 'effect_2' }, replayed: false });
});

test.each([
  ['refused', 'VALIDATION_ERROR' as const],
  ['of an uncertain outcome', 'SERVICE_UNAVAILABLE' as const],
])(
  'work that was overtaken and is %s leaves the claim to whoever took it',
  async (_title, code) => {
    const outcome = Promise.withResolvers<Made>();
    const overtaken = run({ effect: () => outcome.promise });
    await clock.advance(RUNNING_MS);
    const takersOutcome = Promise.withResolvers<Made>();
    const taker = run({ effect: () => takersOutcome.promise });
    await clock.advance(1);
    outcome.reject(new AppError(code));
    await expect(overtaken).rejects.toMatchObject({ code });
    await expect(run()).rejects.toMatchObject(running);
    takersOutcome.resolve({ id: 'effect_1' });
    expect((await taker).replayed).toBe(false);
    expect(await run()).toEqual({ answer: { id: 'effect_1' }, replayed: true });
  },
);

test('a request that stood still since its claim does nothing when it was overtaken', async () => {
  const claimed = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const insert: typeof claims.insert = async (claim) => {
    const isNew = await claims.insert(claim);
    claimed.resolve();
    await goesOn.promise;
    return isNew;
  };
  const overtaken = run({}, { idempotencyClaims: { ...claims, insert } });
  await claimed.promise;
  await clock.advance(RUNNING_MS);
  const taken = await run();
  goesOn.resolve();
  await expect(overtaken).rejects.toMatchObject(running);
  expect(await run()).toEqual({ ...taken, replayed: true });
  expect(made).toEqual(['effect_1']);
});

test('who took a claim over and is refused looks whether the effect was made meanwhile', async () => {
  await expect(run({ effect: killed })).rejects.toThrow('gone');
  const found = { answer: { id: 'effect_1' }, replayed: true };
  const isMadeMeanwhile = async (id: string): Promise<Made> => {
    await effect(id);
    throw new AppError('CONFLICT');
  };
  expect(await run({ effect: isMadeMeanwhile })).toEqual(found);
  expect(await run()).toEqual(found);
  expect(made).toEqual(['effect_1']);
});

test.each([
  ['after a refusal', 1],
  ['before the effect', 0],
])('a claim whose effect could not be looked for %s is left to anybody', async (_title, seen) => {
  await expect(run({ effect: killed })).rejects.toThrow('gone');
  let looks = 0;
  const findEffect = async () => {
    looks += 1;
    if (looks > seen) throw new AppError('DATABASE_ERROR');
    return undefined;
  };
  const refuse = () => Promise.reject(new AppError('NOT_FOUND'));
  const code = seen === 0 ? 'DATABASE_ERROR' : 'NOT_FOUND';
  await expect(run({ findEffect, effect: refuse })).rejects.toMatchObject({ code });
  expect(await run()).toEqual({ answer: { id: 'effect_1' }, replayed: false });
});

test('an answer that comes late is not kept with the claim of another effect', async () => {
  const outcome = Promise.withResolvers<Made>();
  const overtaken = run({ effect: () => outcome.promise });
  await clock.advance(DAY_MS);
  const next = await run();
  outcome.resolve({ id: 'effect_1' });
  await overtaken;
  expect(next.answer).toEqual({ id: 'effect_2' });
  expect(await run()).toEqual({ ...next, replayed: true });
});

test('of requests that find a claim left to anybody one finishes it, the others are told to wait', async () => {
  await expect(run({ effect: killed })).rejects.toThrow('gone');
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => run()));
  const refused = outcomes.filter((one) => one.status === 'rejected');
  for (const { reason } of refused) expect(reason).toMatchObject(running);
  expect(refused.length).toBeLessThan(outcomes.length);
  expect(made).toEqual(['effect_1']);
});

test('a claim that is released in the moment of its discovery is claimed anew', async () => {
  await run();
  const find = async (id: string) => {
    kept.delete(id);
    return undefined;
  };
  const again = await run({}, { idempotencyClaims: { ...claims, find } });
  expect(again).toEqual({ answer: { id: 'effect_2' }, replayed: false });
});
