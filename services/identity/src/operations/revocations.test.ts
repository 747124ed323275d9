import { NO_KEY } from '@tollgate/mongo';
import { settlePromises } from '@tollgate/testkit';
import type { Actor } from '../domain/actor';
import type { PrincipalDelta } from '../domain/ports';
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture';
import { createRevocationOperations } from './revocations';

let identity: IdentityFixture;
let owner: Actor;
let stop: AbortController;

beforeEach(async () => {
  identity = await startIdentityFixture();
  owner = (await identity.makeUser()).actor;
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await identity.close();
});

async function makeKey() {
  const issued = await identity.operations.createApiKey({
    actor: owner,
    settings: { name: 'k' },
    idempotency: NO_KEY,
  });
  return issued.key.id;
}

function watch(after: bigint, options: { readonly stalled?: Promise<void> } = {}) {
  const deltas: PrincipalDelta[] = [];
  const sink = {
    write: (delta: PrincipalDelta) => {
      deltas.push(delta);
      return options.stalled === undefined;
    },
    drained: () => options.stalled ?? Promise.resolve(),
  };
  const done = identity.operations.watchRevocations(after, sink, stop.signal);
  return { deltas, done };
}

test('the stream begins with the present revision and beats at least once a second', async () => {
  const { deltas } = watch(0n);
  await settlePromises();
  expect(deltas).toEqual([{ revision: 1n, changes: [], reset: false }]);
  await identity.clock.advance(1000);
  expect(deltas.length).toBeGreaterThanOrEqual(3);
});

test('a revocation is pushed without waiting for a heartbeat', async () => {
  const keyId = await makeKey();
  const { deltas } = watch(0n);
  await settlePromises();
  await identity.operations.deleteApiKey({ actor: owner, keyId });
  await settlePromises();
  expect(deltas.at(-1)).toEqual({ revision: 2n, changes: [keyId], reset: false });
});

test('a gateway that reconnects gets what it missed, once', async () => {
  const first = await makeKey();
  const second = await makeKey();
  await identity.operations.deleteApiKey({ actor: owner, keyId: first });
  const after = identity.adapters.principalLog.revision();
  await identity.operations.deleteApiKey({ actor: owner, keyId: second });
  const { deltas } = watch(after);
  await settlePromises();
  expect(deltas[0]).toEqual({ revision: after + 1n, changes: [second], reset: false });
  await identity.clock.advance(500);
  expect(deltas.at(-1)?.changes).toEqual([]);
});

test('a gateway that connected before the first change misses nothing while it is disconnected', async () => {
  const keyId = await makeKey();
  const { deltas } = watch(0n);
  await settlePromises();
  const seen = deltas[0]?.revision ?? 0n;
  await identity.operations.deleteApiKey({ actor: owner, keyId });
  const again = watch(seen);
  await settlePromises();
  expect(again.deltas[0]?.changes).toEqual([keyId]);
});

test('a gateway that names a revision that never was must forget everything', async () => {
  const { deltas } = watch(999n);
  await settlePromises();
  expect(deltas[0]).toMatchObject({ reset: true, revision: 1n });
});

test('a reader that stalls gets the missed changes in one delta', async () => {
  const keys = [await makeKey(), await makeKey(), await makeKey()];
  let resume = () => {};
  const stalled = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const { deltas } = watch(0n, { stalled });
  await settlePromises();
  for (const keyId of keys) await identity.operations.deleteApiKey({ actor: owner, keyId });
  await settlePromises();
  expect(deltas).toHaveLength(1);
  resume();
  await settlePromises();
  expect(deltas[1]).toEqual({ revision: 4n, changes: keys, reset: false });
});

test('a reader that stalls for long is told to forget everything, not of each change', async () => {
  let tell: (delta: PrincipalDelta) => void = () => {};
  const principalLog = {
    ...identity.adapters.principalLog,
    subscribe: (_: bigint, listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  };
  const { promise: stalled, resolve: resume } = Promise.withResolvers<void>();
  const deltas: PrincipalDelta[] = [];
  const sink = {
    write: (delta: PrincipalDelta) => deltas.push(delta) < 1,
    drained: () => stalled,
  };
  const { watchRevocations } = createRevocationOperations({ clock: identity.clock, principalLog });
  void watchRevocations(1n, sink, stop.signal);
  await settlePromises();
  for (let revision = 2n; revision <= 10_002n; revision += 1n) {
    tell({ revision, changes: [`key_${revision}`], reset: false });
  }
  tell({ revision: 10_003n, changes: ['key_last'], reset: false });
  resume();
  await settlePromises();
  expect(deltas[1]).toEqual({ revision: 10_003n, changes: [], reset: true });
});

test('the stream ends when its peer goes', async () => {
  const { done } = watch(0n);
  await settlePromises();
  stop.abort();
  await expect(done).resolves.toBeUndefined();
});

test('a plan change names the account', async () => {
  const operator = (await identity.makeUser({ role: 'operator' })).actor;
  const { deltas } = watch(0n);
  const change = { name: undefined, plan: 'smart', status: undefined };
  const { accountId } = owner;
  await identity.operations.updateAccount({ actor: operator, accountId, ...change });
  await settlePromises();
  expect(deltas.at(-1)?.changes).toEqual([accountId]);
});
