import { AppError, silentLogger } from '@tollgate/core';
import { hostConfigSchema } from '@tollgate/lifecycle';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { gatewayConfigSchema } from '../../config';
import { askWhole, createListener } from '../../testing/completion-listener';
import { answer, completionInput } from '../../testing/fixtures';
import {
  type ActiveRequests,
  type CompletionClient,
  NotBegunError,
  QueueFullError,
} from './client';
import { createCompletionPool, rankByRendezvous } from './pool';

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
  const drained: string[] = [];
  const drains = { over: Promise.resolve() };
  const endings: (() => void)[] = [];
  let known = addresses;
  const failing = new Map<string, AppError>();
  const away = new Set<string>();
  const running = new Map<string, ActiveRequests['requests']>();
  const connect = (address: string): CompletionClient => ({
    get available() {
      return !away.has(address);
    },
    open(_request, _call, { onEnd }) {
      asked.push(address);
      const error = failing.get(address);
      if (error !== undefined) queueMicrotask(() => onEnd({ kind: 'failed', error }));
      else endings.push(() => onEnd({ kind: 'whole', answer: answer('x') }));
      return { resume() {}, cancel() {} };
    },
    explain: async () => ({ model: '', candidates: [] }),
    countTokens: async () => ({ promptTokens: 0 }),
    defaultTimeouts: async () => ({
      connectMs: 0,
      headMs: 0,
      wholeHeadMs: 0,
      firstTokenMs: 0,
      idleMs: 0,
      totalMs: 0,
    }),
    listActive: async () => {
      if (away.has(address)) throw new AppError('SERVICE_UNAVAILABLE');
      return { requests: running.get(address) ?? [], count: 150, reserved: 7n, silent: [] };
    },
    async drain(deadlineMs) {
      drained.push(`${address} ${deadlineMs}`);
      await drains.over;
    },
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
  const ask = (account: string, model = 'small-chat') => {
    const input = { ...completionInput(), model };
    askWhole(pool, input, call(account)).answer.catch(() => {});
    return asked.at(-1);
  };
  return {
    pool,
    ask,
    asked,
    closed,
    drained,
    drains,
    endings,
    clock,
    failing,
    away,
    running,
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
  const { ask, endings } = await createPool(THREE, 4);
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

describe('what one instance carries is shared', () => {
  const askAll = (ask: (account: string) => unknown, account: string) => {
    let taken = 0;
    try {
      for (; taken < 1000; taken += 1) ask(account);
    } catch (error) {
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    return taken;
  };

  test('an account has as many as it leaves free, so that others find room', async () => {
    const { ask, pool } = await createPool(['a:1'], 12);
    // Each of its own model, so that no model is in the way.
    const heavy = (account: string) => ask(account, `model of ${account}`);
    expect([askAll(heavy, 'acc_1'), askAll(heavy, 'acc_2')]).toEqual([6, 3]);
    expect(ask('acc_3')).toBe('a:1');
    expect(pool.inFlight).toBe(10);
  });

  test('a model leaves a quarter, however many accounts ask for it', async () => {
    const { ask } = await createPool(['a:1'], 12);
    const taken = accounts.filter((account) => {
      try {
        return ask(account, 'hangs');
      } catch {
        return false;
      }
    });
    expect(taken).toHaveLength(9);
    expect(ask('acc_of_another_model')).toBe('a:1');
  });

  test('every place comes back once, whichever way a request ends', async () => {
    const { ask, clock, endings, failing, pool } = await createPool(['a:1'], 12);
    const heavy = (account: string) => ask(account, `model of ${account}`);
    expect(askAll(heavy, 'acc_1')).toBe(6);
    for (const end of endings) end();
    failing.set('a:1', new AppError('SERVICE_UNAVAILABLE'));
    heavy('acc_1');
    failing.set('a:1', new NotBegunError('completion is away'));
    heavy('acc_1');
    await clock.advance(1000);
    failing.clear();
    expect(pool.inFlight).toBe(0);
    expect([askAll(heavy, 'acc_1'), askAll(heavy, 'acc_2')]).toEqual([6, 3]);
  });

  test('an account without room is not told what the instance would say', async () => {
    const { ask, pool } = await createPool(['a:1'], 2);
    ask('acc_1');
    await expect(pool.explain({} as never, call('acc_1'))).rejects.toThrow(AppError);
    await expect(pool.explain({} as never, call('acc_2'))).resolves.toBeDefined();
    const replay = { ...call('acc_1'), isReplay: true };
    await expect(pool.explain({} as never, replay)).resolves.toBeDefined();
  });
});

test('addresses are looked up twice while an instance that stops still serves', () => {
  const { defaultValue: lookUpMs = 0 } = gatewayConfigSchema.settings.completionResolveMs;
  const { defaultValue: leavingMs = 0 } = hostConfigSchema.settings.shutdownWaitMs;
  expect([lookUpMs > 0, lookUpMs * 2 < leavingMs]).toEqual([true, true]);
});

test('a streamed request holds its place until it ends', async () => {
  const { pool, endings, ask } = await createPool(['a:1'], 1);
  const listener = createListener();
  pool.open({ input: completionInput(), stream: true }, call('acc_1'), listener);
  expect(() => ask('acc_1')).toThrow(AppError);
  endings[0]?.();
  expect(listener.ends).toHaveLength(1);
  expect(ask('acc_1')).toBe('a:1');
});

test('a refusal of one request leaves its instance to all others', async () => {
  const { ask, failing, clock } = await createPool(THREE);
  const first = ask('acc_1') ?? '';
  failing.set(first, new AppError('SERVICE_UNAVAILABLE'));
  ask('acc_1');
  await clock.advance(1);
  expect(ask('acc_1')).toBe(first);
});

test('an instance that just took nothing is asked last for a second', async () => {
  const { ask, failing, clock } = await createPool(THREE);
  const [first, second] = rankByRendezvous(
    THREE.map((address) => ({ address })),
    'acc_1',
  );
  failing.set(first?.address ?? '', new NotBegunError('completion is away'));
  ask('acc_1');
  await clock.advance(1);
  expect(ask('acc_1')).toBe(second?.address);
  failing.clear();
  await clock.advance(1000);
  expect(ask('acc_1')).toBe(first?.address);
});

test('an instance whose queue is too full for one long prompt stays the home of others', async () => {
  const { asked, ask, clock, failing } = await createPool(THREE);
  const home = ask('acc_1') ?? '';
  const neighbour = accounts.find((account) => account !== 'acc_1' && ask(account) === home) ?? '';
  failing.set(home, new QueueFullError());
  const before = asked.length;
  ask('acc_1');
  await clock.advance(1);
  // It went on to another instance.
  expect(asked.slice(before)).toHaveLength(2);
  failing.clear();
  expect([ask(neighbour), ask('acc_1')]).toEqual([home, home]);
});

test('an instance is not suspected for what a client took back before it left', async () => {
  const { ask, asked, failing, pool } = await createPool(THREE);
  const home = ask('acc_1') ?? '';
  failing.set(home, new NotBegunError('the request was taken back'));
  const taken = askWhole(pool, completionInput(), call('acc_1'));
  taken.cancel();
  await expect(taken.answer).rejects.toThrow('taken back');
  failing.clear();
  expect(ask('acc_1')).toBe(home);
  expect(asked).toEqual([home, home, home]);
});

test('addresses are looked up again: new ones serve, gone ones are drained and closed', async () => {
  const { pool, clock, setKnown, closed, ask } = await createPool(['a:1']);
  setKnown(['b:1']);
  await clock.advance(5000);
  expect(pool.instances).toEqual([{ address: 'b:1', available: true }]);
  expect(ask('acc_1')).toBe('b:1');
  expect(closed).toEqual(['a:1']);
});

test('an instance that is leaving is counted, drained and closed like the others', async () => {
  const { ask, clock, closed, drained, drains, endings, pool, setKnown } = await createPool([
    'a:1',
  ]);
  const { promise, resolve } = Promise.withResolvers<void>();
  drains.over = promise;
  ask('acc_1');
  setKnown(['b:1']);
  await clock.advance(5000);
  expect(pool.inFlight).toBe(1);
  drained.length = 0;
  const draining = pool.drain(0);
  expect(drained).toEqual(['b:1 0', 'a:1 0']);
  pool.close();
  expect(closed).toEqual(['b:1', 'a:1']);
  endings[0]?.();
  resolve();
  await draining;
  expect(pool.inFlight).toBe(0);
});

describe('a request that certainly was not begun', () => {
  const order = rankByRendezvous(
    THREE.map((address) => ({ address })),
    'acc_1',
  ).map(({ address }) => address);
  const [first = '', second = '', third = ''] = order;
  const notBegun = new NotBegunError('completion is away');

  test('goes to the other instances in the order of the account, each once', async () => {
    const { asked, failing, pool } = await createPool(THREE);
    for (const address of order) failing.set(address, notBegun);
    const { answer: pending } = askWhole(pool, completionInput(), call('acc_1'));
    await expect(pending).rejects.toBe(notBegun);
    expect(asked).toEqual(order);
    const heard = createListener();
    pool.open({ input: completionInput(), stream: true }, call('acc_1'), heard);
    await settlePromises();
    expect(heard.ends).toHaveLength(1);
    expect(asked).toHaveLength(6);
  });

  test('is answered by the one that takes it', async () => {
    const { asked, endings, failing, pool } = await createPool(THREE);
    failing.set(first, notBegun);
    const { answer: pending } = askWhole(pool, completionInput(), call('acc_1'));
    await settlePromises();
    endings[0]?.();
    await expect(pending).resolves.toBeDefined();
    expect(asked).toEqual([first, second]);
    const heard = createListener();
    pool.open({ input: completionInput(), stream: true }, call('acc_2'), heard).cancel();
    expect(heard.ends).toEqual([]);
  });

  test('is not asked for again once it was cancelled', async () => {
    const { asked, failing, pool } = await createPool(THREE);
    for (const address of order) failing.set(address, notBegun);
    const whole = askWhole(pool, completionInput(), call('acc_1'));
    whole.cancel();
    await expect(whole.answer).rejects.toBe(notBegun);
    const heard = createListener();
    pool.open({ input: completionInput(), stream: true }, call('acc_1'), heard).cancel();
    await settlePromises();
    expect(heard.ends).toHaveLength(1);
    expect(asked).toEqual([first, first]);
  });

  test('is told from one that may have been begun, which nobody repeats', async () => {
    const { asked, failing, pool } = await createPool(THREE);
    failing.set(first, new AppError('SERVICE_UNAVAILABLE', { retryable: false }));
    const { answer: pending } = askWhole(pool, completionInput(), call('acc_1'));
    await expect(pending).rejects.toMatchObject({ retryable: false });
    expect(asked).toEqual([first]);
  });

  test('an instance that is away or shuts down is asked only when all others are too', async () => {
    const { ask, away, pool } = await createPool(THREE);
    away.add(first);
    expect(ask('acc_1')).toBe(second);
    away.add(second);
    expect(ask('acc_1')).toBe(third);
    away.add(third);
    expect(pool.available).toBe(false);
    expect(ask('acc_1')).toBe(first);
  });
});

test('what runs for an account is asked of every instance, also of one that is leaving', async () => {
  const { away, pool, running, setKnown, clock } = await createPool(THREE);
  const active = (requestId: string, startedAtMs: bigint) => ({
    requestId,
    startedAtMs,
    clientRequestId: '',
    accountId: 'acc_1',
    keyId: 'key_1',
    requestedModel: 'small',
    model: 'small',
    channelId: 'chn_1',
    attempts: 1,
    reserved: 7n,
  });
  running.set('a:1', [active('req_3', 3n), active('req_1', 1n)]);
  running.set('c:1', [active('req_2', 2n)]);
  away.add('b:1');
  const ask = () => pool.listActive({ accountId: 'acc_1', name: '' }, call('acc_1'));
  const found = await ask();
  expect(found.requests.map(({ requestId }) => requestId)).toEqual(['req_1', 'req_2', 'req_3']);
  expect(found).toMatchObject({ count: 300, reserved: 14n, silent: ['b:1'] });
  setKnown(['c:1']);
  await clock.advance(5000);
  expect(await ask()).toMatchObject({ count: 150, silent: [] });
});
