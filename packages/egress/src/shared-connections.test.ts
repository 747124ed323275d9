import type { ServerResponse } from 'node:http';
import { silentLogger } from '@tollgate/core';
import { settlePromises } from '@tollgate/testkit';
import { collectResponse } from './collect-response';
import { createEgressClient, type EgressClient, type FailureReason } from './index';
import { startHttpServer, stopLocalServers } from './testing/local-servers';

const clients: EgressClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await stopLocalServers();
});

/** A pool to a server that lets a request hang until the test answers it, and tells of each. */
async function setUp(connections: number, queuedMax = 1_024) {
  const gate = { isOpen: true };
  const held = new Map<string, ServerResponse>();
  const arrivals = new Map<string, PromiseWithResolvers<ServerResponse>>();
  const arrivalOf = (name: string) => {
    const arrival = arrivals.get(name) ?? Promise.withResolvers<ServerResponse>();
    arrivals.set(name, arrival);
    return arrival;
  };
  const server = await startHttpServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    held.set(name, response);
    arrivalOf(name).resolve(response);
  });
  const client = createEgressClient({ allowedPrivateHosts: ['127.0.0.1'], logger: silentLogger });
  clients.push(client);
  const crowded: string[] = [];
  const pool = client.createOriginPool(server.url, {
    connections,
    connectTimeoutMs: 5_000,
    bodyTimeoutMs: 20_000,
    keepAliveMs: 5_000,
    onCrowded: (became) => void crowded.push(became),
    mayLeaveQueue: () => gate.isOpen,
    queuedMax,
  });
  /** The first letter of the name is the owner. */
  const dispatch = (name: string) => {
    const end = Promise.withResolvers<FailureReason | 'ended'>();
    const handle = pool.dispatch(
      { method: 'GET', path: `/${name}`, owner: name.slice(0, 1) },
      {
        onHead() {},
        onData() {},
        onEnd: () => end.resolve('ended'),
        onFailure: (_error, _phase, reason) => end.resolve(reason),
      },
    );
    return { handle, end: end.promise };
  };
  const arrived = (name: string) => arrivalOf(name).promise;
  /** Answers it once it has come. */
  const answer = async (name: string) => void (await arrived(name)).end();
  return { answer, arrived, crowded, dispatch, gate, held, pool, url: server.url };
}

const many = (owner: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${owner}${index}`);

it('leaves connections to everybody else, whatever two owners let hang', async () => {
  const { answer, arrived, crowded, dispatch, held, pool } = await setUp(12);
  for (const name of [...many('a', 20), ...many('b', 20)]) dispatch(name);
  const sent = [...many('a', 6), ...many('b', 3)];
  await Promise.all(sent.map(arrived));
  expect(crowded).toHaveLength(31);
  expect([pool.hasRoom('a'), pool.hasRoom('b'), pool.hasRoom('c')]).toEqual([false, false, true]);
  const third = dispatch('c');
  await answer('c');
  expect(await third.end).toBe('ended');
  expect([...held.keys()].sort()).toEqual([...sent, 'c'].sort());
});

it('passes a free connection on to the owner whose turn it is and that has room', async () => {
  const { answer, arrived, dispatch, held } = await setUp(2);
  const names = ['a1', 'b1', 'a2', 'a3', 'b2', 'c1'];
  const exchanges = new Map(names.map((name) => [name, dispatch(name)]));
  await Promise.all([arrived('a1'), arrived('b1')]);
  const order: (readonly [answered: string, next: string])[] = [
    ['a1', 'a2'],
    // Here b would hold both.
    ['a2', 'c1'],
    ['b1', 'b2'],
    ['c1', 'a3'],
  ];
  for (const [answered, next] of order) {
    await answer(answered);
    expect(await exchanges.get(answered)?.end).toBe('ended');
    await arrived(next);
    expect([...held.keys()].at(-1)).toBe(next);
  }
});

it('lets no exchange pass those that wait in the queue of its owner', async () => {
  const { answer, arrived, dispatch, held, pool } = await setUp(2);
  const [first] = ['a1', 'a2'].map(dispatch);
  await answer('a1');
  expect(await first?.end).toBe('ended');
  expect(pool.hasRoom('a')).toBe(false);
  dispatch('a3');
  await arrived('a2');
  expect([...held.keys()]).toEqual(['a1', 'a2']);
});

it('leaves a queue standing while what waits may not begin, until an exchange ends or comes', async () => {
  const { answer, arrived, dispatch, gate, held } = await setUp(4);
  const [first, second] = ['a1', 'a2', 'a3'].map(dispatch);
  gate.isOpen = false;
  await Promise.all([answer('a1'), answer('a2')]);
  expect([await first?.end, await second?.end]).toEqual(['ended', 'ended']);
  await settlePromises();
  expect(held.size).toBe(2);
  gate.isOpen = true;
  dispatch('a4');
  await Promise.all([arrived('a3'), arrived('a4')]);
});

describe('a connection goes back exactly once', () => {
  type SetUp = Awaited<ReturnType<typeof setUp>>;
  const waysOut: Readonly<Record<string, (parts: SetUp) => Promise<unknown>>> = {
    async 'of an exchange that was answered'({ answer, dispatch }) {
      const { end } = dispatch('a1');
      await answer('a1');
      expect(await end).toBe('ended');
    },
    async 'of one that failed'({ arrived, dispatch }) {
      const { end } = dispatch('a1');
      (await arrived('a1')).destroy();
      expect(await end).toBe('reset');
    },
    async 'of one that was aborted while it ran'({ arrived, dispatch }) {
      const { end, handle } = dispatch('a1');
      await arrived('a1');
      handle.abort();
      handle.abort();
      expect(await end).toBe('aborted');
    },
    async 'of one that was aborted before it was sent'({ dispatch }) {
      const { end, handle } = dispatch('a1');
      handle.abort();
      expect(await end).toBe('aborted');
    },
    async 'of one that HTTP cannot carry'({ pool }) {
      const request = { method: 'GET', path: '/', headers: { bad: 'a\r\nb: c' } } as const;
      const asked = collectResponse(
        (observer) => pool.dispatch({ ...request, owner: 'a' }, observer),
        { responseBytesMax: 10 },
      );
      await expect(asked).rejects.toThrow();
    },
    async 'and none of one that was aborted while it waited'({ answer, arrived, dispatch }) {
      const [first, second, third] = ['a1', 'a2', 'a3'].map(dispatch);
      await Promise.all([arrived('a1'), arrived('a2')]);
      third?.handle.abort();
      third?.handle.abort();
      expect(await third?.end).toBe('aborted');
      await Promise.all([answer('a1'), answer('a2')]);
      expect([await first?.end, await second?.end]).toEqual(['ended', 'ended']);
    },
  };

  it.each(Object.keys(waysOut))('%s', async (way) => {
    const parts = await setUp(4);
    await waysOut[way]?.(parts);
    const { answer, arrived, crowded, dispatch } = parts;
    // It is back when one of another owner, who may have one less than all, is sent.
    const others = many('b', 3).map(dispatch);
    await Promise.all([arrived('b0'), arrived('b1')]);
    await Promise.all(many('b', 3).map(answer));
    await Promise.all(others.map(({ end }) => end));
    crowded.length = 0;
    // Of four, one owner may have two and not three.
    many('c', 3).map(dispatch);
    expect(crowded).toEqual(['waiting']);
    await Promise.all([arrived('c0'), arrived('c1')]);
  });
});

it('refuses an owner that waits with more than it leaves free, and nobody else', async () => {
  const { crowded, dispatch } = await setUp(1, 2);
  const [, second, third] = ['a1', 'a2', 'a3'].map(dispatch);
  expect(await third?.end).toBe('overloaded');
  const other = dispatch('b1');
  expect(crowded).toEqual(['waiting', 'refused', 'waiting']);
  for (const each of [second, other]) each?.handle.abort();
  expect([await second?.end, await other.end]).toEqual(['aborted', 'aborted']);
});

it('sends what waits when the pool takes nothing new any more', async () => {
  const { answer, arrived, dispatch, pool } = await setUp(2);
  const [first, second, third] = ['a1', 'a2', 'a3'].map(dispatch);
  await arrived('a1');
  const closing = pool.close();
  expect(await dispatch('b1').end).toBe('closed');
  await Promise.all(['a1', 'a2', 'a3'].map(answer));
  expect([await first?.end, await second?.end, await third?.end]).toEqual([
    'ended',
    'ended',
    'ended',
  ]);
  await closing;
});

it('lets nobody who comes as a connection is released pass one who waits for it', async () => {
  const { answer, arrived, crowded, dispatch, held, pool } = await setUp(2);
  let newcomerHasRoom: boolean | undefined;
  const newcomer = new Promise((resolve) => {
    const onEnd = () => {
      newcomerHasRoom = pool.hasRoom('n');
      resolve(dispatch('n1').end);
    };
    const observer = { onHead() {}, onData() {}, onEnd, onFailure() {} };
    pool.dispatch({ method: 'GET', path: '/a1', owner: 'a' }, observer);
  });
  await arrived('a1');
  dispatch('b1');
  await arrived('b1');
  dispatch('w1');
  await answer('a1');
  await arrived('w1');
  expect(held.has('n1')).toBe(false);
  // It waits for its turn, and not because its account holds too many.
  expect(newcomerHasRoom).toBe(true);
  expect(crowded).toEqual(['waiting']);
  await answer('b1');
  await answer('w1');
  await answer('n1');
  expect(await newcomer).toBe('ended');
});

it('puts the body of an exchange together when its turn comes, and never of one that is refused', async () => {
  const { answer, arrived, dispatch, pool } = await setUp(2, 2);
  const concat = jest.spyOn(Buffer, 'concat');
  dispatch('a1');
  await arrived('a1');
  const body = [Buffer.from('be'), Buffer.from('gin')];
  const dispatchBody = (path: string) =>
    new Promise((resolve) => {
      pool.dispatch(
        { method: 'POST', path, body, owner: 'a' },
        {
          onHead() {},
          onData() {},
          onEnd: () => resolve('ended'),
          onFailure: (_e, _p, r) => resolve(r),
        },
      );
    });
  concat.mockClear();
  const waiting = dispatchBody('/a2');
  expect(await dispatchBody('/a3')).toBe('overloaded');
  expect(concat).not.toHaveBeenCalledWith(body);
  await answer('a1');
  await answer('a2');
  expect(await waiting).toBe('ended');
  expect(concat).toHaveBeenCalledWith(body);
  concat.mockRestore();
});
