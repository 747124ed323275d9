import { ERROR_CODES, silentLogger, toIsoTime } from '@tollgate/core';
import {
  createEvent,
  createInProcessBus,
  type DenialReason,
  type EventBus,
  type EventHandler,
  type OutgoingEvent,
  type ReceivedEvent,
  type Subscription,
  toOutgoing,
} from '@tollgate/events';
import type { MongoStore } from '@tollgate/mongo';
import { createFakeClock, type FakeClock, waitFor } from '@tollgate/testkit';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { DenialStore, FigureStore } from '../domain/ports';
import { createAddDenials } from '../operations/add-denials';
import { createApplyLedger } from '../operations/apply-ledger';
import { createRefusedRequestStore } from '../storage/refused-request-store';
import { charge, credit, ledgerOf } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { subscribeToEvents } from './event-consumer';

const LINGER_MS = 1000;
const TIMEOUT = { timeoutMs: 10_000 };

let server: TestStore;
let mongo: MongoStore;
let figureStore: FigureStore;
let denialStore: DenialStore;
let clock: FakeClock;
let bus: EventBus;
let subscription: Subscription;
/** What billing's ledger shows. */
let shown: LedgerEntry[];

beforeAll(async () => {
  server = await openTestStore();
});

afterAll(() => server.close());

beforeEach(async () => {
  ({ mongo, figureStore, denialStore } = await server.openDatabase());
  clock = createFakeClock();
  shown = [];
  bus = createInProcessBus({ clock, logger: silentLogger, validate: true });
  await subscribe();
});

/** A consumer that remembers nothing. */
async function subscribe(by: EventBus['subscribe'] = (options) => bus.subscribe(options)) {
  const grouping = { figureStore, clock, lingerMs: LINGER_MS };
  const bounds = { batchEntriesMax: 100, cachedSequencesMax: 100 };
  subscription = await subscribeToEvents({
    bus: { ...bus, subscribe: by },
    eventBatchMax: 100,
    applyLedger: createApplyLedger({ ...grouping, ...bounds, ledger: ledgerOf(shown) }),
    addDenials: createAddDenials({ ...grouping, denialStore, batchDenialsMax: 100 }),
    addRefusedRequests: createRefusedRequestStore(mongo).add,
  });
  return subscription;
}

afterEach(async () => {
  const closed = bus.close();
  // Nothing of a test that failed may wait for time to pass.
  await clock.advance(60_000);
  await closed;
  await mongo.close();
});

function posted(seq: number, account = 'acc_1'): OutgoingEvent {
  const entry = { account_id: account, seq, amount: '5', at: toIsoTime(clock.now()) };
  const credit = { credit_id: `crd_${seq}`, note: null };
  const data = { ...entry, kind: 'credit' as const, charge: null, credit };
  return toOutgoing(account, createEvent('ledger.entry_posted', data, clock));
}

function adjusted(seq: number): OutgoingEvent {
  const entry = { account_id: 'acc_1', seq, amount: '-5', at: toIsoTime(clock.now()) };
  const data = { ...entry, adjustment_id: `acc_1:adjustment:${seq}`, reason: 'credited twice' };
  return toOutgoing('acc_1', createEvent('ledger.adjustment_posted', data, clock));
}

function denied(reason: DenialReason, count: number, account_id = 'acc_1'): OutgoingEvent {
  const window = { window_start: toIsoTime(clock.now()), window_seconds: 10 };
  const data = { account_id, key_id: 'key_1', reason, count, ...window, gateway_id: 'g' };
  return toOutgoing(account_id, createEvent('denials.counted', data, clock));
}

function charged(seq: number, account: string): OutgoingEvent {
  const at = toIsoTime(clock.now());
  const place = { account_id: account, lease: 1, number: seq, holder: 'spl_1', epoch: 1 };
  const prices = { prompt: '1', completion: '1', cached_prompt: '1' };
  const record = {
    ...place,
    kind: 'usage' as const,
    request_id: `req_${seq}`,
    client_request_id: null,
    key_id: 'key_1',
    user_id: null,
    model: 'm',
    requested_model: 'm',
    channel_id: null,
    own_channel: false,
    price_version: 1,
    prices,
    drawn: '5',
    amount: '5',
    prompt_tokens: 4,
    completion_tokens: 5,
    cached_tokens: 1,
    source: 'exact' as const,
    cache_write_tokens: 3,
    reasoning_tokens: 2,
    prompt_audio_tokens: 4,
    completion_audio_tokens: 1,
    reason: 'stop' as const,
    status: 'succeeded' as const,
    error_code: null,
    stream: false,
    attempts: 1,
    failed_attempts: null,
    limits_left: null,
    ignored_members: null,
    latency_ms: 1,
    first_token_ms: 1,
    budget: null,
    started_at: at,
    ended_at: at,
    vendor_absorbed: '0',
  };
  const sums = { charged: '5', absorbed: '0', overrun: '0', settled_reason: 'settled' as const };
  const entry = { account_id: account, seq, kind: 'charge' as const, amount: '5', at };
  const data = { ...entry, charge: { record, ...sums }, credit: null };
  return toOutgoing(account, createEvent('ledger.entry_posted', data, clock));
}

/** Dead letters from now on. */
async function hearLetters(): Promise<readonly unknown[]> {
  const letters: unknown[] = [];
  await bus.subscribe({
    group: 'letters',
    topics: ['tollgate.dead-letter.v1'],
    handle: async (events) => void letters.push(...events.map(({ event }) => event.data)),
  });
  return letters;
}

/** Publishes, and lets time pass until all is handled or a dead letter. */
async function publishUntilHandled(events: readonly OutgoingEvent[]): Promise<void> {
  let handled = false;
  void bus.publish(events, { timeoutMs: 3_600_000 }).then(() => {
    handled = true;
  });
  await waitFor(async () => {
    await clock.advance(LINGER_MS);
    return handled;
  });
}

const appliedSeq = async () => (await figureStore.cursors(['acc_1'])).get('acc_1') ?? 0n;

test('an entry counts as handled once it is in the figures, at most a linger later', async () => {
  await bus.publish([posted(1)], TIMEOUT);
  expect(await appliedSeq()).toBe(1n);
  const second = bus.publish([posted(2)], TIMEOUT);
  await clock.advance(LINGER_MS - 1);
  expect(await appliedSeq()).toBe(1n);
  await clock.advance(1);
  await second;
  expect(await appliedSeq()).toBe(2n);
});

test('the parts of its tokens are in the figures', async () => {
  await publishUntilHandled([charged(1, 'acc_1')]);
  const range = { startMs: 0, endMs: clock.now() + 1, granularity: 'day' as const };
  const filter = { ...range, accountIds: ['acc_1'], models: [], keyIds: [] };
  let days = 0;
  for await (const day of figureStore.read(filter)) {
    days += 1;
    expect(day.figures).toMatchObject({
      promptTokens: 4n,
      cachedTokens: 1n,
      cacheWriteTokens: 3n,
      completionTokens: 5n,
      reasoningTokens: 2n,
      promptAudioTokens: 4n,
      completionAudioTokens: 1n,
    });
  }
  expect(days).toBe(1);
});

test('an adjustment is a place in the sequence, so that nothing looks like a gap after it', async () => {
  await bus.publish([posted(1)], TIMEOUT);
  const rest = bus.publish([adjusted(2), posted(3)], TIMEOUT);
  await clock.advance(LINGER_MS);
  await rest;
  expect(await appliedSeq()).toBe(3n);
});

test('a backlog is worked off without waiting for the linger, up to its tail', async () => {
  const events = Array.from({ length: 1050 }, (_, index) => posted(index + 1));
  const published = bus.publish(events, TIMEOUT);
  await waitFor(async () => (await appliedSeq()) === 1000n);
  expect(clock.monotonicMs()).toBe(0);
  await clock.advance(LINGER_MS);
  await published;
  expect(await appliedSeq()).toBe(1050n);
});

test('stopping adds what waits for the linger and ends', async () => {
  await bus.publish([posted(1)], TIMEOUT);
  const second = bus.publish([posted(2)], TIMEOUT);
  await clock.advance(1);
  await subscription.stop();
  await second;
  expect(await appliedSeq()).toBe(2n);
  expect(clock.monotonicMs()).toBeLessThan(LINGER_MS);
});

test('a refused request is kept under its id, once however often its event comes', async () => {
  const at = toIsoTime(clock.now());
  const refused = (request_id: string, error_code: string) => {
    return { request_id, key_id: 'key_1', error_code, message: 'Not now.', at };
  };
  const sampled = (...requests: readonly ReturnType<typeof refused>[]) => {
    const data = { account_id: 'acc_1', gateway_id: 'gtw_1', requests: [...requests] };
    return toOutgoing('acc_1', createEvent('refusals.sampled', data, clock));
  };
  const first = refused('req_1', 'RATE_LIMIT_EXCEEDED');
  await bus.publish([sampled(first)], TIMEOUT);
  const named = { param: 'model', requested_model: 'gpt-x', address: '203.0.113.9' };
  const second = { ...refused('req_2', 'NOT_FOUND'), ...named };
  await bus.publish([sampled(first, second)], TIMEOUT);
  const { find, list } = createRefusedRequestStore(mongo);
  expect(await find('req_1')).toEqual({
    requestId: 'req_1',
    accountId: 'acc_1',
    keyId: 'key_1',
    gatewayId: 'gtw_1',
    errorCode: 'RATE_LIMIT_EXCEEDED',
    message: 'Not now.',
    atMs: clock.now(),
  });
  expect(await find('req_2')).toMatchObject({
    errorCode: 'NOT_FOUND',
    param: 'model',
    requestedModel: 'gpt-x',
    address: '203.0.113.9',
  });
  expect(await find('req_3')).toBeUndefined();
  const ids = async (accountId: string | undefined, limit: number, beforeRequestId?: string) =>
    (await list({ accountId, limit, beforeRequestId })).map(({ requestId }) => requestId);
  expect(await ids('acc_1', 9)).toEqual(['req_2', 'req_1']);
  expect(await ids(undefined, 1)).toEqual(['req_2']);
  expect(await ids('acc_1', 9, 'req_2')).toEqual(['req_1']);
  expect(await ids('acc_2', 9)).toEqual([]);
});

test('a refusal keeps what explains it: the bearer of a 401, the channels of a 503', async () => {
  const at = toIsoTime(clock.now());
  const nobody = { request_id: 'req_1', fault: 'unknown', account_id: null, key_id: null } as const;
  const revoked = { request_id: 'req_2', fault: 'revoked', account_id: 'acc_1' } as const;
  const bearers = [
    { ...nobody, presented: null, at, address: '192.0.2.1', message: 'It is cut off.' },
    { ...revoked, presented: 'tg_live_a…', key_id: 'key_1', at, path: '/v1/models' },
  ];
  const unauthorized = { gateway_id: 'gtw_1', requests: bearers };
  const full = { request_id: 'req_3', key_id: null, error_code: 'SERVICE_UNAVAILABLE', at };
  const limited = { reason: 'cooling_down', retry_after_ms: 20_000 } as const;
  const rejected = [
    { channel_id: 'chn_1', model: 'small', reason: 'failing' as const },
    { channel_id: 'chn_2', model: 'small', ...limited },
  ];
  const requests = [{ ...full, message: 'No channel can serve it.', rejected }];
  const sampled = { account_id: 'acc_1', gateway_id: 'gtw_1', requests };
  await bus.publish(
    [
      toOutgoing('gtw_1', createEvent('refusals.unauthorized', unauthorized, clock)),
      toOutgoing('acc_1', createEvent('refusals.sampled', sampled, clock)),
    ],
    TIMEOUT,
  );
  const { find } = createRefusedRequestStore(mongo);
  expect(await find('req_1')).toMatchObject({
    accountId: '',
    keyId: '',
    errorCode: 'UNAUTHORIZED',
    gatewayId: 'gtw_1',
    address: '192.0.2.1',
    message: 'It is cut off.',
    bearer: { fault: 'unknown', presented: '' },
  });
  expect(await find('req_2')).toMatchObject({
    accountId: 'acc_1',
    keyId: 'key_1',
    message: ERROR_CODES.UNAUTHORIZED.publicMessage,
    path: '/v1/models',
    bearer: { fault: 'revoked', presented: 'tg_live_a…' },
  });
  expect(await find('req_3')).toMatchObject({
    keyId: '',
    rejected: [
      { channelId: 'chn_1', model: 'small', reason: 'failing' },
      { channelId: 'chn_2', reason: 'cooling_down', retryAfterMs: 20_000 },
    ],
  });
});

test('a request by a wrong path or method is kept with the path, as nobody knows whose', async () => {
  const path = '/v1/v1/chat/completions';
  const told = { path, message: 'No such path.', presented: null, at: toIsoTime(clock.now()) };
  const requests = [
    { ...told, request_id: 'req_1', presented: 'tg_live_a…', address: '192.0.2.1' },
    { ...told, request_id: 'req_2', error_code: 'METHOD_NOT_ALLOWED' },
  ];
  const unrouted = { gateway_id: 'gtw_1', requests };
  const event = createEvent('refusals.unrouted', unrouted, clock);
  await bus.publish([toOutgoing('gtw_1', event)], TIMEOUT);
  const { find } = createRefusedRequestStore(mongo);
  const of = { accountId: '', keyId: '', errorCode: 'NOT_FOUND', path, message: 'No such path.' };
  expect(await find('req_1')).toMatchObject({
    ...of,
    address: '192.0.2.1',
    bearer: { fault: '', presented: 'tg_live_a…' },
  });
  expect(await find('req_2')).toMatchObject({ ...of, errorCode: 'METHOD_NOT_ALLOWED' });
  expect((await find('req_2'))?.bearer).toBeUndefined();
});

test('an account whose ledger lacks an entry holds up no other of its partition, and goes on when it is there', async () => {
  const letters = await hearLetters();
  await publishUntilHandled([posted(5), posted(1, 'acc_2')]);
  expect(await appliedSeq()).toBe(0n);
  expect((await figureStore.cursors(['acc_2'])).get('acc_2')).toBe(1n);
  expect(letters).toMatchObject([{ group: 'stats', source_topic: 'tollgate.ledger.v1' }]);
  shown.push(...[1, 2, 3, 4, 5].map((seq) => ({ ...credit(seq), atMs: clock.now() })));
  const later = bus.publish([posted(6)], TIMEOUT);
  await clock.advance(LINGER_MS);
  await later;
  expect(await appliedSeq()).toBe(6n);
});

const DAMAGES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['that the store refuses to add to', { requests: 'many' }],
  ['whose sequence is none', { seq: 'many' }],
];

test.each(DAMAGES)(
  'a figure %s holds up no other account, until it is mended',
  async (_, damage) => {
    await publishUntilHandled([charged(1, 'acc_1'), charged(1, 'acc_2')]);
    const documents = mongo.connection.collection('usage_figures');
    const whole = await documents.find({ accountId: 'acc_1' }).toArray();
    await documents.updateMany({ accountId: 'acc_1' }, { $set: damage });
    const letters = await hearLetters();
    await subscription.stop();
    await subscribe();
    await publishUntilHandled([charged(2, 'acc_1'), charged(2, 'acc_2')]);
    expect(await appliedSeq()).toBe(1n);
    expect((await figureStore.cursors(['acc_2'])).get('acc_2')).toBe(2n);
    expect(letters).toMatchObject([{ group: 'stats', source_topic: 'tollgate.ledger.v1' }]);
    for (const document of whole) await documents.replaceOne({ _id: document._id }, document);
    shown.push(charge(2), charge(3));
    await publishUntilHandled([charged(3, 'acc_1')]);
    expect(await appliedSeq()).toBe(3n);
  },
);

test.each([
  ['whose revision is none', { $set: { revision: 'many' } }],
  ['without a revision', { $unset: { revision: 1 } }],
  ['without counts', { $unset: { counts: 1 } }],
  ['whose counts are none', { $set: { counts: [{ keyId: 'key_1', count: 'many' }] } }],
])('a bucket of denials %s holds up no other account, until it is mended', async (_, damage) => {
  await publishUntilHandled([denied('rpm', 1), denied('rpm', 1, 'acc_2')]);
  const documents = mongo.connection.collection('denial_buckets');
  const whole = await documents.find({ accountId: 'acc_1' }).toArray();
  await documents.updateMany({ accountId: 'acc_1' }, damage);
  const letters = await hearLetters();
  await publishUntilHandled([denied('rpm', 2), denied('rpm', 2, 'acc_2')]);
  expect(letters).toMatchObject([{ group: 'stats', source_topic: 'tollgate.denials.v1' }]);
  for (const document of whole) await documents.replaceOne({ _id: document._id }, document);
  await publishUntilHandled([denied('rpm', 4)]);
  const range = { startMs: 0, endMs: clock.now() + 1, granularity: 'day' as const };
  const counts: unknown[] = [];
  const filter = { ...range, accountIds: [], models: [], keyIds: [] };
  for await (const { accountId, count } of denialStore.read(filter))
    counts.push([accountId, count]);
  expect(counts.sort()).toEqual([
    ['acc_1', 5],
    ['acc_2', 3],
  ]);
});

test('what is left of a batch that failed is added without waiting for the linger', async () => {
  let handle: EventHandler | undefined;
  const subscribed = await subscribe((options) => {
    handle = options.handle;
    return bus.subscribe(options);
  });
  const receive = ({ key, event }: OutgoingEvent): ReceivedEvent => ({
    topic: 'tollgate.ledger.v1',
    partition: 0,
    offset: '0',
    key,
    event,
  });
  const { signal } = new AbortController();
  await handle?.([receive(posted(1))], { signal, isPart: false });
  for (const seq of [2, 3, 4]) await handle?.([receive(posted(seq))], { signal, isPart: true });
  expect([await appliedSeq(), clock.monotonicMs()]).toEqual([4n, 0]);
  await subscribed.stop();
});

test('what could not be served is kept apart from what was denied', async () => {
  const window = { window_start: toIsoTime(clock.now()), window_seconds: 10, gateway_id: 'g' };
  const data = { account_id: 'acc_1', key_id: null, count: 3, ...window };
  const unserved = toOutgoing('acc_1', createEvent('unserved.counted', data, clock));
  await bus.publish([unserved, denied('rpm', 4), unserved], TIMEOUT);
  const range = { startMs: 0, endMs: clock.now() + 1, granularity: 'day' as const };
  const filter = { ...range, accountIds: ['acc_1'], models: [], keyIds: [] };
  const counts: unknown[] = [];
  for await (const { count, kind } of denialStore.read(filter)) counts.push([kind, count]);
  expect(counts.sort()).toEqual([
    ['rate_limited', 4],
    ['unserved', 3],
  ]);
});

test('denials for lack of money are no rate limits', async () => {
  await bus.publish([denied('balance', 3), denied('rpm', 4), denied('budget', 5)], TIMEOUT);
  const range = { startMs: 0, endMs: clock.now() + 1, granularity: 'day' as const };
  const filter = { ...range, accountIds: ['acc_1'], models: [], keyIds: [] };
  const counts: number[] = [];
  for await (const { count } of denialStore.read(filter)) counts.push(count);
  expect(counts).toEqual([4]);
});
