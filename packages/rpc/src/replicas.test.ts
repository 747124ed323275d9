import { promises } from 'node:dns';
import { AppError, createSystemClock, silentLogger } from '@tollgate/core';
import { createFakeClock, waitFor } from '@tollgate/testkit';
import { type CallInfo, createRpcClient, createRpcServer, definitionOf } from './index';

const security = { serviceSecret: 'only-for-this-test', plaintext: true };
/** Long: none of these calls is to end by it. */
const DEADLINE_MS = 60_000;
/** After this part of its deadline a call is sent to another replica as well. */
const REPEAT_AFTER_MS = DEADLINE_MS * 0.4;
const SILENT_MS = 1000;
/** More than the breaker wants to see before it judges. */
const MANY = 40;

let closing: (() => Promise<void> | void)[];
beforeEach(() => {
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

type Answer = (request: { readonly accountId: string }, call: CallInfo) => Promise<unknown>;

interface Replica {
  /** Requests that reached it, by their account. */
  readonly asked: string[];
  answer: Answer;
  close(): Promise<void>;
}

const answered: Answer = async () => ({});
const never: Answer = () => new Promise(() => {});

/**
 * Replicas of billing behind one name, and a client of it. `getBalance` may be repeated, and
 * `addCredits` may not.
 */
async function startReplicas(count: number, clock = createFakeClock(Date.now())) {
  const replicas: Replica[] = [];
  let port = 0;
  for (let number = 1; number <= count; number += 1) {
    const server = createRpcServer({
      listen: `127.0.0.${number}:${port}`,
      security,
      host: { clock: createSystemClock(), logger: silentLogger },
    });
    const replica: Replica = { asked: [], answer: answered, close: () => server.close() };
    const handle: Answer = (request, call) => {
      replica.asked.push(request.accountId);
      return replica.answer(request, call);
    };
    // Only what is asked here has a handler; the types want every method.
    server.addService(
      definitionOf('billing'),
      { getBalance: ['gateway'], addCredits: ['gateway'] } as never,
      { getBalance: handle, addCredits: handle } as never,
    );
    closing.push(replica.close);
    port = Number((await server.listen()).address.split(':').at(-1));
    replicas.push(replica);
  }
  // The one thing that cannot be real here: a name server.
  const found = replicas.map((_, index) => ({ address: `127.0.0.${index + 1}`, family: 4 }));
  const lookUp = jest.spyOn(promises, 'lookup').mockImplementation(async () => found as never);
  const client = createRpcClient(definitionOf('billing'), {
    address: `dns:///billing.test:${port}`,
    ownName: 'gateway',
    security,
    host: { clock, logger: silentLogger },
    deadlineMs: DEADLINE_MS,
  });
  closing.push(() => client.close());
  closing.push(() => lookUp.mockRestore());
  // All are connected before anything is judged.
  await waitFor(async () => {
    await client.getBalance({ accountId: 'acc_first' });
    return replicas.every(({ asked }) => asked.length > 0);
  });
  const asked = () => replicas.map((one) => one.asked.filter((id) => id !== 'acc_first').length);
  return { client, clock, replicas, asked };
}

const isFirst = (accountId: string) => accountId === 'acc_1';

/** The replica that a request has reached, when only one has it. */
function whereIs(replicas: readonly Replica[], accountId: string): Promise<Replica> {
  return waitFor(() => replicas.find(({ asked }) => asked.includes(accountId)));
}

test('a call that may be repeated is answered by another replica when the first is frozen', async () => {
  const { client, clock, replicas, asked } = await startReplicas(3);
  for (const replica of replicas) replica.answer = never;
  const running = client.getBalance({ accountId: 'acc_1' });
  const frozen = await whereIs(replicas, 'acc_1');
  for (const replica of replicas) if (replica !== frozen) replica.answer = answered;
  await clock.advance(REPEAT_AFTER_MS);
  await running;
  expect(asked().toSorted()).toEqual([0, 1, 1]);
  expect(frozen.asked.filter((id) => id === 'acc_1')).toHaveLength(1);
});

test('a replica that was silent is left alone, but for one call a second, until it answers', async () => {
  const { client, clock, replicas } = await startReplicas(2);
  for (const replica of replicas) replica.answer = never;
  const running = client.getBalance({ accountId: 'acc_1' });
  const frozen = await whereIs(replicas, 'acc_1');
  for (const replica of replicas) if (replica !== frozen) replica.answer = answered;
  await clock.advance(REPEAT_AFTER_MS);
  await running;
  // Calls that may not be repeated, which nobody saves when they go to the wrong one.
  for (let call = 1; call <= MANY; call += 1) await client.addCredits({ accountId: 'acc_2' });
  expect(frozen.asked).not.toContain('acc_2');

  frozen.answer = answered;
  await clock.advance(SILENT_MS);
  for (let call = 1; call <= MANY; call += 1) await client.addCredits({ accountId: 'acc_3' });
  expect(frozen.asked.filter((id) => id === 'acc_3').length).toBeGreaterThan(1);
});

test('a frozen replica opens no breaker and refuses nobody', async () => {
  const { client, clock, replicas } = await startReplicas(2);
  const [frozen] = replicas;
  if (frozen === undefined) throw new Error('two replicas were started');
  frozen.answer = never;
  const running = Array.from({ length: MANY }, () => client.getBalance({ accountId: 'acc_1' }));
  await waitFor(() => replicas.every(({ asked }) => asked.filter(isFirst).length === MANY / 2));
  await clock.advance(REPEAT_AFTER_MS);
  await Promise.all(running);
  await client.addCredits({ accountId: 'acc_2' });
  expect(frozen.asked).not.toContain('acc_2');
});

test('a refusal is an answer: nobody else is asked', async () => {
  const { client, replicas, asked } = await startReplicas(2);
  for (const replica of replicas) {
    replica.answer = () => Promise.reject(new AppError('INSUFFICIENT_BALANCE'));
  }
  await expect(client.getBalance({ accountId: 'acc_1' })).rejects.toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
  });
  expect(asked().toSorted()).toEqual([0, 1]);
});

test('a call whose replica dies is sent to another one at once', async () => {
  const { client, replicas, asked } = await startReplicas(2);
  for (const replica of replicas) replica.answer = never;
  const running = client.getBalance({ accountId: 'acc_1' });
  const dying = await whereIs(replicas, 'acc_1');
  for (const replica of replicas) if (replica !== dying) replica.answer = answered;
  await dying.close();
  await running;
  expect(asked().toSorted()).toEqual([1, 1]);
});

test('a call that may not be repeated is sent once', async () => {
  const { client, clock, replicas, asked } = await startReplicas(2);
  for (const replica of replicas) replica.answer = never;
  const leaving = new AbortController();
  const running = client.addCredits({ accountId: 'acc_1' }, { signal: leaving.signal });
  await whereIs(replicas, 'acc_1');
  await clock.advance(DEADLINE_MS);
  leaving.abort();
  await expect(running).rejects.toBeInstanceOf(AppError);
  expect(asked().toSorted()).toEqual([0, 1]);
});

test('the only replica of a service is asked once, however late it answers', async () => {
  const { client, clock, replicas, asked } = await startReplicas(1);
  const late = Promise.withResolvers<unknown>();
  for (const replica of replicas) replica.answer = () => late.promise;
  const running = client.getBalance({ accountId: 'acc_1' });
  await whereIs(replicas, 'acc_1');
  await clock.advance(2 * REPEAT_AFTER_MS);
  // Whoever comes after the repetitions tells that they have been turned away by now.
  const after = client.addCredits({ accountId: 'acc_2' });
  await whereIs(replicas, 'acc_2');
  late.resolve({});
  await Promise.all([running, after]);
  expect(asked()).toEqual([2]);
});
