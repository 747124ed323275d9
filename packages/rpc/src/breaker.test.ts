import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, createSystemClock, silentLogger } from '@tollgate/core';
import { createRpcClient, createRpcServer, definitionOf, type Handlers } from './index';
import { MESSAGE_OPTIONS } from './message-stream';

const security = { serviceSecret: 'only-for-this-test', plaintext: false };
const host = { clock: createSystemClock(), logger: silentLogger };
// Forty answers of many megabytes are made and thrown away.
jest.setTimeout(120_000);

/** More than the breaker wants to see before it judges. */
const MANY = 40;
const SENT_MAX = 'grpc.max_send_message_length';

let directory: string;
let close: (() => Promise<void>)[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rpc-'));
  close = [];
});

afterEach(async () => {
  for (const each of close.reverse()) await each();
  rmSync(directory, { recursive: true, force: true });
});

type GetRefusal = Handlers<ReturnType<typeof definitionOf<'stats'>>>['getRefusal'];

const FOUND = { refusal: { requestId: 'req_1' } };

/** A call that the breaker counts: questions about usage are expensive, and it does not. */
async function serve(getRefusal: GetRefusal) {
  const server = createRpcServer({ listen: `unix:${directory}/stats`, security, host });
  close.push(() => server.close());
  server.addService(
    definitionOf('stats'),
    { queryUsage: ['gateway'], getRefusal: ['gateway'], listRefusals: ['gateway'] },
    { getRefusal, queryUsage: async () => ({}), listRefusals: async () => ({}) },
  );
  return connect((await server.listen()).address);
}

function connect(address: string) {
  const settings = { address, ownName: 'gateway', security, host, deadlineMs: 20_000 } as const;
  const client = createRpcClient(definitionOf('stats'), settings);
  close.push(async () => client.close());
  return client;
}

test('a service that refuses what it cannot decide is asked again for what it can', async () => {
  const client = await serve(async ({ accountId }) => {
    if (accountId !== 'acc_decidable') throw new AppError('SERVICE_UNAVAILABLE');
    return FOUND;
  });
  for (let call = 1; call <= MANY; call += 1) {
    await expect(client.getRefusal({ accountId: 'acc_other' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  }
  expect(await client.getRefusal({ accountId: 'acc_decidable' })).toMatchObject(FOUND);
});

test('peers that leave do not make a service look as if it were away', async () => {
  const client = await serve(async ({ accountId }) =>
    accountId === 'acc_patient' ? FOUND : new Promise(() => {}),
  );
  for (let call = 1; call <= MANY; call += 1) {
    const leaving = new AbortController();
    const running = client.getRefusal({}, { signal: leaving.signal });
    leaving.abort();
    await expect(running).rejects.toBeInstanceOf(AppError);
  }
  expect(await client.getRefusal({ accountId: 'acc_patient' })).toMatchObject(FOUND);
});

test('answers that are too large for a message do not make a service look as if it were away', async () => {
  const answer = { refusal: { requestId: 'r'.repeat(MESSAGE_OPTIONS[SENT_MAX]) } };
  const client = await serve(async ({ accountId }) =>
    accountId === 'acc_modest' ? FOUND : answer,
  );
  for (let call = 1; call <= MANY; call += 1) {
    await expect(client.getRefusal({})).rejects.toThrow('RESOURCE_EXHAUSTED');
  }
  expect(await client.getRefusal({ accountId: 'acc_modest' })).toMatchObject(FOUND);
});

test('a service that is away is left alone for a moment', async () => {
  const client = connect(`unix:${directory}/nobody`);
  for (let call = 1; call <= MANY; call += 1) await client.getRefusal({}).catch(() => {});
  await expect(client.getRefusal({})).rejects.toThrow('breaker open');
});

test('searches that take too long keep nobody from the rest of the service', async () => {
  const server = createRpcServer({ listen: `unix:${directory}/billing`, security, host });
  close.push(() => server.close());
  const billing = definitionOf('billing');
  const handlers = {
    searchLedger: () => new Promise(() => {}),
    getBalance: async () => ({ accountId: 'acc_patient' }),
  };
  const policy = { searchLedger: ['gateway'], getBalance: ['gateway'] };
  // Only what is asked here has a handler; the types want every method.
  server.addService(billing, policy as never, handlers as never);
  const { address } = await server.listen();
  const settings = { address, ownName: 'gateway', security, host, deadlineMs: 20_000 } as const;
  const client = createRpcClient(billing, settings);
  close.push(async () => client.close());
  const searches = Array.from({ length: MANY }, () =>
    client.searchLedger({}, { deadlineMs: 1 }).catch((error: AppError) => error.code),
  );
  expect(new Set(await Promise.all(searches))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
  expect(await client.getBalance({})).toMatchObject({ accountId: 'acc_patient' });
});
