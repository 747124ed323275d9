import { AppError, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { answer } from '../testing/fake-answers';
import type { CompletionClient, CompletionListener } from './completion-client';
import { completionInput } from './completion-client-contract';
import { createCompletionPool } from './completion-pool';
import { rankByRendezvous } from './rendezvous';

const call = (accountId: string) => ({
  requestId: 'req_1',
  accountId,
  traceparent: '',
  deadlineMs: 1000,
});

/** Instances whose requests end when the test says so. */
async function createPool(addresses: readonly string[], inFlightMax = 100) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const closed: string[] = [];
  const endings: (() => void)[] = [];
  let known = addresses;
  const failing = new Set<string>();
  const connect = (address: string): CompletionClient => ({
    complete() {
      asked.push(address);
      const result = failing.has(address)
        ? Promise.reject(new AppError('SERVICE_UNAVAILABLE'))
        : new Promise<ReturnType<typeof answer>>((resolve) => {
            endings.push(() => resolve(answer('x')));
          });
      return { answer: result, cancel() {} };
    },
    stream(_input, _call, listener: CompletionListener) {
      asked.push(address);
      endings.push(() => listener.onEnd({ ok: false, error: new AppError('UPSTREAM_ERROR') }));
      return { pause() {}, resume() {}, cancel() {} };
    },
    explain: async () => ({ model: '', candidates: [] }),
    drain: async () => {},
    close: () => void closed.push(address),
  });
  const pool = createCompletionPool({
    resolve: async () => known,
    connect,
    resolveIntervalMs: 5000,
    inFlightMax,
    clock,
    logger: silentLogger,
  });
  await pool.start();
  const ask = (account: string) => {
    pool.complete(completionInput(), call(account)).answer.catch(() => {});
    return asked.at(-1);
  };
  return {
    pool,
    ask,
    asked,
    closed,
    endings,
    clock,
    failing,
    setKnown: (next: readonly string[]) => {
      known = next;
    },
  };
}

const THREE = ['a:1', 'b:1', 'c:1'];
const accounts = Array.from({ length: 300 }, (_, index) => `acc_${index}`);

test('an account goes to one instance, and accounts spread over all of them', async () => {
  const { ask } = await createPool(THREE, 10_000);
  const homes = accounts.map((account) => ask(account));
  expect(accounts.map((account) => ask(account))).toEqual(homes);
  for (const address of THREE) {
    expect(homes.filter((home) => home === address).length).toBeGreaterThan(50);
  }
});

test('an instance that leaves moves its own accounts and no others', () => {
  const members = THREE.map((address) => ({ address }));
  for (const account of accounts) {
    const [home] = rankByRendezvous(members, account);
    const [next] = rankByRendezvous(members.slice(1), account);
    if (home?.address !== 'a:1') expect(next).toEqual(home);
  }
});

test("what an instance cannot take goes to the next in the account's order", async () => {
  const { ask, endings } = await createPool(THREE, 2);
  const order = rankByRendezvous(
    THREE.map((address) => ({ address })),
    'acc_1',
  );
  const went = Array.from({ length: 6 }, () => ask('acc_1'));
  expect(went).toEqual(order.flatMap(({ address }) => [address, address]));
  expect(() => ask('acc_1')).toThrow(AppError);
  endings[0]?.();
  await Promise.resolve();
  await Promise.resolve();
  expect(ask('acc_1')).toBe(order[0]?.address);
});

test('a streamed request holds its place until it ends', async () => {
  const { pool, endings, ask } = await createPool(['a:1'], 1);
  const listener = { onHead() {}, onChunk() {}, onEnd: jest.fn() };
  pool.stream(completionInput(), call('acc_1'), listener);
  expect(() => ask('acc_1')).toThrow(AppError);
  endings[0]?.();
  expect(listener.onEnd).toHaveBeenCalledTimes(1);
  expect(ask('acc_1')).toBe('a:1');
});

test('an instance that just failed is asked last for a second', async () => {
  const { ask, failing, clock } = await createPool(THREE);
  const [first, second] = rankByRendezvous(
    THREE.map((address) => ({ address })),
    'acc_1',
  );
  failing.add(first?.address ?? '');
  ask('acc_1');
  await clock.advance(1);
  expect(ask('acc_1')).toBe(second?.address);
  failing.clear();
  await clock.advance(1000);
  expect(ask('acc_1')).toBe(first?.address);
});

test('addresses are looked up again: new ones serve, gone ones are drained and closed', async () => {
  const { pool, clock, setKnown, closed, ask } = await createPool(['a:1']);
  setKnown(['b:1']);
  await clock.advance(5000);
  expect(pool.instanceCount).toBe(1);
  expect(ask('acc_1')).toBe('b:1');
  expect(closed).toEqual(['a:1']);
});
